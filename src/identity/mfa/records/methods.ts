import type { Store } from '#engine';
import { readSettings, type Settings } from '../../../directory/settings/index.ts';
import type { Factor } from '../../../directory/users/index.ts';
import type { MfaDependencies } from '../dependencies.ts';

export type Method = Settings['mfa']['methods'][number];

/** Means of proof in ID tokens (RFC 8176). There is none for codes in mail. */
export const meansOf: Readonly<Record<Exclude<Method, 'webauthn'>, readonly string[]>> = {
  totp: ['otp', 'mfa'],
  sms: ['sms', 'mfa'],
  email: ['otp', 'mfa'],
};

/** The methods that users may register now: allowed, and with somebody to deliver where something is delivered. */
export function offeredMethods({ mailer, sms }: Pick<MfaDependencies, 'mailer' | 'sms'>, store: Store): Method[] {
  const { methods } = readSettings(store).mfa;
  const works: Readonly<Record<Method, () => boolean>> = {
    totp: () => true,
    webauthn: () => true,
    sms: () => sms.canSend(store),
    email: () => mailer.canSend(store),
  };
  return methods.filter((method) => works[method]());
}

/**
 * The factors that a user may be asked for. One whose method the organization has stopped to allow is better than
 * nothing, and is asked for while there is no other.
 */
export function usableFactors(store: Store, factors: readonly Factor[]): readonly Factor[] {
  const allowed = allowedFactors(store, factors);
  return allowed.length > 0 ? allowed : factors;
}

export function allowedFactors(store: Store, factors: readonly Factor[]): readonly Factor[] {
  const { methods } = readSettings(store).mfa;
  return factors.filter(({ type }) => methods.includes(type));
}
