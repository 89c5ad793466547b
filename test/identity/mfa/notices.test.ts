import { expect, test, vi } from 'vitest';
import { facts, mfaWorld, wrongCode } from './mfa-world.ts';

const world = mfaWorld();
const subjects = () => world.mails.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim());
const hearsOf = (subject: string) => vi.waitFor(() => expect(subjects()).toContain(subject), { timeout: 60_000 });

test('a user hears by mail of what is done with the factors', async () => {
  const { factorId, recoveryCodes } = await world.enrolTotp();
  await hearsOf('Two-step verification was added to your account');
  await world.mfa.recovery.verify(world.whose(), recoveryCodes[0] ?? '', facts);
  await hearsOf('A recovery code was used to sign in');
  await world.mfa.recovery.regenerate(world.whose(), facts);
  await hearsOf('New recovery codes were created');
  await world.mfa.own.remove(world.whose(), factorId, facts);
  await hearsOf('A second step was removed from your account');
  expect(world.mails.mails.every(({ to }) => to.includes('dora@example.org'))).toBe(true);
});

test('a user hears that somebody guesses at the second factor, once for each time that stops it', async () => {
  const { app } = await world.enrolTotp();
  for (let time = 0; time < 12; time++) await world.mfa.totp.verify(world.whose(), wrongCode(app, world.now), facts);
  const subject = 'Incorrect codes were entered for your account';
  await hearsOf(subject);
  expect(subjects().filter((each) => each === subject)).toHaveLength(1);
});

test('events say that there is a factor, and that there is none any more', async () => {
  const before = world.org.lastEvent();
  const { factorId } = await world.enrolTotp();
  await world.enrolTotp();
  const [other] = world.factors().slice(-1);
  await world.mfa.own.remove(world.whose(), factorId, facts);
  await world.mfa.own.remove(world.whose(), other?.id ?? '', facts);
  await world.enrolTotp();
  await world.org.org('POST', `/admin/users/${world.user.id}/mfa/reset`);
  const told = world.org.eventsAfter(before).filter(({ type }) => /^user\.mfa_(?:en|dis)abled$/.test(type));
  const types = ['user.mfa_enabled', 'user.mfa_disabled', 'user.mfa_enabled', 'user.mfa_disabled'];
  expect(told.map(({ type }) => type)).toEqual(types);
  expect(told.every(({ data }) => data.userId === world.user.id)).toBe(true);
});
