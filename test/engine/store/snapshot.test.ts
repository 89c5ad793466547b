import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTables, type Tables } from '../../../engine/store/environment.ts';
import { readRevision } from '../../../engine/store/layout.ts';
import { Snapshot } from '../../../engine/store/snapshot.ts';
import { ScratchStore } from './scratch-store.ts';

const REVISION = Buffer.from('revision');

let scratch: ScratchStore;
let tables: Tables;
/** What another thread would have been told by the writer; here the test decides when. */
let announced: Int32Array;
let snapshot: Snapshot;
let followed: [number, number][];
let commits = 0;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  tables = openTables({ path: scratch.path });
  announced = new Int32Array(1);
  snapshot = new Snapshot(tables, announced);
  followed = [];
  snapshot.onRenewal((from, to) => followed.push([from, to]));
  announced[0] = 1;
});

afterEach(async () => {
  await tables.root.close();
  await scratch.close();
});

function commit(): number {
  const tuple = { object: `doc:${commits++}`, relation: 'viewer', subject: 'user:u' };
  return scratch.apply([{ op: 'write_tuples', store: 's', tuples: [tuple] }]).revision;
}

/** The revision of the transaction that lmdb reads in. */
function stored(): number {
  return readRevision(tables.meta.getBinaryFast(REVISION) as Buffer);
}

/** lmdb lets go of a read transaction by a timer that its first read starts. */
const endTransaction = () => sleep(10);

describe('a snapshot', () => {
  it('stays at its revision until a later one is announced', () => {
    expect(snapshot.read(stored)).toBe(1);
    commit();
    expect(snapshot.read(stored)).toBe(1);
    announced[0] = 2;
    expect(snapshot.read(stored)).toBe(2);
    expect(snapshot.revision).toBe(2);
    expect(followed).toEqual([[1, 2]]);
  });

  it('follows to the revision that it reads, not to the one announced', () => {
    commit();
    announced[0] = 2;
    commit();
    expect(snapshot.read(() => [snapshot.revision, stored()])).toEqual([3, 3]);
    expect(followed).toEqual([[1, 3]]);
  });

  it('runs a read again where its first look at the store is at a later revision than its caches', async () => {
    snapshot.read(stored);
    await endTransaction();
    let runs = 0;
    const seen = snapshot.read(() => {
      // As when another thread commits between the question whether to renew and the first read.
      if (++runs === 1) commit();
      return [snapshot.revision, stored(), followed.length];
    });
    expect(seen).toEqual([2, 2, 1]);
    expect(runs).toBe(2);
    expect(followed).toEqual([[1, 2]]);
  });

  it('does not move within a read that has begun', async () => {
    snapshot.read(stored);
    await endTransaction();
    const seen = snapshot.read(() => {
      const first = stored();
      announced[0] = commit();
      return [first, stored(), snapshot.read(stored), snapshot.revision];
    });
    expect(seen).toEqual([1, 1, 1, 1]);
    expect(snapshot.read(stored)).toBe(2);
  });

  it('renews where something outside of it began the transaction', async () => {
    snapshot.read(stored);
    await endTransaction();
    commit();
    expect(stored()).toBe(2);
    expect(snapshot.read(() => [snapshot.revision, stored()])).toEqual([2, 2]);
    expect(followed).toEqual([[1, 2]]);
  });

  it('gives up on a store that changes under every read', async () => {
    snapshot.read(stored);
    await endTransaction();
    const task = () => {
      commit();
      tables.root.resetReadTxn();
      return stored();
    };
    expect(() => snapshot.read(task)).toThrow(expect.objectContaining({ code: 'timeout' }));
    expect(snapshot.read(() => stored() - snapshot.revision)).toBe(0);
  });

  it('passes on what a read throws, and reads on', () => {
    expect(() =>
      snapshot.read(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    announced[0] = commit();
    expect(snapshot.read(stored)).toBe(2);
  });

  it('compares revisions by their low 32 bits', () => {
    announced[0] = (2 ** 32 + 1) | 0;
    expect(snapshot.read(stored)).toBe(1);
    expect(followed).toEqual([]);
  });
});
