import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { composeMail, type Mail, MailError, Mailer, OutboundGuard } from '../../src/platform/index.ts';
import { mailBodies, mailHead, SmtpInbox } from './smtp-inbox.ts';

let inbox: SmtpInbox;
beforeEach(async () => {
  inbox = await SmtpInbox.open();
});
afterEach(() => inbox.close());

const mail: Mail = {
  to: 'anne@example.org',
  from: { name: 'Acme', address: 'no-reply@acme.example' },
  subject: 'Hello',
  text: 'In plain words.',
  html: '<p>In plain words.</p>',
};
const open = new OutboundGuard(true);
const strict = new OutboundGuard(false);
const server = () => ({ host: '127.0.0.1', port: inbox.port, secure: false });
const code = (wanted: string) => expect.objectContaining({ name: 'MailError', code: wanted });

describe('the mail that arrives', () => {
  test('through the operator’s server, which may be on a private address', async () => {
    await new Mailer(strict, inbox.url).send({ ...mail, replyTo: 'help@acme.example' });
    const [received] = inbox.mails;
    expect(received).toMatchObject({ from: 'no-reply@acme.example', to: ['anne@example.org'], user: undefined });
    const head = mailHead(received as never);
    expect(Object.fromEntries(head)).toMatchObject({
      from: 'Acme <no-reply@acme.example>',
      to: 'anne@example.org',
      subject: 'Hello',
      'reply-to': 'help@acme.example',
    });
    expect(head.get('content-type')).toMatch(/^multipart\/alternative/);
    expect(received?.raw).toContain('In plain words.');
  });

  test('carries names and subjects in any script', async () => {
    await new Mailer(open, inbox.url).send({
      ...mail,
      from: { name: 'Ünïcode 株式会社', address: 'a@b.example' },
      subject: 'Grüße ✓',
    });
    expect(mailHead(inbox.mails[0] as never).get('subject')).toMatch(/^=\?UTF-8\?/i);
  });

  test('an organization’s own server gets its credentials', async () => {
    const seen: unknown[] = [];
    const guarded = await SmtpInbox.open({
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        done(null, { user: username ?? '' });
      },
    });
    await new Mailer(open, inbox.url).send(mail, {
      host: 'localhost',
      port: guarded.port,
      secure: false,
      user: 'post',
      password: 'p@ss:w/rd',
    });
    expect(seen).toEqual([['post', 'p@ss:w/rd']]);
    expect(guarded.mails).toHaveLength(1);
    expect(inbox.mails).toHaveLength(0);
    await guarded.close();
  });

  test('the operator’s URL gives user and password, percent-decoded', async () => {
    const seen: unknown[] = [];
    const guarded = await SmtpInbox.open({
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        done(null, { user: username ?? '' });
      },
    });
    await new Mailer(strict, `smtp://me%40acme:p%3Aw@localhost:${guarded.port}`).send(mail);
    expect(seen).toEqual([['me@acme', 'p:w']]);
    await guarded.close();
  });
});

describe('Never: one mail is one recipient, and one head', () => {
  test.each([
    ['subject', { subject: 'Hi\r\nBcc: eve@evil.example' }],
    ['subject with a lone line feed', { subject: 'Hi\nBcc: eve@evil.example' }],
    ['subject with a line separator', { subject: 'Hi\u2028Bcc: eve@evil.example' }],
    ['name of the sender', { from: { name: 'A\r\nBcc: eve@evil.example', address: 'a@b.example' } }],
    ['name with an address', { from: { name: 'boss@bank.example" <eve@evil.example>', address: 'a@b.example' } }],
  ])('a %s begins no other header', async (_, change) => {
    await new Mailer(open, inbox.url).send({ ...mail, ...change });
    const [received] = inbox.mails;
    expect(received?.to).toEqual(['anne@example.org']);
    expect(mailHead(received as never).has('bcc')).toBe(false);
    expect(mailHead(received as never).get('from')).toMatch(/<[^<>]*@[^<>]*>$/);
  });

  test.each([
    'a@b.example, eve@evil.example',
    'a@b.example\r\nRCPT TO:<eve@evil.example>',
    '<a@b.example>',
    '"eve@evil.example x"@b.example',
    'a@b.example;eve@evil.example',
    'a(x)@b.example',
    'group:a@b.example',
    'nobody',
    '',
  ])('the recipient %j is refused', async (to) => {
    await expect(new Mailer(open, inbox.url).send({ ...mail, to })).rejects.toEqual(code('failed'));
    await expect(new Mailer(open, inbox.url).send({ ...mail, replyTo: to })).rejects.toEqual(code('failed'));
    expect(inbox.mails).toEqual([]);
  });

  test('nothing that a mail says makes the service read a file or a URL', async () => {
    const trick = { path: '/etc/passwd' } as unknown as string;
    await expect(new Mailer(open, inbox.url).send({ ...mail, html: trick })).rejects.toEqual(code('failed'));
    expect(inbox.mails).toEqual([]);
  });
});

describe('what cannot be sent says why', () => {
  test('no server is configured', async () => {
    await expect(new Mailer(strict, null).send(mail)).rejects.toEqual(code('not_configured'));
  });

  test('Reaching inside: an organization’s server in a private network is refused, by address and by name', async () => {
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1']) {
      await expect(new Mailer(strict, null).send(mail, { ...server(), host })).rejects.toEqual(code('refused_address'));
    }
    // a resolver reads the last three as 127.0.0.1
    for (const host of ['localhost', '2130706433', '0x7f000001', '127.1']) {
      await expect(new Mailer(strict, null).send(mail, { ...server(), host })).rejects.toBeInstanceOf(MailError);
    }
    expect(inbox.mails).toEqual([]);
  });

  test('nobody listens there', async () => {
    const { port } = inbox;
    await inbox.close();
    inbox = await SmtpInbox.open();
    await expect(new Mailer(open, `smtp://127.0.0.1:${port}`).send(mail)).rejects.toEqual(code('failed'));
  });

  test('the server refuses the recipient, and its words reach the log alone', async () => {
    const full = await SmtpInbox.open({
      onRcptTo: (_address, _session, done) => done(new Error('mailbox of secret-project is full')),
    });
    const error = await new Mailer(open, full.url).send(mail).catch((caught: unknown) => caught);
    expect(error).toEqual(code('failed'));
    expect((error as MailError).message).not.toContain('secret-project');
    await full.close();
  });

  test('a certificate that nobody vouches for is refused', async () => {
    const selfSigned = await SmtpInbox.open({ disabledCommands: [], authOptional: true });
    await expect(new Mailer(open, null).send(mail, { ...server(), port: selfSigned.port })).rejects.toEqual(
      code('failed'),
    );
    expect(selfSigned.mails).toEqual([]);
    await selfSigned.close();
  });

  describe('a server that takes the connection and never speaks', () => {
    let silent: Server;
    beforeAll(async () => {
      silent = createServer(() => {});
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
    });
    afterAll(() => void silent.close());

    test('is given up after ten seconds', { timeout: 60_000 }, async () => {
      const { port } = silent.address() as { port: number };
      const began = Date.now();
      await expect(new Mailer(open, `smtp://127.0.0.1:${port}`).send(mail)).rejects.toEqual(code('failed'));
      expect(Date.now() - began).toBeLessThan(25_000);
    });
  });
});

describe('an organization’s credentials go over TLS alone', () => {
  /** As strict as outside of tests, but that it finds the server of this test. */
  class NearGuard extends OutboundGuard {
    override resolve() {
      return Promise.resolve({ address: '127.0.0.1', family: 4 } as const);
    }
  }

  test('a server without TLS gets no password, and a mail that needs none', async () => {
    const seen: unknown[] = [];
    const plain = await SmtpInbox.open({
      onAuth({ username }, _session, done) {
        seen.push(username);
        done(null, { user: username ?? '' });
      },
    });
    const mailer = new Mailer(new NearGuard(false), null);
    const target = { ...server(), host: 'mail.example', port: plain.port };
    await expect(mailer.send(mail, { ...target, user: 'post', password: 'secret' })).rejects.toEqual(code('failed'));
    expect(seen).toEqual([]);
    expect(plain.mails).toEqual([]);
    await mailer.send(mail, target);
    expect(plain.mails).toHaveLength(1);
    await plain.close();
  });
});

describe('the two bodies', () => {
  const content = {
    subject: 'Reset',
    brand: { name: 'A & <b>', colour: '#123456' },
    heading: 'Set a <new> password',
    paragraphs: ['Somebody asked for "this".', "It's you?"],
    action: { label: 'Go > on', url: 'https://id.example/reset?a=1&b=2' },
  };

  test('say the same; all that is said is escaped', () => {
    const { text, html } = composeMail(content);
    expect(text).toContain('Set a <new> password\n\nSomebody asked for "this".\n\nIt\'s you?');
    expect(text).toContain('Go > on:\nhttps://id.example/reset?a=1&b=2');
    expect(html).toContain('<h1 style="margin:0 0 16px;font-size:20px">Set a &lt;new&gt; password</h1>');
    expect(html).toContain('href="https://id.example/reset?a=1&amp;b=2"');
    expect(html).toContain('A &amp; &lt;b&gt;');
    expect(html).not.toMatch(/<(?:script|img|link|form)|src=|url\(/);
  });

  test('load nothing and have no link without an action', () => {
    const { action: _, ...rest } = content;
    expect(composeMail(rest).html).not.toContain('href');
  });

  test('link to http and https alone, and take colours alone as colours', () => {
    const bad = { ...content, action: { label: 'x', url: 'javascript:alert(1)' } };
    expect(() => composeMail(bad)).toThrow(RangeError);
    const { html } = composeMail({ ...content, brand: { name: 'x', colour: 'red;background:url(x)' } });
    expect(html).not.toContain('url(');
  });

  test('arrive whole', async () => {
    await new Mailer(open, inbox.url).send({ ...mail, ...composeMail(content) });
    const received = mailBodies(await inbox.mailTo('anne@example.org'));
    expect(received).toContain('https://id.example/reset?a=1&b=2');
    expect(received).toContain('&lt;new&gt;');
  });
});
