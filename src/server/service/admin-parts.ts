import type { Store } from '#engine';
import type { AdminParts } from '../../admin/index.ts';
import type { AuditMaker } from '../../audit/index.ts';
import { countsNow, getUser, isLastingKey } from '../../directory/index.ts';
import type { ReaderParts } from '../threads/open-reader.ts';

/** What the administration endpoints of every feature work with. */
export function adminParts({ engine, clock, rights }: ReaderParts, audit: AuditMaker): AdminParts {
  return { engine, clock, rights, audit, lasts };
}

/** Remains an administrator for good: a user who can act, or a key that does not expire. */
function lasts(store: Store, subject: string): boolean {
  if (!subject.startsWith('user:')) return isLastingKey(store, subject);
  const user = getUser(store, subject.slice('user:'.length));
  return user !== undefined && countsNow(user.document);
}
