import { expect, test } from 'vitest';
import { readRecoveryCode } from '../../../src/identity/mfa/recovery/recovery-codes.ts';
import { appOf, facts, MINUTE, mfaWorld } from './mfa-world.ts';

const world = mfaWorld();
const codeOf = (app: { generate(at: { timestamp: number }): string }, offset = 0) =>
  app.generate({ timestamp: world.now + offset });

test('a code of the application makes it a factor, and the user’s record says so', async () => {
  expect(await world.record()).toMatchObject({ mfaEnabled: false });
  const offer = world.offer(world.whose());
  const url = new URL(offer.uri);
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('dora@example.org');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: world.org.organization.slug,
    secret: offer.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
  const confirmed = await world.mfa.totp.confirm(
    world.whose(),
    { token: offer.token, code: codeOf(appOf(offer.uri)), name: ' my \n phone ' },
    facts,
  );
  expect(confirmed).toMatchObject({ ok: true, amr: ['otp', 'mfa'] });
  expect(await world.record()).toMatchObject({ mfaEnabled: true });
  expect(world.factors()).toMatchObject([{ type: 'totp', name: 'my phone' }]);
  const [entry] = (await world.log()).filter(({ eventType }) => eventType === 'user.mfa_enabled');
  expect(entry).toMatchObject({ action: 'user.add_factor', metadata: { type: 'totp' } });
  expect(world.service.everythingStored()).not.toContain(offer.secret);
});

test('a wrong code, another flow, another user, another organization, or a late one make none', async () => {
  const offer = world.offer(world.whose());
  const app = appOf(offer.uri);
  const confirm = (whose = world.whose(), code = codeOf(app), token = offer.token) =>
    world.mfa.totp.confirm(whose, { token, code }, facts);
  const wrong = { ok: false, reason: 'wrong' };
  const expired = { ok: false, reason: 'expired' };
  for (const code of ['', '12345', 'abcdef', '1234567', 'x'.repeat(1000), codeOf(app, 10 * MINUTE)]) {
    expect(await confirm(world.whose(), code)).toEqual(wrong);
  }
  const other = await world.org.newUser('eve@example.org');
  const stranger = await world.service.organization(`${world.org.organization.slug}-other`);
  expect(await confirm(world.whose('flow-2'))).toEqual(expired);
  expect(await confirm(world.whose('flow-1', other))).toEqual(expired);
  expect(await confirm(world.whose('flow-1', world.user, stranger))).toEqual(expired);
  expect(await confirm(world.whose(), codeOf(app), `${offer.token.slice(0, -2)}AA`)).toEqual(expired);
  expect(await confirm(world.whose(), codeOf(app), 'x'.repeat(5000))).toEqual(expired);
  world.service.clock.advance(31 * MINUTE);
  expect(await confirm(world.whose(), codeOf(app))).toEqual(expired);
  expect(world.factors()).toEqual([]);
  expect(await world.record()).toMatchObject({ mfaEnabled: false });
});

test('each step is good once, also for the one that registered the factor; none before it is good', async () => {
  const whose = world.whose();
  const offer = world.offer(whose);
  const app = appOf(offer.uri);
  const first = codeOf(app);
  const { token } = offer;
  expect(await world.mfa.totp.confirm(whose, { token, code: first }, facts)).toMatchObject({ ok: true });
  const verify = (code: string) => world.mfa.totp.verify(whose, code, facts);
  expect(await verify(first)).toEqual({ ok: false, reason: 'wrong' });
  const next = codeOf(app, 30_000);
  expect(await verify(next)).toEqual({ ok: true, amr: ['otp', 'mfa'] });
  expect(await verify(next)).toEqual({ ok: false, reason: 'wrong' });
  expect(await verify(first)).toEqual({ ok: false, reason: 'wrong' });
  world.service.clock.advance(MINUTE);
  expect(await verify(codeOf(app, -30_000))).toMatchObject({ ok: false }); // the step of `next`
  expect(await verify(codeOf(app))).toMatchObject({ ok: true });
  world.service.clock.advance(10 * MINUTE);
  expect(await verify(codeOf(app, -60_000))).toMatchObject({ ok: false });
  expect(await verify(codeOf(app, 60_000))).toMatchObject({ ok: false });
  expect(await verify(` ${codeOf(app).slice(0, 3)} ${codeOf(app).slice(3)} `)).toMatchObject({ ok: true });
});

test('one secret is one factor: of 20 who confirm it at once, one does', async () => {
  const whose = world.whose();
  const { token, uri } = world.offer(whose);
  const code = codeOf(appOf(uri));
  const all = await Promise.all(
    Array.from({ length: 20 }, () => world.mfa.totp.confirm(whose, { token, code }, facts)),
  );
  expect(all.filter(({ ok }) => ok)).toHaveLength(1);
  expect(all.filter((each) => !each.ok && each.reason === 'known')).toHaveLength(19);
  world.service.clock.advance(MINUTE);
  const again = await world.mfa.totp.confirm(whose, { token, code: codeOf(appOf(uri)) }, facts);
  expect(again).toEqual({ ok: false, reason: 'known' });
  expect(world.factors()).toHaveLength(1);
});

test('of 20 who use one code at once, one gets in', async () => {
  const { app } = await world.enrolTotp();
  await world.settings('security', { maxLoginAttempts: 100 });
  const code = codeOf(app);
  const all = await Promise.all(Array.from({ length: 20 }, () => world.mfa.totp.verify(world.whose(), code, facts)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(1);
});

test('a recovery code is good once, however it is typed, and for its user alone', async () => {
  const { recoveryCodes } = await world.enrolTotp();
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/);
  const left = () => world.service.read(() => world.mfa.recovery.left(world.org.organization.store, world.user.id));
  const verify = (code = '', user = world.user) => world.mfa.recovery.verify(world.whose('f', user), code, facts);
  const other = await world.org.newUser('eve@example.org');
  await world.enrolTotp(world.whose('f', other));
  expect(await verify(recoveryCodes[0], other)).toMatchObject({ ok: false });
  const [first = '', second = ''] = recoveryCodes;
  expect(await verify(first.toLowerCase().replaceAll('-', ' '))).toMatchObject({ ok: true });
  expect(await verify(first)).toEqual({ ok: false, reason: 'wrong' });
  expect(left()).toBe(9);
  const all = await Promise.all(Array.from({ length: 20 }, () => verify(second)));
  expect(all.filter(({ ok }) => ok)).toHaveLength(1);
  expect(left()).toBe(8);
  expect(await verify('')).toMatchObject({ ok: false });
  expect(await verify('x'.repeat(1000))).toMatchObject({ ok: false });
  for (const code of recoveryCodes) expect(world.service.everythingStored()).not.toContain(code.replaceAll('-', ''));
  expect(readRecoveryCode('oooo-iiii-llll')).toBe('000011111111');
});

test('new recovery codes end those before them; without a factor there are none', async () => {
  await expect(world.mfa.recovery.regenerate(world.whose(), facts)).rejects.toThrow(/set up a second step/);
  const { recoveryCodes } = await world.enrolTotp();
  const fresh = await world.mfa.recovery.regenerate(world.whose(), facts);
  expect(fresh).toHaveLength(10);
  const verify = (code = '') => world.mfa.recovery.verify(world.whose(), code, facts);
  expect(await verify(recoveryCodes[3])).toMatchObject({ ok: false });
  expect(await verify(fresh[3])).toMatchObject({ ok: true });
});
