import type { Store } from '#engine';
import type { Family } from '../../kernel/lists/index.ts';
import { notFound } from '../../kernel/transactions/index.ts';
import { findUserByEmail, getUser, type UserEntry } from '../records/index.ts';
import { EMAIL_BYTES_MAX } from './profile/email.ts';

/** The user that a path names: by id, in the tenant family also by e-mail. To be called inside `Engine.read`. */
export function findUser(store: Store, reference: string, family: Family): UserEntry | undefined {
  if (reference.length > EMAIL_BYTES_MAX) return undefined;
  if (family === 'tenant' && reference.includes('@')) return findUserByEmail(store, reference);
  return getUser(store, reference);
}

/** @throws ProblemError 404 */
export function requireUser(store: Store, reference: string, family: Family): UserEntry {
  const user = findUser(store, reference, family);
  if (user === undefined) throw notFound();
  return user;
}
