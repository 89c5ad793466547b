import type { IndexReader } from '#engine';

/** A time as a key of an index, in the order of times. Milliseconds since the epoch, up to the year 33658. */
export function timeKey(time: number): string {
  return String(Math.max(0, Math.floor(time))).padStart(15, '0');
}

/** The first time in an index whose keys are times; infinity where it is empty, 0 where a key is no time. */
export function firstTime(index: Pick<IndexReader, 'keys'>, name: string): number {
  const [key] = index.keys(name, { limit: 1 });
  if (key === undefined) return Number.POSITIVE_INFINITY;
  const time = Number(key);
  return Number.isNaN(time) ? 0 : time;
}

/** The milliseconds in a UUID of version 7 (RFC 9562, 5.7). */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Where the UUIDs of version 7 of a time begin, for ranges of ids. */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, Math.min(Math.floor(time), 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
