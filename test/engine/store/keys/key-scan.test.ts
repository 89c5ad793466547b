import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { recordKey } from '../../../../engine/store/layout.ts';
import { KeyScan } from '../../../../engine/store/scan/key-scan.ts';
import { ReadTransaction } from '../../../../engine/store/scan/read-transaction.ts';
import { Snapshot } from '../../../../engine/store/snapshot.ts';
import { ScratchStore } from '../scratch-store.ts';

const ids = ['a', 'ab', 'b', 'ba', 'c', 'z', 'ä', 'x'.repeat(120)];

let scratch: ScratchStore;
let tables: Tables;
let snapshot: Snapshot;
let scan: KeyScan;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  for (const collection of ['cats', 'dogs']) {
    for (const id of ids)
      scratch.apply([{ op: 'put_record', store: 's', record: { collection, id, document: { id } } }]);
  }
  tables = openTables({ path: scratch.path });
  const transaction = new ReadTransaction();
  const announced = new Int32Array(1);
  snapshot = new Snapshot(tables, announced, transaction);
  announced[0] = snapshot.revision;
  scan = new KeyScan(tables.records, transaction);
});

afterEach(async () => {
  snapshot.release();
  await tables.root.close();
  await scratch.close();
});

const hex = (bytes: Buffer, from: number, to: number): string => bytes.toString('hex', from, to);

describe('a scan of keys without an iterator', () => {
  it('finds in each range what an iterator finds', () => {
    const all = [...tables.records.getKeys({})].map((key) => Buffer.from(key));
    expect(all.length).toBeGreaterThanOrEqual(16);
    const bounds = [Buffer.of(0), ...all, ...all.map((key) => Buffer.concat([key, Buffer.of(0)])), Buffer.of(255)];
    for (const start of bounds) {
      for (const end of bounds) {
        for (const [limit, skip] of [[0], [1], [3], [100], [2, 1], [100, 5], [100, 100]] as const) {
          for (const descending of [false, true]) {
            const range = descending
              ? { start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true }
              : { start, end };
            const expected =
              limit === 0 || start.compare(end) >= 0
                ? []
                : [...tables.records.getKeys({ ...range, limit, offset: skip ?? 0 })].map((key) => key.toString('hex'));
            expect(snapshot.read(() => scan.keys(start, end, { limit, skip, descending }, hex))).toEqual(expected);
          }
        }
      }
    }
  });

  it('says whether a range has so many keys', () => {
    const all = [...tables.records.getKeys({})].map((key) => Buffer.from(key));
    for (const [from, start] of all.entries()) {
      for (const [to, end] of all.entries()) {
        const counts = [1, 2, 5, all.length, 1000];
        expect(counts.map((count) => snapshot.read(() => scan.hasMany(start, end, count)))).toEqual(
          counts.map((count) => to - from >= count),
        );
      }
    }
  });

  it('says whether there is a key', () => {
    const all = [...tables.records.getKeys({})].map((key) => Buffer.from(key));
    const has = (key: Buffer, size = key.length) => snapshot.read(() => scan.hasKey(key, size));
    for (const key of all) {
      expect(has(key)).toBe(true);
      expect(has(Buffer.concat([key, Buffer.of(1)]))).toBe(false);
      expect(has(Buffer.concat([key, Buffer.of(1)]), key.length)).toBe(true);
    }
  });

  it('says whether a key begins with some bytes', () => {
    const [first] = tables.records.getKeys({ limit: 1 });
    const store = (first as Buffer).readUInt32BE(0);
    const has = (...parts: string[]) => snapshot.read(() => scan.has(recordKey(store, ...parts)));
    expect(['cats', 'dogs'].map((collection) => has(collection, ''))).toEqual([true, true]);
    expect(['birds', 'cat', 'catsx', 'cows', 'zebras'].map((collection) => has(collection, ''))).toEqual(
      Array.from({ length: 5 }, () => false),
    );
    expect([has('cats', 'a'), has('cats', 'abc'), has('dogs', 'x'.repeat(120)), has('dogs', 'zz')]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('refuses a key that lmdb would not take', () => {
    expect(() => scan.has(Buffer.alloc(1979))).toThrow('a key has at most 1978 bytes, and this one 1979');
  });
});
