import { hostname } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailBodies, mailHead, SmtpInbox } from '../../platform/smtp-inbox.ts';
import { scene } from '../../security/organizations.ts';
import { RunningService } from '../../server/running-service.ts';
import { inFamily } from './sections.ts';

/** A user whom the service has a reason to write to. */
async function anne(org: { post(path: string, body: unknown): Promise<{ text(path: string): string }> }) {
  const created = await org.post('/admin/users', { email: 'anne@example.org' });
  return `/admin/users/${created.text('data.id')}/password-reset`;
}

describe('where private addresses are allowed, for tests', () => {
  let operator: SmtpInbox;
  let own: SmtpInbox;
  const seen: unknown[] = [];
  const environment: Record<string, string> = { RELATA_ALLOW_PRIVATE_URLS: '1' };
  beforeAll(async () => {
    operator = await SmtpInbox.open();
    own = await SmtpInbox.open({
      authOptional: false,
      onAuth({ username, password }, _session, done) {
        seen.push([username, password]);
        done(null, { user: username ?? '' });
      },
    });
    environment.RELATA_SMTP_URL = operator.url;
  });
  const on = scene(environment);
  beforeEach(() => {
    operator.mails.length = 0;
    own.mails.length = 0;
  });
  afterAll(() => Promise.all([operator.close(), own.close()]));
  const set = (section: string, body: object) => inFamily(on.org, 'org', 'PATCH', `/settings/${section}`, body);

  test('a mail is the organization’s: its name, sender, reply address, colour and footer', async () => {
    await set('general', { name: 'Acme & Sons', supportEmail: 'help@acme.example' });
    await set('branding', { primary_color: '#abcdef', footer_text: 'Acme, <1 Main Street>' });
    await set('email', { fromEmail: 'no-reply@acme.example' });
    expect((await on.org.post(await anne(on.org), undefined)).status).toBeLessThan(300);
    const mail = await operator.mailTo('anne@example.org');
    expect(mail.from).toBe('no-reply@acme.example');
    const head = mailHead(mail);
    expect(head.get('from')).toBe('"Acme & Sons" <no-reply@acme.example>');
    expect(head.get('reply-to')).toBe('help@acme.example');
    const bodies = mailBodies(mail);
    for (const part of ['#abcdef', 'Acme &amp; Sons', 'Acme, &lt;1 Main Street&gt;', 'Acme, <1 Main Street>']) {
      expect(bodies).toContain(part);
    }
  });

  test('until it says otherwise, mail comes from no-reply at the service’s own host', async () => {
    await on.org.post(await anne(on.org), undefined);
    const mail = await operator.mailTo('anne@example.org');
    expect(mailHead(mail).get('from')).toBe(`${on.org.slug} <no-reply@localhost>`);
    expect(mailHead(mail).has('reply-to')).toBe(false);
  });

  test('its own server gets its mail, with its credentials', async () => {
    const path = await anne(on.org);
    const server = { smtpHost: 'localhost', smtpPort: own.port, smtpUser: 'post', smtpPassword: 'p@ss word' };
    expect((await set('email', { ...server, fromName: 'Post', replyToEmail: 'reply@acme.example' })).status).toBe(200);
    expect((await on.org.post(path, undefined)).status).toBeLessThan(300);
    const mail = await own.mailTo('anne@example.org');
    expect(seen.at(-1)).toEqual(['post', 'p@ss word']);
    expect(mailHead(mail).get('from')).toBe('Post <no-reply@localhost>');
    expect(mailHead(mail).get('reply-to')).toBe('reply@acme.example');
    expect(operator.mails).toEqual([]);
  });

  test('503 where the server does not take it', async () => {
    const path = await anne(on.org);
    await set('email', { smtpHost: '127.0.0.1', smtpPort: 1 });
    expect(await on.org.post(path, undefined)).toMatchObject({ status: 503, body: { code: 'mail_failed' } });
    expect(operator.mails).toEqual([]);
  });
});

describe('where they are not', () => {
  let inbox: SmtpInbox;
  let service: RunningService;
  beforeAll(async () => {
    inbox = await SmtpInbox.open();
    service = await RunningService.start({ RELATA_THREADS: '1' });
  });
  afterAll(async () => {
    await service.remove();
    await inbox.close();
  });

  test('422 without a server, and Reaching inside: 422 for one of its own on a private network', async () => {
    const org = await service.organization('closed');
    const path = await anne(org);
    expect(await org.post(path, undefined)).toMatchObject({ status: 422, body: { code: 'refused' } });
    const through = async (smtpHost: string) => {
      const body = { smtpHost, smtpPort: inbox.port };
      expect((await inFamily(org, 'org', 'PATCH', '/settings/email', body)).status).toBe(200);
      return await org.post(path, undefined);
    };
    for (const smtpHost of ['127.0.0.1', '::1', '10.0.0.1', 'localhost']) {
      expect(await through(smtpHost)).toMatchObject({ status: 422, body: { code: 'refused' } });
    }
    // which names a private network has is not told
    const told = async (smtpHost: string) => {
      const { status, body } = await through(smtpHost);
      return { status, ...(body as object), request_id: undefined };
    };
    const ofNobody = await told('no-such-host.invalid');
    expect(ofNobody).toMatchObject({ status: 503, code: 'mail_failed' });
    expect(await told(hostname())).toEqual(ofNobody);
    expect(inbox.mails).toEqual([]);
  });
});
