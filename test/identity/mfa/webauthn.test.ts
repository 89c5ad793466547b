import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { facts, MINUTE, mfaWorld } from './mfa-world.ts';
import { type AuthenticatorOptions, type Deviation, SoftwareAuthenticator } from './software-authenticator.ts';

const origin = 'https://id.example.test';
const world = mfaWorld({ RELATA_BASE_URL: `${origin}/auth` });
const wrong = { ok: false, reason: 'wrong' };
const expired = { ok: false, reason: 'expired' };
const key = (options: Partial<AuthenticatorOptions> = {}) => new SoftwareAuthenticator({ origin, ...options });

async function register(authenticator: SoftwareAuthenticator, deviation: Deviation = {}, whose = world.whose()) {
  const options = await world.mfa.registrations.options(whose);
  const answer = authenticator.create(options, deviation);
  return world.mfa.registrations.confirm(whose, { answer, name: 'My key' }, facts);
}

async function registered(options: Partial<AuthenticatorOptions> = {}): Promise<SoftwareAuthenticator> {
  const authenticator = key(options);
  const enrolled = await register(authenticator);
  if (!enrolled.ok) throw new Error(enrolled.reason);
  return authenticator;
}

async function prove(authenticator: SoftwareAuthenticator, deviation: Deviation = {}, whose = world.whose()) {
  const options = await world.mfa.assertions.options(whose);
  return world.mfa.assertions.verify(whose, authenticator.get(options, deviation), facts);
}

async function signIn(authenticator: SoftwareAuthenticator, deviation: Deviation = {}, org = world.org) {
  const anybody = { organization: org.organization, binding: 'flow-1' };
  const options = await world.mfa.assertions.signInOptions(anybody);
  return world.mfa.assertions.signIn(anybody, authenticator.get(options, deviation), facts);
}

describe('registration', () => {
  test('asks for a key for this host, user and organization, without attestation', async () => {
    const options = await world.mfa.registrations.options(world.whose());
    expect(options).toMatchObject({
      rp: { id: 'id.example.test', name: world.org.organization.slug },
      user: { id: Buffer.from(world.user.id).toString('base64url'), name: 'dora@example.org' },
      attestation: 'none',
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
  });

  test('makes a factor; several keys are several factors, and one that is known is excluded', async () => {
    const first = await registered();
    expect(world.factors()).toMatchObject([{ type: 'webauthn', name: 'My key' }]);
    expect(await world.record()).toMatchObject({ mfaEnabled: true });
    const options = await world.mfa.registrations.options(world.whose());
    const [credential] = first.credentials;
    expect(options.excludeCredentials).toMatchObject([
      { id: credential?.id.toString('base64url'), transports: ['usb'] },
    ]);
    expect(await register(key({ counts: false }))).toMatchObject({ ok: true, amr: ['swk', 'user', 'mfa'] });
    expect(world.factors()).toHaveLength(2);
  });

  test('where the organization allows another factor alone, a key proves nobody, and still opens by itself', async () => {
    const authenticator = await registered();
    await world.enrolTotp();
    await world.allow('totp');
    const { allowCredentials, ...options } = world.mfa.assertions.options(world.whose());
    expect(allowCredentials).toEqual([]);
    expect(await world.mfa.assertions.verify(world.whose(), authenticator.get(options), facts)).toEqual(wrong);
    expect(await signIn(authenticator)).toMatchObject({ ok: true });
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example.test' }],
    ['the origin with another port', { origin: `${origin}:8443` }],
    ['the origin without encryption', { origin: 'http://id.example.test' }],
    ['another host', { rpId: 'example.test' }],
    ['another challenge', { challenge: Buffer.from('s1.other').toString('base64url') }],
    ['an answer to another question', { type: 'webauthn.get' }],
    ['nobody present', { userPresent: false }],
  ])('%s is refused', async (_, deviation) => {
    expect(await register(key(), deviation)).toEqual(wrong);
    expect(world.factors()).toEqual([]);
  });

  test('an attestation was not asked for: certificates are refused unread, the key’s own signature is harmless', async () => {
    expect(await register(key(), { attestation: 'fido-u2f' })).toEqual(wrong);
    expect(world.factors()).toEqual([]);
    expect(await register(key(), { attestation: 'packed' })).toMatchObject({ ok: true });
  });

  test('an answer is good once, in its flow, for its user, in its organization, for a while', async () => {
    const whose = world.whose();
    const authenticator = key();
    const answer = authenticator.create(await world.mfa.registrations.options(whose));
    const other = await world.org.newUser('eve@example.org');
    const stranger = await world.service.organization(`${world.org.organization.slug}-other`);
    const confirm = (at = whose) => world.mfa.registrations.confirm(at, { answer }, facts);
    expect(await confirm(world.whose('flow-2'))).toEqual(wrong);
    expect(await confirm(world.whose('flow-1', other))).toEqual(wrong);
    expect(await confirm(world.whose('flow-1', world.user, stranger))).toEqual(wrong);
    const all = await Promise.all(Array.from({ length: 20 }, () => confirm()));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await confirm()).toEqual(expired);
    const late = authenticator.create(await world.mfa.registrations.options(whose));
    world.service.clock.advance(10 * MINUTE);
    expect(await world.mfa.registrations.confirm(whose, { answer: late }, facts)).toEqual(wrong);
    expect(world.factors()).toHaveLength(1);
  });

  test('an answer for a second key is good once, too', async () => {
    await registered();
    const answer = key().create(await world.mfa.registrations.options(world.whose()));
    const confirm = () => world.mfa.registrations.confirm(world.whose(), { answer }, facts);
    expect(await confirm()).toMatchObject({ ok: true });
    expect(await confirm()).toEqual(expired);
  });

  test('of the ways to reach a key, those are kept that browsers know', async () => {
    const transports = ['ble', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
    await registered({ transports: ['pigeon', ...transports] });
    expect((await world.mfa.registrations.options(world.whose())).excludeCredentials).toMatchObject([{ transports }]);
    expect(world.mfa.assertions.options(world.whose()).allowCredentials).toMatchObject([{ transports }]);
  });

  test.each(['', '{}', 'null', '[]', '{"id":1}', 'x'.repeat(20_000), '{"id":"a","rawId":"a","type":"public-key"}'])(
    'what is no answer is refused: %j',
    async (answer) => {
      expect(await world.mfa.registrations.confirm(world.whose(), { answer }, facts)).toEqual(wrong);
      expect(await world.mfa.assertions.verify(world.whose(), answer, facts)).toEqual(wrong);
      const anybody = { organization: world.org.organization, binding: 'flow-1' };
      expect(await world.mfa.assertions.signIn(anybody, answer, facts)).toEqual(wrong);
    },
  );

  test('where biometrics are off, what is part of the device is refused, and is no way in any more', async () => {
    const builtIn = await registered({ attachment: 'platform' });
    expect(await signIn(builtIn)).toMatchObject({ ok: true });
    await world.settings('auth', { passwordless: { biometric_enabled: false } });
    expect(await signIn(builtIn)).toEqual(wrong);
    const refusal = { problem: { kind: { status: 422 } } };
    await expect(register(key({ attachment: 'platform' }))).rejects.toMatchObject(refusal);
    const options = await world.mfa.registrations.options(world.whose());
    expect(options.authenticatorSelection).toMatchObject({ authenticatorAttachment: 'cross-platform' });
    const external = await registered();
    expect(await signIn(external)).toMatchObject({ ok: true });
    // beside a password both are a second factor as before
    for (const each of [builtIn, external]) expect(await prove(each)).toMatchObject({ ok: true });
  });
});

describe('after a password', () => {
  test('a registered key proves its user; its counter and backup state are kept', async () => {
    const authenticator = await registered();
    const options = await world.mfa.assertions.options(world.whose());
    expect(options).toMatchObject({ rpId: 'id.example.test', userVerification: 'preferred' });
    expect(options.allowCredentials).toHaveLength(1);
    expect(await prove(authenticator)).toEqual({ ok: true, amr: ['hwk', 'user', 'mfa'] });
    expect(await prove(authenticator, { userVerified: false })).toMatchObject({ ok: true });
    const [factor] = world.factors();
    expect(factor?.lastUsedAt).toBe(world.now);
  });

  test('of a user who has no key none is asked for, and none proves them', async () => {
    const whose = world.whose('flow-1', await world.org.newUser('eve@example.org'));
    const { allowCredentials, ...options } = world.mfa.assertions.options(whose);
    expect(allowCredentials).toEqual([]);
    const answer = (await registered()).get(options);
    expect(await world.mfa.assertions.verify(whose, answer, facts)).toEqual(wrong);
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'https://evil.example.test' }],
    ['another host', { rpId: 'evil.example.test' }],
    ['another challenge', { challenge: Buffer.from('s1.other').toString('base64url') }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['nobody present', { userPresent: false }],
    ['another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('%s is refused', async (_, deviation) => {
    const authenticator = await registered();
    expect(await prove(authenticator, deviation)).toEqual(wrong);
    expect(await signIn(authenticator, deviation)).toEqual(wrong);
  });

  test('a counter that does not grow is refused and put on record: there are two of the key', async () => {
    const authenticator = await registered();
    expect(await prove(authenticator, { counter: 5 })).toMatchObject({ ok: true });
    expect(await prove(authenticator, { counter: 5 })).toEqual(wrong);
    expect(await prove(authenticator, { counter: 4 })).toEqual(wrong);
    expect(await prove(authenticator, { counter: 0 })).toEqual(wrong);
    expect(await signIn(authenticator, { counter: 3 })).toEqual(wrong);
    expect(await prove(authenticator, { counter: 6 })).toMatchObject({ ok: true });
    const failed = (await world.log()).find(({ eventType }) => eventType === 'auth.mfa.failure');
    expect(failed?.metadata).toMatchObject({ type: 'webauthn', counter: 'did not grow' });
  });

  test('of two answers with one count at the same moment, one is taken', async () => {
    const authenticator = await registered();
    for (let counter = 1; counter < 6; counter++) {
      const all = await Promise.all(Array.from({ length: 8 }, () => prove(authenticator, { counter })));
      expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    }
  });

  test('a key that does not count is taken again and again', async () => {
    const authenticator = await registered({ counts: false });
    expect(await prove(authenticator)).toMatchObject({ ok: true });
    expect(await prove(authenticator)).toMatchObject({ ok: true });
  });

  test('an answer is good once, in its flow, for its user', async () => {
    const authenticator = await registered({ counts: false });
    const other = await world.org.newUser('eve@example.org');
    await register(key(), {}, world.whose('flow-1', other));
    const whose = world.whose();
    const answer = authenticator.get(await world.mfa.assertions.options(whose));
    const verify = (at = whose) => world.mfa.assertions.verify(at, answer, facts);
    expect(await verify(world.whose('flow-2'))).toEqual(wrong);
    expect(await verify(world.whose('flow-1', other))).toEqual(wrong);
    const all = await Promise.all(Array.from({ length: 20 }, () => verify()));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await verify()).toEqual(expired);
  });

  test('an answer for another purpose is refused', async () => {
    const authenticator = await registered();
    const anybody = { organization: world.org.organization, binding: 'flow-1' };
    const asked = await world.mfa.assertions.signInOptions(anybody);
    expect(await world.mfa.assertions.verify(world.whose(), authenticator.get(asked), facts)).toEqual(wrong);
    const proof = await world.mfa.assertions.options(world.whose());
    expect(await world.mfa.assertions.signIn(anybody, authenticator.get(proof), facts)).toEqual(wrong);
  });
});

describe('in place of a password', () => {
  test('a passkey says whose it is, and is two factors', async () => {
    const authenticator = await registered();
    expect(await signIn(authenticator)).toEqual({ ok: true, amr: ['hwk', 'user', 'mfa'], userId: world.user.id });
  });

  test('the authenticator must have verified its user', async () => {
    const authenticator = await registered();
    expect(await signIn(authenticator, { userVerified: false })).toEqual(wrong);
  });

  test('a passkey opens no other user, and nothing in another organization', async () => {
    const authenticator = await registered();
    const other = await world.org.newUser('eve@example.org');
    const handle = (text: string) => ({ userHandle: Buffer.from(text).toString('base64url') });
    for (const text of [other.id, '', 'nobody', '../x', '\u0000', 'x'.repeat(70)]) {
      expect(await signIn(authenticator, handle(text))).toEqual(wrong);
    }
    const stranger = await world.service.organization(`${world.org.organization.slug}-other`);
    expect(await signIn(authenticator, {}, stranger)).toEqual(wrong);
    await stranger.newUser('dora@example.org');
    expect(await signIn(authenticator, {}, stranger)).toEqual(wrong);
  });

  test('a key that does not say whose it is opens nobody', async () => {
    const authenticator = await registered();
    const anybody = { organization: world.org.organization, binding: 'flow-1' };
    const sent = JSON.parse(authenticator.get(await world.mfa.assertions.signInOptions(anybody)));
    delete sent.response.userHandle;
    expect(await world.mfa.assertions.signIn(anybody, JSON.stringify(sent), facts)).toEqual(wrong);
  });

  test('a user who registers somebody’s credential under their own name gets nothing of theirs', async () => {
    const authenticator = await registered();
    const thief = await world.org.newUser('eve@example.org');
    const [victim] = authenticator.credentials;
    const own = key();
    await register(own, {}, world.whose('flow-1', thief));
    const [stolen] = own.credentials;
    Object.assign(stolen as object, { userHandle: victim?.userHandle });
    expect(await signIn(own)).toEqual(wrong);
  });

  test('where passkeys are off, none is taken', async () => {
    const authenticator = await registered();
    await world.settings('auth', { passwordless: { passkey_enabled: false } });
    expect(await signIn(authenticator)).toEqual(expired);
    expect(await prove(authenticator)).toMatchObject({ ok: true });
  });

  test('of 20 who send one answer at once, one gets in', async () => {
    const authenticator = await registered({ counts: false });
    const anybody = { organization: world.org.organization, binding: 'flow-1' };
    const answer = authenticator.get(await world.mfa.assertions.signInOptions(anybody));
    const all = await Promise.all(
      Array.from({ length: 20 }, () => world.mfa.assertions.signIn(anybody, answer, facts)),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('a factor that was removed opens nothing', async () => {
    const authenticator = await registered();
    const [{ id } = { id: '' }] = world.factors();
    await world.mfa.own.remove(world.whose(), id, facts);
    expect(await signIn(authenticator)).toEqual(wrong);
    expect(await world.record()).toMatchObject({ mfaEnabled: false });
  });
});
