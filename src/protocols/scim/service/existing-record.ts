import type { RecordEntry, Store } from '#engine';
import type { RecordKind } from '../../../kernel/records/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import { isId } from '../documents/scim-resource.ts';

/** The record that a path names. To be called inside a snapshot. @throws ProblemError 404 */
export function existingRecord<Document>(
  store: Store,
  records: RecordKind<Document>,
  id: string,
): RecordEntry<Document> {
  return existing(isId(id) ? records.get(store, id) : undefined);
}
