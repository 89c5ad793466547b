import { describe, expect, test } from 'vitest';
import { getUser } from '../../../src/directory/records/index.ts';
import { resetMfa } from '../../../src/directory/users/changes/status.ts';
import { demandOf, graceEnd } from '../../../src/identity/mfa/records/demand.ts';
import { offeredMethods } from '../../../src/identity/mfa/records/methods.ts';
import { appOf, facts, MINUTE, mfaWorld } from './mfa-world.ts';

const world = mfaWorld();
const DAY = 24 * 60 * MINUTE;
const store = () => world.org.organization.store;
const user = () => {
  const entry = getUser(store(), world.user.id);
  if (entry === undefined) throw new Error('the user is gone');
  return entry;
};
const demand = (isProven = false) => world.service.read(() => demandOf(store(), user(), world.now, isProven));
const policy = (body: object) => world.org.tenant('PUT', '/admin/settings', { body: { mfaPolicy: body } });

describe('what a sign-in demands', () => {
  test('nothing, where nothing is required and there is no factor; the factor, where there is one', async () => {
    expect(demand()).toBe('none');
    await world.enrolTotp();
    expect(demand()).toBe('challenge');
    expect(demand(true)).toBe('none');
  });

  test('enrolment at once, where it is required and there is no grace', async () => {
    await policy({ required: true });
    expect(demand()).toBe('enrol');
    await world.enrolTotp();
    expect(demand()).toBe('challenge');
  });

  test('a period of grace runs from when it became required, for those who were there', async () => {
    world.service.clock.advance(10 * DAY);
    await policy({ required: true, gracePeriodDays: 3 });
    expect(demand()).toBe('offer');
    expect(world.service.read(() => graceEnd(store(), user()))).toBe(world.now + 3 * DAY);
    // writing it again does not begin it anew
    world.service.clock.advance(2 * DAY);
    await policy({ required: true, gracePeriodDays: 3 });
    world.service.clock.advance(DAY - 1);
    expect(demand()).toBe('offer');
    world.service.clock.advance(1);
    expect(demand()).toBe('enrol');
    await policy({ required: false });
    expect(demand()).toBe('none');
    expect(world.service.read(() => graceEnd(store(), user()))).toBeUndefined();
    await policy({ required: true });
    expect(demand()).toBe('offer');
  });

  test('and from when they came, for those who came later', async () => {
    await policy({ required: true, gracePeriodDays: 3 });
    world.service.clock.advance(10 * DAY);
    expect(demand()).toBe('enrol');
    world.user = await world.org.newUser('late@example.org');
    expect(demand()).toBe('offer');
    world.service.clock.advance(3 * DAY);
    expect(demand()).toBe('enrol');
  });

  test('a factor whose method is no longer allowed is still asked for, and another one is to follow', async () => {
    await world.enrolTotp();
    await policy({ required: true, allowedMethods: ['webauthn'] });
    expect(demand()).toBe('challenge');
    expect(demand(true)).toBe('enrol');
    await policy({ required: false, allowedMethods: ['webauthn'] });
    expect(demand()).toBe('challenge');
    expect(demand(true)).toBe('none');
  });
});

test('offered are allowed methods for which somebody delivers', async () => {
  await world.allow('sms', 'email', 'totp');
  const { dependencies } = world.mfa;
  const offered = (canSend: boolean) =>
    world.service.read(() =>
      offeredMethods(
        { mailer: dependencies.mailer, sms: canSend ? dependencies.sms : ({ canSend: () => false } as never) },
        store(),
      ),
    );
  expect(offered(true)).toEqual(['sms', 'email', 'totp']);
  expect(offered(false)).toEqual(['email', 'totp']);
});

describe('what users do with their factors', () => {
  test('rename one', async () => {
    const { factorId } = await world.enrolTotp();
    await world.mfa.own.rename(world.whose(), factorId, ' Old\tphone ', facts);
    expect(world.factors()).toMatchObject([{ name: 'Old phone' }]);
    await world.mfa.own.rename(world.whose(), factorId, '', facts);
    expect(world.factors()).toMatchObject([{ name: 'Authenticator app' }]);
    const missing = { problem: { kind: { status: 404 } } };
    await expect(world.mfa.own.rename(world.whose(), 'none', 'x', facts)).rejects.toMatchObject(missing);
  });

  test('remove them: with the last one go the recovery codes, and the record says so', async () => {
    const first = await world.enrolTotp();
    const second = await world.enrolTotp();
    expect(second.recoveryCodes).toEqual([]);
    await world.mfa.own.remove(world.whose(), first.factorId, facts);
    expect(await world.record()).toMatchObject({ mfaEnabled: true });
    await world.mfa.own.remove(world.whose(), second.factorId, facts);
    expect(await world.record()).toMatchObject({ mfaEnabled: false });
    expect(await world.mfa.recovery.verify(world.whose(), first.recoveryCodes[0] ?? '', facts)).toMatchObject({
      ok: false,
    });
    const actions = (await world.log()).map(({ eventType, action }) => `${eventType} ${action}`);
    expect(actions.filter((each) => each.startsWith('user.mfa_'))).toEqual([
      'user.mfa_disabled user.remove_factor',
      'user.mfa_enabled user.add_factor',
    ]);
    const again = await world.enrolTotp();
    expect(again.recoveryCodes).toHaveLength(10);
  });

  test('the last one stays while one is required', async () => {
    const first = await world.enrolTotp();
    const second = await world.enrolTotp();
    await policy({ required: true });
    await world.mfa.own.remove(world.whose(), first.factorId, facts);
    const removing = world.mfa.own.remove(world.whose(), second.factorId, facts);
    await expect(removing).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
    expect(world.factors()).toHaveLength(1);
  });

  test('twenty are enough', async () => {
    for (let factor = 0; factor < 20; factor++) await world.enrolTotp();
    await expect(world.enrolTotp()).rejects.toThrow(/20/);
  });
});

describe('a reset by an administrator', () => {
  test('clears all of it, says so, and the next sign-in asks for enrolment', async () => {
    const { app, recoveryCodes } = await world.enrolTotp();
    await policy({ required: true });
    const answer = await world.org.org('POST', `/admin/users/${world.user.id}/mfa/reset`);
    expect(answer.status).toBe(200);
    expect(await world.record()).toMatchObject({ mfaEnabled: false });
    expect(world.factors()).toEqual([]);
    expect(demand()).toBe('enrol');
    const code = app.generate({ timestamp: world.now });
    expect(await world.mfa.totp.verify(world.whose(), code, facts)).toMatchObject({ ok: false });
    expect(await world.mfa.recovery.verify(world.whose(), recoveryCodes[0] ?? '', facts)).toMatchObject({ ok: false });
    expect(await world.log()).toContainEqual(
      expect.objectContaining({ action: 'user.reset_mfa', eventType: 'user.mfa_disabled' }),
    );
  });

  test('and an enrolment that were planned at the same moment agree in the end', async () => {
    const { organization } = world.org;
    const anybody = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
    const { dependencies } = world.service.signIn;
    const request = { dependencies, caller: anybody, facts, reference: world.user.id, family: 'org' } as const;
    for (const order of ['enrolment first', 'reset first']) {
      const whose = world.whose();
      const offer = world.mfa.totp.offer(whose);
      const code = appOf(offer.uri).generate({ timestamp: world.now });
      const acts = [() => world.mfa.totp.confirm(whose, { token: offer.token, code }, facts), () => resetMfa(request)];
      await Promise.all((order === 'reset first' ? acts.toReversed() : acts).map((act) => act()));
      expect(await world.record(), order).toMatchObject({ mfaEnabled: world.factors().length > 0 });
    }
  });
});

test('administrators see what there is, and no secret of it', async () => {
  await world.allow('totp', 'sms');
  const { factorId } = await world.enrolTotp();
  await world.mfa.codes.send(world.whose(), { enrol: 'sms', number: '+4915112345678' }, facts);
  await world.mfa.codes.confirm(world.whose(), 'sms', { code: world.phones.code() }, facts);
  const path = `/admin/users/${world.user.id}/mfa`;
  const seen = await world.org.tenant('GET', path);
  expect(seen.status).toBe(200);
  expect(seen.at('data')).toEqual({
    factors: [
      { id: factorId, type: 'totp', name: 'Authenticator app', createdAt: expect.any(String), lastUsedAt: null },
      {
        id: expect.any(String),
        type: 'sms',
        name: 'Phone',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ],
    recoveryCodesLeft: 10,
  });
  expect((await world.org.org('GET', path)).at('data.data')).toEqual(seen.at('data'));
  const key = await world.org.newKey('roles.read');
  expect((await world.org.org('GET', path, { key })).status).toBe(403);
  expect((await world.org.org('GET', '/admin/users/nobody/mfa')).status).toBe(404);
});

test('a user who is deleted takes the factors along', async () => {
  await world.enrolTotp();
  expect(world.service.idsOf(store().name, 'user_factors')).toHaveLength(1);
  await world.org.org('DELETE', `/admin/users/${world.user.id}`);
  expect(world.service.idsOf(store().name, 'user_factors')).toEqual([]);
});
