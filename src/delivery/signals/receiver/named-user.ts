import { z } from 'zod';
import type { Store } from '#engine';
import { findUserByEmail, getUser, type UserEntry } from '../../../directory/records/index.ts';
import { findIdentity, identitiesOf } from '../../../identity/federation/index.ts';
import { providerRecords } from '../../../identity/providers/index.ts';
import { type EventToken, refusedToken } from './event-token.ts';

const issSub = z.object({
  format: z.literal('iss_sub'),
  iss: z.string().min(1).max(2048),
  sub: z.string().min(1).max(2048),
});
const email = z.object({ format: z.literal('email'), email: z.string().min(3).max(254) });
/** Ways to name a user (RFC 9493, 3.2) that are looked up. */
const identifier = z.discriminatedUnion('format', [issSub, email]);
/** SSF 1.0, 3.2: what it says beside the user would only be less than all of the user's sessions. */
const complex = z.object({ format: z.literal('complex'), user: z.unknown() });
const anyIdentifier = z.object({ format: z.string().min(1).max(64) });

export type NamedSubject = z.output<typeof identifier>;

/**
 * Whom a token names; undefined where in a way that names nobody here. Earlier drafts name the user by `sub`.
 * @throws ProblemError `invalid_request` where the subject is missing, or not as its format has it
 */
export function namedSubject({ iss, sub, sub_id: subId }: EventToken): NamedSubject | undefined {
  if (subId !== undefined) return readIdentifier(subId, 'sub_id');
  if (sub !== undefined) return { format: 'iss_sub', iss, sub };
  throw refusedToken('invalid_request', 'sub_id is missing.');
}

function readIdentifier(value: unknown, path: string): NamedSubject | undefined {
  const { data } = anyIdentifier.safeParse(value);
  if (data === undefined) throw refusedToken('invalid_request', `${path}.format is missing.`);
  if (data.format === 'complex' && path === 'sub_id') {
    const { user } = complex.safeParse(value).data ?? {};
    return user === undefined ? undefined : readIdentifier(user, 'sub_id.user');
  }
  if (data.format !== 'iss_sub' && data.format !== 'email') return undefined;
  const read = identifier.safeParse(value);
  if (!read.success) throw refusedToken('invalid_request', `${path} is not as its format has it.`);
  return read.data;
}

/**
 * The user that a subject names for an issuer which speaks of the identities of one provider: by the linked identity, or by
 * an email address that was verified here, of a user who is linked there. To be called inside `Engine.read`.
 */
export function namedUser(store: Store, providerId: string, subject: NamedSubject): UserEntry | undefined {
  // identities of a provider that is gone open nothing
  if (providerRecords.get(store, providerId) === undefined) return undefined;
  if (subject.format === 'iss_sub') {
    const identity = findIdentity(store, providerId, { issuer: subject.iss, subject: subject.sub });
    return identity && getUser(store, identity.document.userId);
  }
  const user = findUserByEmail(store, subject.email);
  if (user?.document.emailVerified !== true) return undefined;
  const isLinked = identitiesOf(store, user.id).some(({ document }) => document.providerId === providerId);
  return isLinked ? user : undefined;
}
