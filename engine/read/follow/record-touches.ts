import type { Reader } from '../../evaluate/reader.ts';
import { commitNotes, isSlim, unlistedStores } from '../../store/change-log.ts';
import { revisionKey } from '../../store/layout.ts';
import { denseFrom, keptAfter } from '../../store/log/log-marks.ts';
import type { FellBehind, Followed } from './follower.ts';

/** A record that one or more commits put or deleted: how it stands now is for the reader to see. */
export interface RecordTouch {
  readonly store: string;
  readonly collection: string;
  readonly id: string;
}

export interface FollowedRecords extends Followed<RecordTouch> {
  /** Stores of which the log has lost commits: their records are to be read anew. */
  readonly untold: readonly string[];
}

/**
 * Which records of some collections the commits after a revision touched, in every store that still is: for who keeps
 * something made of records. Where a store has lost commits out of the log, it is named in their place, so that nothing
 * is missed. To be called inside the snapshot.
 */
export function followRecords(
  { tables, snapshot, graph, catalog }: Reader,
  collections: readonly string[],
  after: number,
): FollowedRecords | FellBehind {
  const { revision } = snapshot;
  // mostly none: it needs no read of the log
  const named = collections.filter((collection) => !graph.commits.areSilentOf(collection, after, revision));
  if (named.length === 0) return { isBehind: false, since: after, changes: [], reached: revision, untold: [] };
  const dense = denseFrom(tables);
  if (after + 1 < dense) return { isBehind: true, since: after, oldest: dense };
  const { names } = catalog;
  const sought = named.map((collection) => Buffer.from(collection));
  const changes: RecordTouch[] = [];
  const untold = new Set<string>();
  const reached = graph.commits.visit(undefined, after, revision, (revision, bytes) => {
    if (isSlim(bytes)) {
      for (const store of unlistedStores(bytes)) {
        const name = names.get(store);
        if (name !== undefined) untold.add(name);
      }
    } else if (sought.some((collection) => bytes.includes(collection))) {
      // most commits do not even name them, which is seen without decoding
      for (const { store, collection, id } of recordsOf(tables, revision)) {
        const name = named.includes(collection) ? names.get(store) : undefined;
        if (name !== undefined) changes.push({ store: name, collection, id });
      }
    }
    return true;
  });
  return { isBehind: false, since: after, changes, reached, untold: [...untold] };
}

/** The same for one collection of one store, whose commits alone are looked at. */
export function followCollection(
  { tables, snapshot, graph }: Reader,
  store: { readonly number: number; readonly name: string },
  collection: string,
  after: number,
): Followed<RecordTouch> | FellBehind {
  const { revision } = snapshot;
  // nearly every look: it needs no read of the log
  if (graph.commits.areSilentOf(collection, after, revision)) {
    return { isBehind: false, since: after, changes: [], reached: revision };
  }
  const kept = keptAfter(tables, store.number);
  if (after < kept) return { isBehind: true, since: after, oldest: kept + 1 };
  const sought = Buffer.from(collection);
  const changes: RecordTouch[] = [];
  const reached = graph.commits.visit(store.number, after, revision, (revision, bytes) => {
    if (!bytes.includes(sought)) return true;
    for (const record of recordsOf(tables, revision)) {
      if (record.store !== store.number || record.collection !== collection) continue;
      changes.push({ store: store.name, collection, id: record.id });
    }
    return true;
  });
  return { isBehind: false, since: after, changes, reached };
}

function recordsOf(tables: Reader['tables'], revision: number) {
  const bytes = tables.log.getBinary(revisionKey(revision));
  return bytes === undefined ? [] : (commitNotes(bytes).records ?? []);
}
