import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EdgeKey, edgeKey, scanned } from '../../../../engine/store/edge-key.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { EdgeScan, type KeySize } from '../../../../engine/store/scan/edge-scan.ts';
import { ReadTransaction } from '../../../../engine/store/scan/read-transaction.ts';
import { Snapshot } from '../../../../engine/store/snapshot.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore } from '../scratch-store.ts';

let scratch: ScratchStore;
let tables: Tables;
let snapshot: Snapshot;
let scan: EdgeScan;
let commits = 0;
let store = 0;
/** More than any test makes. */
const NODES = 4000;

function commit(): void {
  const tuple = { object: `doc:${commits++}`, relation: 'viewer', subject: 'user:u' };
  scratch.apply([{ op: 'write_tuples', store: 's', tuples: [tuple] }]);
}

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  for (let i = 0; i < 20; i++) commit();
  tables = openTables({ path: scratch.path });
  const transaction = new ReadTransaction();
  const announced = new Int32Array(1);
  snapshot = new Snapshot(tables, announced, transaction);
  announced[0] = snapshot.revision;
  scan = new EdgeScan(tables.forward, transaction);
  store = (JSON.parse(byIterator()[0] ?? '') as EdgeKey).store;
});

afterEach(async () => {
  snapshot.release();
  await tables.root.close();
  await scratch.close();
});

type Sought = Pick<EdgeKey, 'node' | 'kinds'>;

/** What a walk finds at each node of the store, as an iterator has it. */
function byScan(): string[] {
  const found: string[] = [];
  for (let node = 0; node < NODES; node++) {
    for (let isAtKey = scan.seek(store, node, 0, 8); isAtKey; isAtKey = scan.next()) found.push(textOf(node));
  }
  return found;
}

function textOf(node: number): string {
  return JSON.stringify({ store, node, kinds: scan.kinds >>> 0, other: scan.other >>> 0 });
}

function textOfScanned(): string {
  const { store, node, kinds, other } = scanned;
  return JSON.stringify({ store, node, kinds, other });
}

/** At most so many keys that begin with so many bytes of this one. */
function walked({ node, kinds }: Sought, size: KeySize, most: number): string[] {
  const found: string[] = [];
  for (let is = scan.seek(store, node, kinds, size); is && found.length < most; is = scan.next()) {
    found.push(textOf(node));
  }
  return found;
}

function isAlike(key: EdgeKey, { node, kinds }: Sought, size: KeySize): boolean {
  const shift = { 8: 32, 10: 16, 12: 0 }[size];
  return key.node === node && (shift === 32 || key.kinds >>> shift === kinds >>> shift);
}

function byIterator(): string[] {
  const found: string[] = [];
  for (const _ of tables.forward.getKeys({ start: { ...edgeKey(), size: 4 } })) found.push(textOfScanned());
  return found;
}

describe('a scan without an iterator', () => {
  it('finds what an iterator finds, inside a read and outside', () => {
    expect(byIterator()).toHaveLength(20);
    expect(byScan()).toEqual(byIterator());
    expect(snapshot.read(() => byScan())).toEqual(byIterator());
  });

  it('finds it while an iterator is in the middle of the table', () => {
    const keys = tables.forward.getKeys({ start: { ...edgeKey(), size: 4 } }).iterate();
    keys.next();
    const all = byScan();
    expect(all).toHaveLength(20);
    keys.next();
    expect(textOfScanned()).toBe(all[1]);
    keys.return?.();
  });

  it('finds all keys that begin alike after any others, on the page where it was and on others', () => {
    const tuples = Array.from({ length: 2000 }, (_, i) => ({
      object: `doc:many-${i % 700}`,
      relation: i % 5 === 0 ? 'owner' : 'viewer',
      subject: i % 3 === 0 && i % 5 !== 0 ? `group:${i}#member` : `user:${i}`,
    }));
    scratch.apply([{ op: 'write_tuples', store: 's', tuples }]);
    snapshot.renew();
    const keys = snapshot.read(() => byIterator()).map((each) => JSON.parse(each) as EdgeKey);
    const any = fc.nat({ max: keys.length - 1 }).map((place) => keys[place] as EdgeKey);
    const absent = fc.record({ node: fc.nat({ max: 9000 }), kinds: fc.integer({ min: 0, max: 2 ** 32 - 1 }) });
    const start = fc.record({ of: fc.oneof(any, absent), size: fc.constantFrom<KeySize>(8, 10, 12) });
    const walks = fc.array(fc.tuple(start, fc.integer({ min: 1, max: 300 })), { maxLength: 12 });
    const reads = fc.array(walks, { maxLength: 4 });
    fc.assert(
      fc.property(reads, (asked) => {
        for (const each of asked) {
          const byWalks = snapshot.read(() => each.map(([{ of, size }, most]) => walked(of, size, most)));
          const bySearch = each.map(([{ of, size }, most]) =>
            keys.filter((key) => isAlike(key, of, size)).slice(0, most),
          );
          expect(byWalks).toEqual(bySearch.map((found) => found.map((key) => JSON.stringify(key))));
        }
      }),
      { numRuns: 60, seed },
    );
  });

  it('does not stay on a page of an earlier read', async () => {
    const last = () => snapshot.read(() => byScan()).at(-1);
    for (let i = 0; i < 50; i++) {
      const before = last();
      commit();
      await sleep(2); // lmdb ends a read transaction by a timer
      snapshot.renew();
      expect(last()).not.toBe(before);
      expect(last()).toBe(byIterator().at(-1));
    }
  });

  it('reads in the transaction that is open, whatever has begun it and however often lmdb has ended one', async () => {
    const steps = {
      commit: () => commit(),
      wait: () => sleep(2), // lmdb ends a read transaction by a timer
      renew: () => snapshot.renew(),
      get: () => void tables.meta.getBinaryFast(Buffer.from('revision')),
      walk: () => void [...tables.records.getKeys({ limit: 1 })],
      begin: () => void tables.forward.getKeys({ limit: 1 }).iterate().next(), // and never to its end
      scan: () => snapshot.read(() => expect(byScan()).toEqual(byIterator())),
      scanOutside: () => expect(byScan()).toEqual(byIterator()),
    };
    const names = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
    await fc.assert(
      fc.asyncProperty(fc.array(names, { maxLength: 24 }), async (sequence) => {
        for (const name of [...sequence, 'scan'] as const) await steps[name]();
      }),
      { numRuns: 25, seed },
    );
  });

  it('ends where no key follows', () => {
    expect(scan.seek(0xffffffff, 0, 0, 8)).toBe(false);
    expect(scan.seek(store, 0xffffffff, 0xffffffff, 12)).toBe(false);
  });

  it('sees what was committed when lmdb has ended its transaction, and the snapshot hears of it', async () => {
    const revisions: number[] = [];
    snapshot.onRenewal((_, to) => revisions.push(to));
    const before = snapshot.read(() => byScan()).length;
    commit();
    expect(snapshot.read(() => byScan())).toHaveLength(before);
    await sleep(10); // lmdb ends a read transaction by a timer
    expect(snapshot.read(() => byScan())).toHaveLength(before + 1);
    expect(revisions).toEqual([snapshot.revision]);
  });

  it('does not take one transaction for the next where it is used outside of reads', async () => {
    const before = byScan().length;
    commit();
    await sleep(10);
    expect(byScan()).toHaveLength(before + 1);
  });
});
