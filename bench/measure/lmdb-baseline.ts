import { type Database, open } from 'lmdb';
import { Random, SEED } from '../data/random.ts';
import { secondsSince } from './clock.ts';
import { percentile } from './percentile.ts';

const TABLE = 'forward';
const KEYS = 100_000;

/** What the storage under the engine takes when it is asked with nothing in between. */
export interface LmdbBaseline {
  /** Microseconds of one get of a 16-byte key, at the median. */
  readonly getMicros: number;
  /** Keys a second of one walk over neighbouring keys. */
  readonly scannedPerSecond: number;
}

/** Reads random tuples of the data set itself, so that the tree is as deep and as cold for the processor. */
export async function lmdbBaseline(folder: string): Promise<LmdbBaseline> {
  const binary = { encoding: 'binary', keyEncoding: 'binary', cache: false } as const;
  const root = open<Buffer, Buffer>({ ...binary, path: folder, maxDbs: 24, readOnly: true });
  const table = root.openDB<Buffer, Buffer>({ ...binary, name: TABLE });
  const keys = randomKeys(table);
  const micros = new Float64Array(keys.length);
  let bytes = 0;
  for (let round = 0; round < 2; round++) {
    let before = process.hrtime.bigint();
    keys.forEach((key, place) => {
      bytes += (table.getBinaryFast(key)?.length ?? -1) + 1;
      const now = process.hrtime.bigint();
      micros[place] = Number(now - before) / 1000;
      before = now;
    });
  }
  if (bytes < 0) throw new Error('keys that were just read are gone');
  const startedAt = process.hrtime.bigint();
  let scanned = 0;
  for (const _ of table.getKeys({ limit: KEYS })) scanned++;
  const baseline = { getMicros: percentile(micros.sort(), 0.5), scannedPerSecond: scanned / secondsSince(startedAt) };
  await root.close();
  return baseline;
}

/** Stored keys at random places between the first and the last. */
function randomKeys(table: Database<Buffer, Buffer>): Buffer[] {
  const first = firstKey(table, { limit: 1 }).readBigUInt64BE();
  const last = firstKey(table, { limit: 1, reverse: true }).readBigUInt64BE();
  const random = new Random(SEED + 100);
  return Array.from({ length: KEYS }, () => {
    const start = Buffer.alloc(16);
    start.writeBigUInt64BE(first + ((last - first) * BigInt(random.below(2 ** 32))) / 2n ** 32n);
    return firstKey(table, { start, limit: 1 });
  });
}

function firstKey(
  table: Database<Buffer, Buffer>,
  range: { start?: Buffer; limit: number; reverse?: boolean },
): Buffer {
  const [key] = table.getKeys(range);
  if (key === undefined) throw new Error(`the table ${TABLE} is empty`);
  return Buffer.from(key);
}
