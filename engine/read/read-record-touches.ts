import { EngineError } from '../errors.ts';
import { allHeads } from '../store/catalog.ts';
import { commitNotes, denseFrom, isSlim, unlistedStores } from '../store/change-log.ts';
import { readRevision, revisionKey } from '../store/layout.ts';
import type { Reader } from './reader.ts';

/** A record that one or more commits put or deleted: how it stands now is for the reader to see. */
export interface RecordTouch {
  readonly store: string;
  readonly collection: string;
  readonly id: string;
}

export interface RecordTouches {
  readonly touched: readonly RecordTouch[];
  /** Stores whose commits are no longer all in the log: any of their records may have been touched. */
  readonly untold: readonly string[];
  /** All of this snapshot's commits up to this one are covered. */
  readonly revision: number;
}

/**
 * Which records of some collections the commits after a revision touched, in every store that still is, up to the
 * snapshot's own revision: for who keeps something made of records. Where a store has lost commits out of the log, it
 * is named in their place, so that nothing is missed. Throws `revision_compacted` where commits are no
 * longer kept, or where more than `limit` would have to be read.
 */
export function readRecordTouches(
  { tables, snapshot }: Reader,
  collections: readonly string[],
  after: number,
  limit: number,
): RecordTouches {
  const { revision } = snapshot;
  if (after >= revision) return { touched: [], untold: [], revision };
  if (after + 1 < denseFrom(tables) || revision - after > limit) {
    throw new EngineError('revision_compacted', `too many commits came after revision ${after}, or are gone`, {});
  }
  const names = new Map<number, string>();
  for (const head of allHeads(tables)) if (head.deletedAt === undefined) names.set(head.number, head.name);
  const sought = collections.map((collection) => Buffer.from(collection));
  const touched: RecordTouch[] = [];
  const untold = new Set<string>();
  for (const { key, value } of tables.log.getRange({ start: revisionKey(after + 1) })) {
    if (readRevision(key) > revision) break;
    if (isSlim(value)) {
      for (const store of unlistedStores(value)) {
        const name = names.get(store);
        if (name !== undefined) untold.add(name);
      }
      continue;
    }
    // most commits do not even name them, which is seen without decoding
    if (!sought.some((collection) => value.includes(collection))) continue;
    for (const { store, collection, id } of commitNotes(value).records ?? []) {
      const name = collections.includes(collection) ? names.get(store) : undefined;
      if (name !== undefined) touched.push({ store: name, collection, id });
    }
  }
  return { touched, untold: [...untold], revision };
}
