import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OutboundGuard, SmsGateway, type SmsProvider, smsProviderOf } from '../../src/platform/index.ts';
import { SmsInbox } from './sms-inbox.ts';

let inbox: SmsInbox;
beforeEach(async () => {
  inbox = await SmsInbox.open();
});
afterEach(() => inbox.close());

const sms = { to: '+4915112345678', text: '123456 is your code. ✓ & =' };
const open = new OutboundGuard(true);
const strict = new OutboundGuard(false);
const own = (details: Partial<SmsProvider> = {}): SmsProvider => ({ url: inbox.url, format: 'form', ...details });
const code = (wanted: string) => expect.objectContaining({ name: 'SmsError', code: wanted });
const latest = () => inbox.messages.at(-1);

describe('the message that arrives', () => {
  test('as a form, with an account and its password', async () => {
    await new SmsGateway(open, undefined).send(sms, own({ from: '+15005550006', user: 'AC1', password: 'p:w' }));
    expect(latest()?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(latest()?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:p:w').toString('base64')}`);
    expect(inbox.form()).toEqual({ To: sms.to, From: '+15005550006', Body: sms.text });
  });

  test('as JSON, with a bearer token', async () => {
    await new SmsGateway(open, undefined).send(sms, own({ format: 'json', from: 'Acme', user: 'a', token: 't0ken' }));
    expect(latest()?.headers['content-type']).toBe('application/json');
    expect(latest()?.headers.authorization).toBe('Bearer t0ken');
    expect(JSON.parse(latest()?.raw ?? '')).toEqual({ to: sms.to, from: 'Acme', text: sms.text });
  });

  test('without a sender or a credential, where the provider needs none', async () => {
    await new SmsGateway(open, undefined).send(sms, own());
    expect(latest()?.headers.authorization).toBeUndefined();
    expect(inbox.form()).toEqual({ To: sms.to, Body: sms.text });
  });

  test('through the operator’s provider, which may be on a private address', async () => {
    const none = { smsFrom: null, smsUser: null, smsPassword: null };
    const operator = smsProviderOf({ smsUrl: inbox.url, smsFormat: 'form', smsToken: 'T', ...none });
    const gateway = new SmsGateway(strict, operator);
    expect(gateway.hasOwnProvider).toBe(true);
    await gateway.send(sms);
    expect(latest()?.headers.authorization).toBe('Bearer T');
    expect(smsProviderOf({ smsUrl: null, smsFormat: 'form', smsToken: 'T', ...none })).toBeUndefined();
  });
});

describe('what fails, and how', () => {
  test('nothing is configured', async () => {
    await expect(new SmsGateway(open, undefined).send(sms)).rejects.toThrow(code('not_configured'));
  });

  test('a tenant’s provider on a private address, or over plain http, is never asked', async () => {
    const gateway = new SmsGateway(strict, own());
    const { port } = new URL(inbox.url);
    for (const url of [inbox.url, `https://127.0.0.1:${port}/`, 'https://169.254.169.254/', 'ftp://sms.example/']) {
      await expect(gateway.send(sms, own({ url }))).rejects.toThrow(code('refused_address'));
    }
    expect(inbox.messages).toEqual([]);
  });

  test.each([199 + 101, 400, 401, 429, 500])('status %d is no success', async (status) => {
    inbox.answer = { status, body: 'secret words of the provider' };
    const sending = new SmsGateway(open, undefined).send(sms, own());
    await expect(sending).rejects.toThrow(code('failed'));
    await expect(sending).rejects.not.toThrow(/secret words/);
  });

  test('a redirect is not followed', async () => {
    inbox.answer = { status: 307, headers: { location: inbox.url } };
    await expect(new SmsGateway(open, undefined).send(sms, own())).rejects.toThrow(code('failed'));
    expect(inbox.messages).toHaveLength(1);
  });

  test('an answer without end, and a server that is gone', async () => {
    inbox.answer = { status: 200, body: 'x'.repeat(70_000) };
    await expect(new SmsGateway(open, undefined).send(sms, own())).rejects.toThrow(code('failed'));
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', () => resolve()));
    const { port } = gone.address() as { port: number };
    await new Promise((resolve) => gone.close(resolve));
    const url = `http://127.0.0.1:${port}/`;
    await expect(new SmsGateway(open, undefined).send(sms, own({ url }))).rejects.toThrow(code('failed'));
  });

  test.each(['', '123', '+0151', '15112345678', '+49 151 1234', '+4915112345678\nTo: x', '+1234567890123456'])(
    'nothing is sent to %j',
    async (to) => {
      await expect(new SmsGateway(open, undefined).send({ ...sms, to }, own())).rejects.toThrow(code('failed'));
      expect(inbox.messages).toEqual([]);
    },
  );
});
