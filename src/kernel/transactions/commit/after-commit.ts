import type { RecordEntry, Store } from '#engine';
import type { RecordKind } from '../../records/index.ts';
import type { AdminDependencies } from '../dependencies.ts';
import { existing } from '../problems.ts';

/**
 * What an answer shows of a record that a commit has put: as it stands by then, with its version, and never as it was
 * expected to become.
 * @throws ProblemError 404 where somebody has deleted it meanwhile
 */
export function afterCommit<Document, View>(
  { engine }: Pick<AdminDependencies, 'engine'>,
  records: Pick<RecordKind<Document>, 'get'>,
  store: Store,
  id: string,
  view: (entry: RecordEntry<Document>) => View,
): View {
  return engine.read(() => view(existing(records.get(store, id))));
}
