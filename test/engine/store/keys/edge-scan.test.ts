import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EdgeKey, edgeKey, scanned } from '../../../../engine/store/edge-key.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { EdgeScan } from '../../../../engine/store/scan/edge-scan.ts';
import { ReadTransaction } from '../../../../engine/store/scan/read-transaction.ts';
import { Snapshot } from '../../../../engine/store/snapshot.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore } from '../scratch-store.ts';

let scratch: ScratchStore;
let tables: Tables;
let snapshot: Snapshot;
let scan: EdgeScan;
let commits = 0;

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
});

afterEach(async () => {
  snapshot.release();
  await tables.root.close();
  await scratch.close();
});

function byScan(from: number): string[] {
  const found: string[] = [];
  const start = { ...edgeKey(), node: from, size: 4 };
  for (let isAtKey = scan.seek(start); isAtKey; isAtKey = scan.next()) found.push(JSON.stringify(scanned));
  return found;
}

function byIterator(): string[] {
  const found: string[] = [];
  for (const _ of tables.forward.getKeys({ start: { ...edgeKey(), size: 4 } })) found.push(JSON.stringify(scanned));
  return found;
}

describe('a scan without an iterator', () => {
  it('finds what an iterator finds, inside a read and outside', () => {
    expect(byIterator()).toHaveLength(20);
    expect(byScan(0)).toEqual(byIterator());
    expect(snapshot.read(() => byScan(0))).toEqual(byIterator());
  });

  it('finds it while an iterator is in the middle of the table', () => {
    const keys = tables.forward.getKeys({ start: { ...edgeKey(), size: 4 } }).iterate();
    keys.next();
    const all = byScan(0);
    expect(all).toHaveLength(20);
    keys.next();
    expect(JSON.stringify(scanned)).toBe(all[1]);
    keys.return?.();
  });

  it('finds it from any key after any other in one read, on the page where it was and on others', () => {
    const tuples = Array.from({ length: 2000 }, (_, i) => ({
      object: `doc:many-${i % 700}`,
      relation: 'viewer',
      subject: `user:${i}`,
    }));
    scratch.apply([{ op: 'write_tuples', store: 's', tuples }]);
    snapshot.renew();
    const [first] = snapshot.read(() => byIterator()).map((each) => JSON.parse(each) as EdgeKey);
    const store = first?.store ?? 0;
    const start = fc.record({ node: fc.nat({ max: 3000 }), size: fc.constantFrom(8, 16) });
    const steps = fc.integer({ min: 1, max: 300 });
    const walks = fc.array(fc.tuple(start, steps), { maxLength: 12 });
    fc.assert(
      fc.property(walks, (asked) => {
        const starts = asked.map(([each, most]) => ({ start: { ...edgeKey(), ...each, store }, most }));
        const byKeys = starts.map(({ start, most }) => {
          const found: string[] = [];
          for (const _ of tables.forward.getKeys({ start, limit: most })) found.push(JSON.stringify(scanned));
          return found;
        });
        const byWalks = snapshot.read(() =>
          starts.map(({ start, most }) => {
            const found: string[] = [];
            for (let is = scan.seek(start); is && found.length < most; is = scan.next()) {
              found.push(JSON.stringify(scanned));
            }
            return found;
          }),
        );
        expect(byWalks).toEqual(byKeys);
      }),
      { numRuns: 60, seed },
    );
  });

  it('does not stay on a page of an earlier read', async () => {
    const last = () => snapshot.read(() => byScan(0)).at(-1);
    for (let i = 0; i < 50; i++) {
      const before = last();
      commit();
      await sleep(2); // lmdb ends a read transaction by a timer
      snapshot.renew();
      expect(last()).not.toBe(before);
      expect(last()).toBe(byIterator().at(-1));
    }
  });

  it('ends where no key follows', () => {
    expect(scan.seek({ ...edgeKey(), store: 0xffffffff })).toBe(false);
  });

  it('sees what was committed when lmdb has ended its transaction, and the snapshot hears of it', async () => {
    const revisions: number[] = [];
    snapshot.onRenewal((_, to) => revisions.push(to));
    const before = snapshot.read(() => byScan(0)).length;
    commit();
    expect(snapshot.read(() => byScan(0))).toHaveLength(before);
    await sleep(10); // lmdb ends a read transaction by a timer
    expect(snapshot.read(() => byScan(0))).toHaveLength(before + 1);
    expect(revisions).toEqual([snapshot.revision]);
  });

  it('does not take one transaction for the next where it is used outside of reads', async () => {
    const before = byScan(0).length;
    commit();
    await sleep(10);
    expect(byScan(0)).toHaveLength(before + 1);
  });
});
