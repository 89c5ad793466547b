import type { Store } from '#engine';
import type { UserEntry } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { factorRecords, passwordState } from '../../../directory/users/index.ts';
import { usableProviders } from '../../providers/index.ts';
import { identitiesOf } from './identity-record.ts';

/**
 * Whether a user could still sign in without one of the identities: by a password, a passkey, a link in mail, or through
 * another provider. To be called inside `Engine.read`.
 */
export function hasAnotherWayIn(store: Store, { id, document }: UserEntry, withoutIdentity: string): boolean {
  const { signIn } = readSettings(store);
  const usable = new Set(usableProviders(store).map((provider) => provider.id));
  const byPassword = signIn.allowPassword && !signIn.magicLinksOnly && passwordState(store, id).hasPassword;
  const byLink = signIn.magicLinks && document.emailVerified;
  const byPasskey =
    signIn.allowPasskeys &&
    (factorRecords.get(store, id)?.document.factors ?? []).some(({ type }) => type === 'webauthn');
  const byProvider = identitiesOf(store, id).some(
    (entry) => entry.id !== withoutIdentity && usable.has(entry.document.providerId),
  );
  return byPassword || byLink || byPasskey || byProvider;
}
