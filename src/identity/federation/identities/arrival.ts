import { countsNow, findUserByEmail, getUser, type UserEntry, userSubject } from '../../../directory/records/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { missingSystemPermission, type RightCheck } from '../../../kernel/rights/index.ts';
import type { ProviderEntry } from '../../providers/index.ts';
import { isOneDirectory } from '../upstreams/microsoft.ts';
import type { ExternalIdentity } from '../upstreams/upstream.ts';
import { findIdentity, IDENTITIES_MAX, type IdentityEntry, identitiesOf } from './identity-record.ts';

/** Who it is that has come through a provider, as far as the organization is concerned. */
export type Arrival =
  | { readonly kind: 'known'; readonly entry: IdentityEntry; readonly user: UserEntry }
  /** The user with the address, as whom the organization lets them in: see `mayBeFound`. */
  | { readonly kind: 'found'; readonly user: UserEntry }
  | { readonly kind: 'new'; readonly email: string }
  /** The address may be anybody's: nobody is told whether an account has it. */
  | { readonly kind: 'confirm_first' }
  /** An account has the address, and only its user can say that both are one. */
  | { readonly kind: 'link_first' }
  | { readonly kind: 'no_signup' }
  | { readonly kind: 'no_email' };

export interface ArrivalQuestion {
  readonly organization: Organization;
  readonly rights: RightCheck;
  readonly provider: ProviderEntry;
  readonly identity: ExternalIdentity;
  readonly now: number;
}

/** To be called inside `Engine.read`. */
export function whoHasCome(question: ArrivalQuestion): Arrival {
  const { organization, provider, identity } = question;
  const { store } = organization;
  const entry = findIdentity(store, provider.id, identity);
  const known = entry && getUser(store, entry.document.userId);
  if (entry !== undefined && known !== undefined) return { kind: 'known', entry, user: known };
  if (identity.email === undefined) return { kind: 'no_email' };
  const { allowSignup } = provider.document;
  if (isAnybodys(question)) return { kind: allowSignup ? 'confirm_first' : 'no_signup' };
  const user = findUserByEmail(store, identity.email);
  if (user === undefined) return allowSignup ? { kind: 'new', email: identity.email } : { kind: 'no_signup' };
  if (mayBeFound(question, user)) return { kind: 'found', user };
  // an address that anybody can claim must not be a way to ask which accounts there are
  return identity.emailVerified || allowSignup ? { kind: 'link_first' } : { kind: 'no_signup' };
}

/**
 * Whether the address may be somebody else's: the provider says that it is not verified, or has not verified it and
 * accepts everybody. Directories and issuers that the organization has chosen know whom they give an account.
 */
function isAnybodys({ provider: { document }, identity }: ArrivalQuestion): boolean {
  if (identity.emailVerified) return false;
  const isChosen = document.type === 'saml' || document.type === 'oidc' || isOneDirectory(document);
  return identity.isEmailUnverified || !isChosen;
}

/**
 * Whether an address alone makes somebody a user: it was verified there and here, the provider is believed about its
 * domain, the organization wants it so, and the user does not administer. Who already has an identity there is not
 * found again: addresses are given to the next one who bears the name.
 */
function mayBeFound({ organization, rights, provider, identity, now }: ArrivalQuestion, user: UserEntry): boolean {
  const { store } = organization;
  const { emailVerified, isTrustedForEmail } = identity;
  if (!provider.document.autoLinkUsers || !emailVerified || !isTrustedForEmail) return false;
  if (!user.document.emailVerified || !countsNow(user.document)) return false;
  const others = identitiesOf(store, user.id);
  if (others.length >= IDENTITIES_MAX || others.some(({ document }) => document.providerId === provider.id))
    return false;
  // whoever holds nothing but what everybody holds
  const nobody = userSubject(`nobody-${provider.id}`);
  const question = { organization, rights, subject: nobody, now };
  return missingSystemPermission(question, userSubject(user.id)) === undefined;
}
