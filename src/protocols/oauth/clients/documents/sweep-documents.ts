import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../../kernel/organizations/index.ts';
import { deletionOf } from '../records/client-changes.ts';
import { clientRecords, longestUnused, unusedDocuments } from '../records/client-record.ts';

/** Longer than any grant lives: what was not used for so long has no tokens, and comes back as if it were new. */
const UNUSED_MS = 100 * 86_400_000;

/** Removes, in each organization, at most `limit` clients that are documents and were not used for long. */
export function sweepDocuments(dependencies: WalkDependencies): SweepStep {
  const { clock, engine } = dependencies;
  return sweepOrganizations(dependencies, 'client_documents', {
    plan(store, limit, aside) {
      const unused = unusedDocuments(store, clock.now() - UNUSED_MS, limit + aside.size);
      const entries = unused
        .filter((id) => !aside.has(clientRecords.collection, id))
        .flatMap((id) => clientRecords.get(store, id) ?? []);
      return {
        changes: entries.flatMap((entry) => deletionOf(engine.store(store.name), entry.id)),
        preconditions: entries.map((entry) => clientRecords.same(store, entry)),
      };
    },
    nextAt: (store) => longestUnused(store) + UNUSED_MS + 1,
    isTimed: true,
  });
}
