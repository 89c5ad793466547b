import { expect, test } from 'vitest';
import { facts, mfaWorld } from './mfa-world.ts';

// http, and an address of this machine, are for tests alone
const world = mfaWorld({ RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_SMS_URL: '' });
const number = '+4915112345678';
const send = () => world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts);

test('without a provider of the operator’s, the organization’s own one is used, in its shape', async () => {
  await world.allow('sms');
  await expect(send()).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
  await world.settings('sms', { url: world.phones.url, format: 'json', from: 'Acme', token: 'secret-5b1c' });
  world.service.clock.advance(60_000);
  expect(await send()).toMatchObject({ ok: true });
  const [message] = world.phones.messages;
  expect(message?.headers.authorization).toBe('Bearer secret-5b1c');
  const { to, from, text } = JSON.parse(message?.raw ?? '') as Record<string, string>;
  expect({ to, from }).toEqual({ to: number, from: 'Acme' });
  const [code = ''] = /^\d{6}/.exec(text ?? '') ?? [];
  expect(await world.mfa.codes.confirm(world.whose(), 'sms', { code }, facts)).toMatchObject({ ok: true });
  expect(world.service.everythingStored()).not.toContain('secret-5b1c');
});

test('with its account and password, where it has those', async () => {
  await world.allow('sms');
  await world.settings('sms', { url: world.phones.url, user: 'acme', password: 'p:w' });
  await send();
  expect(world.phones.messages[0]?.headers.authorization).toBe(`Basic ${Buffer.from('acme:p:w').toString('base64')}`);
  expect(world.phones.form()).toMatchObject({ To: number });
});

test('a provider that the service may not reach is refused, and said so', async () => {
  await world.allow('sms');
  await world.settings('sms', { url: 'http://127.0.0.1:1/' });
  await expect(send()).rejects.toMatchObject({ problem: { kind: { code: 'sms_failed' } } });
});
