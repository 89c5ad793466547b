import type { Store } from '#engine';
import { type UserEntry, userSubject } from '../../../directory/records/index.ts';
import { type IdentityClaims, identityClaims } from '../tokens/identity-claims.ts';

type Source = (user: UserEntry, given: () => IdentityClaims) => unknown;

/** Where each claim comes from. What the record does not have is left out. */
const sources: Readonly<Record<string, Source>> = {
  name: ({ document }) => document.name,
  family_name: ({ document }) => document.familyName,
  given_name: ({ document }) => document.givenName,
  preferred_username: ({ document }) => document.username,
  picture: ({ document }) => document.picture,
  zoneinfo: ({ document }) => document.zoneinfo,
  locale: ({ document }) => document.locale?.replaceAll('_', '-'),
  updated_at: ({ document }) => Math.floor(document.updatedAt / 1000),
  email: ({ document }) => document.email,
  email_verified: ({ document }) => document.emailVerified,
  phone_number: ({ document }) => document.phoneNumber,
  address: ({ document }) => addressOf(document.metadata.address),
  roles: (_, given) => listed(given(), 'roles'),
  groups: (_, given) => listed(given(), 'groups'),
};

/** Members of the address claim (OpenID Connect Core, 5.1.1). */
const addressMembers = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country'] as const;

/**
 * These claims about a user, as the records are now; `overage` names those that are too long to be told, as in access
 * tokens. To be called inside `Engine.read`.
 */
export function userClaims(
  store: Store,
  user: UserEntry,
  names: Iterable<string>,
  now: number,
): Record<string, unknown> {
  let found: IdentityClaims | undefined;
  const given = () => {
    found ??= identityClaims(store, userSubject(user.id), now);
    return found;
  };
  const claims: Record<string, unknown> = {};
  const asked = [...names];
  for (const name of asked) {
    const value = Object.hasOwn(sources, name) ? sources[name]?.(user, given) : undefined;
    if (value !== undefined) claims[name] = value;
  }
  const overage = found?.overage?.filter((name) => asked.includes(name)) ?? [];
  return overage.length === 0 ? claims : { ...claims, overage };
}

/** As access tokens have them: left out where there are too many. */
function listed(claims: IdentityClaims, name: 'roles' | 'groups'): readonly string[] | undefined {
  return claims.overage?.includes(name) ? undefined : (claims[name] ?? []);
}

/** An address that the organization keeps among the user's attributes. */
function addressOf(kept: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const members = addressMembers.flatMap((name) => {
    const value = (kept as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
