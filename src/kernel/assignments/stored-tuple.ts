import { parseSubject, type Store, type Tuple } from '#engine';
import { isLimited } from '../rights/index.ts';

/** The stored tuple of this object, relation and subject, which must be one thing; `undefined` where it has expired. */
export function storedTuple(store: Store, tuple: Tuple, now: number): Tuple | undefined {
  return isOne(tuple.subject) ? currentTuple(store, tuple, now) : undefined;
}

/** The same where the subject may also be everybody. */
export function currentTuple(store: Store, { object, relation, subject }: Tuple, now: number): Tuple | undefined {
  const [found] = store.readTuples({ object, relation, subject, limit: 1 }).tuples;
  return found?.expiresAt !== undefined && found.expiresAt <= now ? undefined : found;
}

/** Whether a tuple counts for good, whatever the context. */
export function isPlain(tuple: Tuple | undefined): boolean {
  return tuple !== undefined && !isLimited(tuple);
}

/** An id that came in a path may be no id at all, or a wildcard. */
function isOne(subject: string): boolean {
  try {
    return parseSubject(subject).relation !== '*';
  } catch {
    return false;
  }
}
