import { describe, expect, test } from 'vitest';
import { phoneNumber } from '../../../src/identity/mfa/codes/phone-number.ts';
import { facts, MINUTE, mfaWorld, wrongCode } from './mfa-world.ts';

const world = mfaWorld();
const number = '+4915112345678';
const wrong = { ok: false, reason: 'wrong' };
const expired = { ok: false, reason: 'expired' };
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Registers a phone, and answers its factor. */
async function enrolPhone(whose = world.whose()): Promise<string> {
  await world.mfa.codes.send(whose, { enrol: 'sms', number }, facts);
  const enrolled = await world.mfa.codes.confirm(whose, 'sms', { code: world.phones.code() }, facts);
  if (!enrolled.ok) throw new Error(enrolled.reason);
  world.service.clock.advance(MINUTE);
  return enrolled.factorId;
}

const sendTo = (factorId: string, binding = 'flow-1') =>
  world.mfa.codes.send(world.whose(binding), { prove: factorId }, facts);
const verify = (factorId: string, code: string, binding = 'flow-1') =>
  world.mfa.codes.verify(world.whose(binding), factorId, code, facts);

describe('by short message', () => {
  test('the code that comes registers the number; the next one proves it', async () => {
    await world.allow('sms');
    const sent = await world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts);
    expect(sent).toEqual({ ok: true, to: '•••678', expiresAt: world.now + 5 * MINUTE });
    expect(world.phones.form()).toMatchObject({ To: number, From: 'Relata' });
    expect(world.phones.form().Body).toMatch(/^\d{6} is your code for mfa-\d+\.\n\n@localhost:8080 #\d{6}$/);
    const code = world.phones.code();
    expect(world.service.everythingStored()).not.toContain(code);
    const enrolled = await world.mfa.codes.confirm(world.whose(), 'sms', { code }, facts);
    expect(enrolled).toMatchObject({ ok: true, amr: ['sms', 'mfa'] });
    expect(world.factors()).toMatchObject([{ type: 'sms', name: 'Phone', to: '•••678' }]);
    expect(await world.record()).toMatchObject({ mfaEnabled: true });
    expect(await world.mfa.codes.confirm(world.whose(), 'sms', { code }, facts)).toEqual(expired);
    world.service.clock.advance(MINUTE);
    const [{ id } = { id: '' }] = world.factors();
    await sendTo(id);
    expect(await verify(id, world.phones.code())).toEqual({ ok: true, amr: ['sms', 'mfa'] });
    expect(await verify(id, world.phones.code())).toEqual(expired);
  });

  test('a code works in the flow that asked, for its factor, for five minutes, and is void after five tries', async () => {
    await world.allow('sms', 'email');
    const id = await enrolPhone();
    await sendTo(id);
    const code = world.phones.code();
    expect(await verify(id, code, 'flow-2')).toEqual(expired);
    expect(await world.mfa.codes.confirm(world.whose(), 'sms', { code }, facts)).toEqual(expired);
    expect(await verify('another', code)).toEqual(expired);
    world.service.clock.advance(5 * MINUTE);
    expect(await verify(id, code)).toEqual(expired);
    await sendTo(id);
    const second = world.phones.code();
    for (let tried = 0; tried < 4; tried++) expect(await verify(id, other(second))).toEqual(wrong);
    expect(await verify(id, other(second))).toEqual(expired);
    expect(await verify(id, second)).toEqual(expired);
  });

  test('of 20 who use one code at once, one gets in; of 20 wrong ones five are looked at', async () => {
    await world.allow('sms');
    await world.settings('security', { maxLoginAttempts: 100 });
    const id = await enrolPhone();
    await sendTo(id);
    const code = world.phones.code();
    const right = await Promise.all(Array.from({ length: 20 }, () => verify(id, code)));
    expect(right.filter(({ ok }) => ok)).toHaveLength(1);
    world.service.clock.advance(MINUTE);
    await sendTo(id);
    const second = world.phones.code();
    const all = await Promise.all(Array.from({ length: 20 }, () => verify(id, other(second))));
    expect(all.filter((each) => !each.ok && each.reason === 'wrong')).toHaveLength(4);
    expect(await verify(id, second)).toEqual(expired);
  });

  test('another one comes after half a minute, five in a flow, twenty for a user in an hour', async () => {
    await world.allow('sms');
    const id = await enrolPhone();
    expect(await sendTo(id)).toMatchObject({ ok: true });
    const first = world.phones.code();
    expect(await sendTo(id)).toEqual({ ok: false, reason: 'wait', until: world.now + 30_000 });
    for (let sent = 1; sent < 5; sent++) {
      world.service.clock.advance(30_000);
      expect(await sendTo(id)).toMatchObject({ ok: true });
    }
    if (first !== world.phones.code()) expect(await verify(id, first)).toEqual(wrong);
    const lastAt = world.now;
    world.service.clock.advance(MINUTE);
    expect(await sendTo(id)).toEqual({ ok: false, reason: 'wait', until: lastAt + 60 * MINUTE });
    const before = world.phones.messages.length;
    for (let flow = 0; flow < 30; flow++) await sendTo(id, `flow-${flow}-of-many`);
    expect(world.phones.messages.length - before).toBe(20 - before);
    world.service.clock.advance(61 * MINUTE);
    expect(await sendTo(id)).toMatchObject({ ok: true });
  });

  test('to register one number ten come in an hour, whoever asks; its owner’s own are not counted', async () => {
    await world.allow('sms');
    const id = await enrolPhone();
    for (let asked = 0; asked < 12; asked++) {
      const stranger = await world.org.newUser(`stranger${asked}@example.org`);
      await world.mfa.codes.send(world.whose('flow', stranger), { enrol: 'sms', number }, facts);
    }
    expect(world.phones.messages).toHaveLength(10);
    expect(await sendTo(id)).toMatchObject({ ok: true });
    world.service.clock.advance(61 * MINUTE);
    const late = await world.org.newUser('late@example.org');
    expect(await world.mfa.codes.send(world.whose('flow', late), { enrol: 'sms', number }, facts)).toMatchObject({
      ok: true,
    });
  });

  test('a provider that fails, or is missing, says so; the number is not registered', async () => {
    await world.allow('sms');
    world.phones.answer = { status: 500 };
    const sending = world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts);
    await expect(sending).rejects.toMatchObject({ problem: { kind: { code: 'sms_failed', status: 503 } } });
    expect(world.factors()).toEqual([]);
  });
});

describe('by mail', () => {
  test('the code goes to the address that the user has, and to no former one', async () => {
    await world.allow('email');
    await world.mfa.codes.send(world.whose(), { enrol: 'email' }, facts);
    const codeIn = (mail: string) => /\b\d{6}\b/.exec(mail)?.[0] ?? '';
    expect(world.mails.mails.at(-1)?.to).toEqual(['dora@example.org']);
    const enrolled = await world.mfa.codes.confirm(world.whose(), 'email', { code: codeIn(world.latestMail()) }, facts);
    expect(enrolled).toMatchObject({ ok: true, amr: ['otp', 'mfa'] });
    expect(world.factors()).toMatchObject([{ type: 'email', to: 'd•••@example.org' }]);
    const [{ id } = { id: '' }] = world.factors();
    world.service.clock.advance(MINUTE);
    await sendTo(id);
    const code = codeIn(world.latestMail());
    await world.org.org('PATCH', `/admin/users/${world.user.id}`, { body: { email: 'dora@example.net' } });
    expect(await verify(id, code)).toEqual(expired);
    world.service.clock.advance(MINUTE);
    await sendTo(id);
    expect(world.mails.mails.at(-1)?.to).toEqual(['dora@example.net']);
    expect(await verify(id, codeIn(world.latestMail()))).toMatchObject({ ok: true });
    world.service.clock.advance(MINUTE);
    await world.mfa.codes.send(world.whose(), { enrol: 'email' }, facts);
    const again = await world.mfa.codes.confirm(world.whose(), 'email', { code: codeIn(world.latestMail()) }, facts);
    expect(again).toEqual({ ok: false, reason: 'known' });
  });
});

test('a method that is not allowed is not registered', async () => {
  await world.allow('totp');
  await world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts);
  const confirming = world.mfa.codes.confirm(world.whose(), 'sms', { code: world.phones.code() }, facts);
  await expect(confirming).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
});

test('a user who is blocked is sent nothing', async () => {
  await world.allow('sms');
  await world.org.org('POST', `/admin/users/${world.user.id}/block`);
  expect(await world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts)).toEqual(expired);
  expect(world.phones.messages).toEqual([]);
});

test('guesses are bounded for an address, and for a user from everywhere; both pass', async () => {
  await world.settings('security', { maxLoginAttempts: 3 });
  const { app } = await world.enrolTotp();
  const from = (address: string) => ({ ...facts, clientAddress: () => address });
  const code = () => app.generate({ timestamp: world.now });
  const wrongly = () => wrongCode(app, world.now);
  const guess = (address: string, text: string) => world.mfa.totp.verify(world.whose(), text, from(address));
  for (let tried = 0; tried < 3; tried++) expect(await guess('192.0.2.1', wrongly())).toEqual(wrong);
  expect(await guess('192.0.2.1', code())).toMatchObject({ ok: false, reason: 'wait' });
  expect(await guess('192.0.2.2', code())).toMatchObject({ ok: true });
  world.service.clock.advance(MINUTE);
  for (let address = 10; address < 25; address++) await guess(`198.51.100.${address}`, wrongly());
  expect(await guess('203.0.113.1', code())).toMatchObject({ ok: false, reason: 'wait' });
  world.service.clock.advance(16 * MINUTE);
  expect(await guess('203.0.113.1', code())).toMatchObject({ ok: true });
  const failures = (await world.log()).filter(({ eventType }) => eventType === 'auth.mfa.failure');
  expect(failures.length).toBeGreaterThan(0);
});

test('what is over is swept', async () => {
  await world.allow('sms');
  await enrolPhone();
  const { store } = world.org.organization;
  const left = () => world.service.idsOf(store.name, 'factor_codes').length;
  expect(left()).toBe(2);
  await world.service.sweep();
  expect(left()).toBe(2);
  world.service.clock.advance(61 * MINUTE);
  await world.service.sweep();
  expect(left()).toBe(0);
});

test.each([
  ['+49 151 / 123-456.78', number],
  ['0049 (151) 12345678', number],
  ['+1 202 555 0123', '+12025550123'],
  ['0151 12345678', undefined],
  ['+49', undefined],
  ['+4915112345678901', undefined],
  ['+49151123x5678', undefined],
  ['', undefined],
])('the number %j is %j', (typed, expected) => {
  expect(phoneNumber(typed)).toBe(expected);
});
