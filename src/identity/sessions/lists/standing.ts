import type { IndexReader } from '#engine';
import { fromNearerEnd, type Slice } from '../../../kernel/lists/index.ts';

/**
 * What goes on, as the index has it: the ids with one key, and those among them that have ended and are not settled
 * yet. Both are exact in one snapshot; the second are few, because the sweep settles them every few seconds.
 */
export interface Standing {
  readonly index: IndexReader;
  readonly key: string;
  readonly gone: ReadonlySet<string>;
}

/** Read beyond what is wanted, where some may be gone. */
const AHEAD = 1000;
const CHUNK = 10_000;

export function countStanding({ index, key, gone }: Standing): number {
  return index.counted('#state', key) - gone.size;
}

/** Other states are read whole where they have at most so many times as many ids as are asked about: reading one costs a fourth. */
const READ_WHOLE = 4;

/** Those of some ids of records, which are quickest found in their order. */
export function standingAmong({ index, key, gone }: Standing, ids: readonly string[]): string[] {
  const others = statesOf(index).filter((state) => state.key !== key);
  if (countOf(others) > ids.length * READ_WHOLE) return index.among('#state', key, ids).filter((id) => !gone.has(id));
  // every record is in one state
  const ended = new Set(others.flatMap((state) => [...idsOf(index, '#state', state.key)]));
  return ids.filter((id) => !ended.has(id) && !gone.has(id));
}

interface CountedState {
  readonly key: string;
  readonly count: number;
}

/** There are few: ended, and open since one epoch or another. */
function statesOf(index: IndexReader): CountedState[] {
  const states: CountedState[] = [];
  for (const key of keysOf(index, '#state')) states.push({ key, count: index.counted('#state', key) });
  return states;
}

function countOf(states: readonly CountedState[]): number {
  return states.reduce((sum, { count }) => sum + count, 0);
}

/** Of all records, whatever their state. */
export function countAll(index: IndexReader): number {
  return countOf(statesOf(index));
}

/** Ids in their order, from an offset on. */
export function standingIds(standing: Standing, slice: Slice): string[] {
  return fromNearerEnd(slice, countStanding(standing), (each) => idsFrom(standing, each));
}

function idsFrom(standing: Standing, { offset, limit, descending }: Slice): string[] {
  const { index, key, gone } = standing;
  const found: string[] = [];
  for (let skip = positionAt(standing, offset, descending); found.length < limit; ) {
    const size = Math.min(CHUNK, limit - found.length + Math.min(gone.size, AHEAD));
    const ids = index.ids('#state', key, { skip, limit: size, descending });
    for (const id of ids) if (!gone.has(id) && found.length < limit) found.push(id);
    if (ids.length < size) break;
    skip += ids.length;
  }
  return found;
}

/**
 * The position in the index of the session at `offset` among those that are not gone. Begins at `offset`, and moves on by
 * as many as are lacking, and past those that are gone, until none is lacking.
 */
function positionAt({ index, key, gone }: Standing, offset: number, descending: boolean): number {
  if (gone.size === 0) return offset;
  const sorted = [...gone].sort();
  for (let position = offset, limit = 1; ; ) {
    const ids = index.ids('#state', key, { skip: position, limit, descending });
    if (ids.length === 0) return position;
    const next = ids.findIndex((id) => !gone.has(id));
    limit = next < 0 ? CHUNK : 1;
    position += next < 0 ? ids.length : next;
    if (next < 0) continue;
    const smaller = countSmaller(sorted, ids[next] as string);
    const lacking = offset - (position - (descending ? sorted.length - smaller : smaller));
    if (lacking === 0) return position;
    position += lacking;
  }
}

function countSmaller(sorted: readonly string[], id: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as string) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Every id of an index's key, or every one before an id, in chunks. */
export function* idsOf(index: IndexReader, name: string | undefined, key: string, before?: string): Generator<string> {
  for (let from: string | undefined; ; ) {
    const ids = index.ids(name, key, { from, before, limit: CHUNK });
    yield* ids;
    const last = ids.at(-1);
    if (ids.length < CHUNK || last === undefined) return;
    from = `${last}\u0001`;
  }
}

/** Ids of an index below a key of it, all of them. */
export function* idsBelow(index: IndexReader, name: string, key: string): Generator<string> {
  const ids = index.idsBelow(name, key, CHUNK);
  yield* ids;
  // far behind: what is due is read whole by its keys
  if (ids.length < CHUNK) return;
  const seen = new Set(ids);
  for (const each of keysBelow(index, name, key)) {
    for (const id of idsOf(index, name, each)) if (!seen.has(id)) yield id;
  }
}

function* keysBelow(index: IndexReader, name: string, key: string): Generator<string> {
  for (const each of keysOf(index, name)) {
    if (each >= key) return;
    yield each;
  }
}

function* keysOf(index: IndexReader, name: string): Generator<string> {
  for (let after: string | undefined; ; ) {
    const keys = index.keys(name, { after, limit: CHUNK });
    yield* keys;
    if (keys.length < CHUNK) return;
    after = keys.at(-1);
  }
}

/** Those of the candidates that stand under the key and have ended. */
export function goneAmong(
  index: IndexReader,
  key: string,
  candidates: Iterable<string>,
  isLive: (id: string) => boolean,
): Standing {
  const gone = new Set<string>();
  for (const id of candidates) {
    if (!gone.has(id) && index.has('#state', key, id) && !isLive(id)) gone.add(id);
  }
  return { index, key, gone };
}
