import { expect, test } from 'vitest';
import { Lockout } from '../../../src/identity/limits/index.ts';
import { Mfa } from '../../../src/identity/mfa/index.ts';
import { facts, MINUTE, mfaWorld } from './mfa-world.ts';

const world = mfaWorld();

const AT_ONCE = 5;

/** Lets no attempt go on before all are counted: they look at one state of the factors, as those of several threads do. */
class LockoutForAll extends Lockout {
  #goOn = (): void => {};
  readonly #allCounted = new Promise<void>((resolve) => {
    this.#goOn = resolve;
  });
  #counted = 0;

  override async begin(...[organization, attempt]: Parameters<Lockout['begin']>): Promise<number | undefined> {
    const until = await super.begin(organization, attempt);
    // counted for its address first, and then for its user from everywhere
    if (attempt.address !== '') return until;
    this.#counted++;
    if (this.#counted === AT_ONCE) this.#goOn();
    await this.#allCounted;
    return until;
  }
}

/** Each hands out a code that is good once, and answers how it is used. */
const codes: Readonly<Record<string, () => Promise<(mfa: Mfa) => Promise<{ readonly ok: boolean }>>>> = {
  'a recovery code': async () => {
    const [code = ''] = (await world.enrolTotp()).recoveryCodes;
    return (mfa) => mfa.recovery.verify(world.whose(), code, facts);
  },
  'a code of an application': async () => {
    const { app } = await world.enrolTotp();
    const code = app.generate({ timestamp: world.now });
    return (mfa) => mfa.totp.verify(world.whose(), code, facts);
  },
  'a code that was sent': async () => {
    await world.allow('sms');
    const number = '+4915112345678';
    await world.mfa.codes.send(world.whose(), { enrol: 'sms', number }, facts);
    await world.mfa.codes.confirm(world.whose(), 'sms', { code: world.phones.code() }, facts);
    world.service.clock.advance(MINUTE);
    const [{ id } = { id: '' }] = world.factors();
    await world.mfa.codes.send(world.whose(), { prove: id }, facts);
    const code = world.phones.code();
    return (mfa) => mfa.codes.verify(world.whose(), id, code, facts);
  },
};

test.each(Object.keys(codes))('%s is good once, for however many threads that look at it at once', async (name) => {
  await world.settings('security', { maxLoginAttempts: 100 });
  const use = await codes[name]?.();
  const { dependencies } = world.mfa;
  const mfa = new Mfa({ ...dependencies, lockout: new LockoutForAll(dependencies) });
  const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => use?.(mfa)));
  expect(outcomes.filter((outcome) => outcome?.ok)).toHaveLength(1);
});
