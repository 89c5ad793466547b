import { readSettings } from '../../../directory/settings/index.ts';
import { type Method, offeredMethods } from '../../mfa/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';

/** What may be added: as a second factor, or, a passkey, in place of a password. To be called inside `Engine.read`. */
export function addable(
  dependencies: AccountDependencies,
  { organization: { store } }: Pick<AccountVisit, 'organization'>,
): Method[] {
  const offered = offeredMethods(dependencies.mfa.dependencies, store);
  const { allowPasskeys } = readSettings(store).signIn;
  return allowPasskeys && !offered.includes('webauthn') ? [...offered, 'webauthn'] : offered;
}
