import { EngineError } from '../../errors.ts';
import type { Reader, View } from '../../evaluate/reader.ts';
import { requireLimit } from '../../page-limit.ts';
import { nodeName } from '../../store/catalog.ts';
import {
  commitNotes,
  decodeCommit,
  type EdgeChange,
  forEachEdge,
  isListed,
  ownerOf,
  SHARED,
  WRITTEN,
} from '../../store/change-log.ts';
import { revisionKey } from '../../store/layout.ts';
import { keptAfter } from '../../store/log/log-marks.ts';
import { MODELS } from '../../store/write/apply.ts';
import type { Tuple } from '../../tuple.ts';
import { edgeTuple } from '../tuples/edge-tuple.ts';
import { type FellBehind, type Followed, revisionAhead } from './follower.ts';

/** What one commit did to one store. */
export interface StoreChangeEntry {
  readonly revision: number;
  /** Milliseconds since the epoch, as the command carried it. */
  readonly time: number;
  /** The command's id. */
  readonly id: string;
  /** A deleted tuple comes without its condition and expiry. A tuple that was written again is one write. */
  readonly tuples: readonly { readonly op: 'write' | 'delete'; readonly tuple: Tuple }[];
  readonly records: readonly { readonly collection: string; readonly id: string; readonly op: 'put' | 'delete' }[];
  /** Subjects `type:id` that were suspended and restored, in order. */
  readonly suspensions: readonly { readonly op: 'suspend' | 'restore'; readonly subject: string }[];
  /** Ids of the models written. */
  readonly models: readonly string[];
}

export interface ChangePage {
  readonly changes: readonly StoreChangeEntry[];
  /** The last revision that this page covers: where to go on from, also when no change of this store was found. */
  readonly revision: number;
}

const LIMIT_MAX = 10_000;
/** Bounds on one page beyond its limit; a commit is never divided, so that the last one may pass them. */
const TUPLES_MAX = 10_000;
const BYTES_MAX = 16 * 2 ** 20;

/**
 * What happened to a store after a revision, commit by commit, in order. A page may be empty and yet not the last:
 * the end is reached when its `revision` is the store's. Throws `revision_compacted` where commits of this store after
 * `after` are no longer kept, `revision_ahead` where it is later than this snapshot, `invalid_argument`.
 */
export function readChanges(reader: Reader, view: View, after: number, limit: number): ChangePage {
  requireLimit(limit, LIMIT_MAX);
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new EngineError('invalid_argument', 'a revision is a whole number from 0', { path: 'after' });
  }
  const { revision: latest } = reader.snapshot;
  if (after > latest) throw revisionAhead(after, latest);
  const found = followStore(reader, view, after, limit);
  if (found.isBehind) {
    const { oldest } = found;
    const reason = `the changes up to revision ${oldest - 1} are no longer kept`;
    throw new EngineError('revision_compacted', reason, { oldest });
  }
  return { changes: found.changes, revision: found.reached };
}

/** The same for a follower: `limit` bounds the commits of one result. */
export function followStore(
  reader: Reader,
  view: View,
  after: number,
  limit: number,
): Followed<StoreChangeEntry> | FellBehind {
  const kept = keptAfter(reader.tables, view.number);
  if (after < kept) return { isBehind: true, since: after, oldest: kept + 1 };
  const changes: StoreChangeEntry[] = [];
  let tuples = 0;
  let size = 0;
  let untold = 0;
  const reached = forEachCommit(reader, view.number, after, (revision, bytes) => {
    if (!isListed(bytes)) {
      untold = revision;
      return false;
    }
    if (!touches(bytes, view)) return true;
    const entry = entryOf(reader, view, revision, bytes);
    if (entry !== undefined) changes.push(entry);
    tuples += entry?.tuples.length ?? 0;
    size += bytes.length;
    return changes.length < limit && tuples < TUPLES_MAX && size < BYTES_MAX;
  });
  if (untold === 0) return { isBehind: false, since: after, changes, reached };
  // what came before it is told first
  if (untold === after + 1) return { isBehind: true, since: after, oldest: untold + 1 };
  return { isBehind: false, since: after, changes, reached: untold - 1 };
}

/** Commits after a revision that may have touched a store, up to the snapshot's, as bytes of their own. */
function forEachCommit(
  { graph, snapshot, tables }: Reader,
  store: number,
  after: number,
  visit: (revision: number, bytes: Buffer) => boolean,
): number {
  return graph.commits.visit(store, after, snapshot.revision, (revision) => {
    const bytes = tables.log.getBinary(revisionKey(revision));
    return bytes === undefined || visit(revision, bytes);
  });
}

/** Told from the fixed part of a commit where it can be. */
function touches(bytes: Buffer, view: View): boolean {
  const owner = ownerOf(bytes);
  if (owner !== SHARED) return owner === view.number;
  let isTouched = false;
  forEachEdge(bytes, (_op, each) => {
    if (each === view.number) isTouched = true;
  });
  if (isTouched) return true;
  const notes = commitNotes(bytes);
  const { records = [], suspensions = [], stores = [] } = notes;
  return [...records, ...suspensions, ...stores].some((change) => change.store === view.number);
}

function entryOf(reader: Reader, view: View, revision: number, bytes: Buffer): StoreChangeEntry | undefined {
  const { changes, notes } = decodeCommit(bytes);
  const { records = [], suspensions = [], stores = [], qualifiers = {} } = notes;
  const isOurs = ({ store }: { readonly store: number }): boolean => store === view.number;
  const entry: StoreChangeEntry = {
    revision,
    time: notes.time,
    id: notes.id,
    tuples: changes.flatMap((change, index) =>
      isOurs(change) ? [tupleChange(reader, view, change, qualifiers[index])] : [],
    ),
    records: records
      .filter((change) => isOurs(change) && change.collection !== MODELS)
      .map(({ collection, id, op }) => ({ collection, id, op })),
    suspensions: suspensions
      .filter(isOurs)
      .map(({ op, node }) => ({ op, subject: nodeName(reader.tables, view.number, node) })),
    models: stores.filter((change) => isOurs(change) && change.op === 'model').map(({ name }) => name),
  };
  const parts = [entry.tuples, entry.records, entry.suspensions, entry.models];
  return parts.some((part) => part.length > 0) ? entry : undefined;
}

function tupleChange(
  reader: Reader,
  view: View,
  change: EdgeChange,
  qualifier: Parameters<typeof edgeTuple>[5],
): StoreChangeEntry['tuples'][number] {
  const { op, object, kinds, subject } = change;
  return {
    op: op === WRITTEN ? 'write' : 'delete',
    tuple: edgeTuple(reader, view, object, kinds, subject, qualifier),
  };
}
