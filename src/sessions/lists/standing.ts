import type { IndexReader, Store } from '#engine';

/**
 * What goes on, as the index has it: the ids with one key, and those among them that have ended and are not settled
 * yet. Both are exact in one snapshot; the second are few, because the sweep settles them every few seconds.
 */
export interface Standing {
  readonly index: IndexReader;
  readonly key: string;
  readonly gone: ReadonlySet<string>;
}

/** Of so many the positions are searched for; beyond, walking past them costs less. */
const SEARCH_MAX = 1000;
const CHUNK = 10_000;

export function countStanding({ index, key, gone }: Standing): number {
  return index.counted('#state', key) - gone.size;
}

export function isStanding({ index, key, gone }: Standing, id: string): boolean {
  return !gone.has(id) && index.has('#state', key, id);
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** Ids in their order from one place on, which is found without walking to it. */
export function standingIds(standing: Standing, { offset, limit, descending }: Slice): string[] {
  const { index, key, gone } = standing;
  if (offset >= countStanding(standing)) return [];
  const isLong = gone.size > SEARCH_MAX;
  let skip = isLong ? 0 : placeOf(standing, offset, descending);
  let passOver = isLong ? offset : 0;
  const found: string[] = [];
  while (found.length < limit) {
    // many are read at once only where many of them are passed over
    const size = isLong ? CHUNK : Math.min(CHUNK, limit - found.length + gone.size);
    const ids = index.ids('#state', key, { skip, limit: size, descending });
    for (const id of ids) {
      if (gone.has(id)) continue;
      if (passOver > 0) passOver--;
      else if (found.length < limit) found.push(id);
    }
    if (ids.length < size) break;
    skip += ids.length;
  }
  return found;
}

/** Where, counted with those that are gone, the one stands that has `offset` before it that are not. */
function placeOf({ index, key, gone }: Standing, offset: number, descending: boolean): number {
  let place = offset;
  for (;;) {
    const [at] = index.ids('#state', key, { skip: place, limit: 1, descending });
    if (at === undefined) return place;
    let before = 0;
    for (const id of gone) if (descending ? id > at : id < at) before++;
    if (offset + before === place) return place;
    place = offset + before;
  }
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
  for (let after: string | undefined; ; ) {
    const keys = index.keys(name, { after, limit: CHUNK });
    for (const each of keys) {
      if (each >= key) return;
      yield each;
    }
    if (keys.length < CHUNK) return;
    after = keys.at(-1);
  }
}

/** Those of the candidates that stand under the key and have ended. */
export function goneAmong(
  store: Store,
  collection: string,
  key: string,
  candidates: Iterable<string>,
  isLive: (id: string) => boolean,
): Standing {
  const index = store.recordIndex(collection);
  const gone = new Set<string>();
  for (const id of candidates) {
    if (!gone.has(id) && index.has('#state', key, id) && !isLive(id)) gone.add(id);
  }
  return { index, key, gone };
}
