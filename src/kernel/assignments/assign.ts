import type { RecordEntry } from '#engine';
import { notFound, requireHeldToRevoke, type Transaction } from '../transactions/index.ts';
import { type AssignableName, type Assignment, type Direction, tupleOf } from './assignment.ts';
import { isPlain, storedTuple } from './stored-tuple.ts';
import { telling } from './telling.ts';

/** Whether a holder has something for good: without a condition or an expiry. */
export function hasForGood<Thing extends object, Document extends object>(
  { store, now }: Transaction,
  assignment: Assignment<Thing, Document>,
  entry: RecordEntry<Thing>,
  holder: RecordEntry<Document>,
): boolean {
  return isPlain(storedTuple(store, tupleOf(assignment, assignment.assignable.slugOf(entry.document), holder), now));
}

/**
 * Assigns one thing to some holders, for good. Nothing happens where a holder has it for good already. The caller must
 * hold it even then: the answer must not tell others who has what.
 * @throws ProblemError 403 where the caller may not, or does not hold it
 */
export function assign<Thing extends object, Document extends object>(
  transaction: Transaction,
  assignment: Assignment<Thing, Document>,
  entry: RecordEntry<Thing>,
  holders: readonly RecordEntry<Document>[],
): void {
  const { store, now } = transaction;
  const { assignable, rights } = assignment;
  const slug = assignable.slugOf(entry.document);
  for (const right of rights) transaction.require(right);
  assignable.requireHeld(transaction, slug);
  const wanted = holders.map((holder) => {
    const tuple = tupleOf(assignment, slug, holder);
    return { holder, tuple, stored: storedTuple(store, tuple, now) };
  });
  const fresh = wanted.filter(({ stored }) => !isPlain(stored));
  if (fresh.length === 0) return;
  transaction.expect(assignable.expectedVersions(store, entry));
  transaction.write(fresh.map(({ tuple }) => tuple));
  for (const { holder, tuple, stored } of fresh) {
    transaction.rely(assignment.holder.records, holder);
    const require = stored === undefined ? 'tuple_absent' : 'tuple_exists';
    transaction.expect([{ require, store: store.name, tuple }]);
    touch(transaction, assignment, holder);
    tell(transaction, assignment, 'assigned', { id: entry.id, slug }, holder);
  }
}

/**
 * Takes away what was assigned.
 * @param slug of the thing itself, which need not have a record any more
 * @throws ProblemError 404 where the holder does not have it; 403 where the caller may not take it
 */
export function revoke<Thing extends object, Document extends object>(
  transaction: Transaction,
  assignment: Assignment<Thing, Document>,
  slug: string,
  holder: RecordEntry<Document>,
): void {
  revokeAll(transaction, assignment, slug, [holder]);
}

/** The same for many at once: what it gives is judged once. @throws ProblemError as `revoke` */
export function revokeAll<Thing extends object, Document extends object>(
  transaction: Transaction,
  assignment: Assignment<Thing, Document>,
  slug: string,
  holders: readonly RecordEntry<Document>[],
): void {
  const { store, now } = transaction;
  const { assignable, rights } = assignment;
  for (const right of rights) transaction.require(right);
  const tuples = holders.map((holder) => tupleOf(assignment, slug, holder));
  if (tuples.some((tuple) => storedTuple(store, tuple, now) === undefined)) throw notFound();
  requireHeldToRevoke(transaction, assignable.source(slug));
  transaction.revoke(tuples);
  const named = { id: assignable.bySlug(store, slug)?.id ?? null, slug };
  for (const holder of holders) tell(transaction, assignment, 'revoked', named, holder);
}

function touch<Thing extends object, Document extends object>(
  transaction: Transaction,
  { holder: { records, touched } }: Assignment<Thing, Document>,
  { id, document }: RecordEntry<Document>,
): void {
  if (touched !== undefined) transaction.put(records, id, touched(document, transaction.now));
}

function tell<Thing extends object, Document extends object>(
  transaction: Transaction,
  assignment: Assignment<Thing, Document>,
  direction: Direction,
  assignable: AssignableName,
  holder: RecordEntry<Document>,
): void {
  // whoever changes such a holder puts all its changes into one entry
  if (assignment.holder.changed !== undefined) return;
  const { entry, event } = telling(assignment, direction, assignable, holder);
  transaction.audit(entry);
  if (event !== undefined) transaction.emit(event);
}
