import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edgeKey, scanned } from '../../../../engine/store/edge-key.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { EdgeScan } from '../../../../engine/store/scan/edge-scan.ts';
import { ReadTransaction } from '../../../../engine/store/scan/read-transaction.ts';
import { Snapshot } from '../../../../engine/store/snapshot.ts';
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
