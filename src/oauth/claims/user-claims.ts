import type { Store } from '#engine';
import { slugsOf, type UserEntry, userSubject } from '../../directory/index.ts';

/** Most slugs in a claim; who has more is told so by the endpoints of decisions. */
const SLUGS_MAX = 200;

type Source = (user: UserEntry, store: Store) => unknown;

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
  roles: ({ id }, store) => slugsOf(store, userSubject(id), 'role').slice(0, SLUGS_MAX),
  groups: ({ id }, store) => slugsOf(store, userSubject(id), 'group').slice(0, SLUGS_MAX),
};

/** Members of the address claim (OpenID Connect Core, 5.1.1). */
const addressMembers = ['formatted', 'street_address', 'locality', 'region', 'postal_code', 'country'] as const;

/** These claims about a user, as the records are now. To be called inside `Engine.read`. */
export function userClaims(store: Store, user: UserEntry, names: Iterable<string>): Record<string, unknown> {
  const claims: Record<string, unknown> = {};
  for (const name of names) {
    const value = Object.hasOwn(sources, name) ? sources[name]?.(user, store) : undefined;
    if (value !== undefined) claims[name] = value;
  }
  return claims;
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
