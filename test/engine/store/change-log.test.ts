import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/command/command.ts';
import {
  ChangeBuffer,
  commitNotes,
  DELETED,
  decodeCommit,
  ownerOf,
  TOUCHES_STORES,
  WRITTEN,
} from '../../../engine/store/change-log.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { pack, revisionKey, unpack } from '../../../engine/store/layout.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchStore, storeOf } from './scratch-store.ts';

const u32 = fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff), fc.nat({ max: 0xffffffff }));
const edge = fc.record({ op: fc.constantFrom(WRITTEN, DELETED), store: u32, object: u32, kinds: u32, subject: u32 });

let scratch: ScratchStore | undefined;

afterEach(async () => {
  if (scratch !== undefined) expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch?.close();
  scratch = undefined;
});

const write = (n: number, object = `doc:${n}`): Change => ({
  op: 'write_tuples',
  store: 's',
  tuples: [{ object, relation: 'viewer', subject: 'user:u' }],
});

describe('a commit in the log', () => {
  it('comes back as it was', () => {
    const buffer = new ChangeBuffer();
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 400 }), fc.boolean(), u32, (edges, touchesStores, owner) => {
        buffer.reset();
        for (const { op, store, object, kinds, subject } of edges) buffer.add(op, store, object, kinds, subject);
        const notes = {
          id: 'c',
          time: 1,
          ...(touchesStores ? { stores: [{ store: 1, op: 'created', name: 's' } as const] } : {}),
        };
        const bytes = buffer.encode(notes, owner);
        expect(decodeCommit(bytes)).toEqual({ changes: edges, notes });
        expect(ownerOf(bytes)).toBe(owner);
        expect((bytes[0] as number) & TOUCHES_STORES).toBe(touchesStores ? TOUCHES_STORES : 0);
      }),
      { numRuns: 300, seed },
    );
  });

  it('is read to its own end, where lmdb hands it out in a longer buffer', () => {
    const buffer = new ChangeBuffer();
    buffer.add(WRITTEN, 1, 2, 3, 4);
    const notes = { id: 'c', time: 1 };
    const commit = buffer.encode(notes, 1);
    const longer = Buffer.concat([commit, Buffer.alloc(64, 1)]);
    Object.defineProperty(longer, 'length', { value: commit.length });
    expect(commitNotes(longer)).toEqual(notes);
  });
});

describe('a log of an earlier version', () => {
  it.each([
    { name: 'as text', events: '{"store":"s","bodies":[{"type":"user.login"}]}' },
    { name: 'as a list', events: [{ store: 's', body: { type: 'user.login' } }] },
  ])('holds events $name, which nothing reads any more', async ({ events }) => {
    scratch = await ScratchStore.openModelled();
    scratch.apply([write(1)]);
    scratch.apply([write(2), { op: 'create_store', store: 't' }]);
    for (const revision of [2, 3]) rewritten(scratch, revision, (notes) => ({ ...notes, events }));
    scratch = await scratch.reopen({ commitsMax: 3 });
    const { changes } = scratch.engine.store('s').changes(1, 10);
    expect(changes.map(({ tuples }) => tuples.length)).toEqual([1, 1]);
    expect(JSON.stringify(changes)).not.toContain('user.login');
    expect(await scratch.verify()).toMatchObject({ problems: [], revision: 3 });
    for (const n of [3, 4, 5]) scratch.apply([write(n)]);
    expect(scratch.engine.store('s').changes(4, 10).changes).toHaveLength(2);
    expect(scratch.tuples()).toHaveLength(5);
  });

  /** As the version would have written it. */
  function rewritten({ path }: ScratchStore, revision: number, change: (notes: object) => object): void {
    const tables = openTables({ path });
    const key = revisionKey(revision);
    const bytes = tables.log.getBinary(key) as Buffer;
    const { notes } = decodeCommit(bytes);
    const fixed = bytes.subarray(0, bytes.length - pack(notes).length);
    const larger = Buffer.concat([fixed, pack(change(notes))]);
    const size = Buffer.from('log-bytes');
    const stored = unpack<number>(tables.meta.getBinary(size) as Buffer);
    tables.root.transactionSync(() => {
      tables.log.putSync(key, larger);
      tables.meta.putSync(size, pack(stored + larger.length - bytes.length));
    });
    tables.root.close();
  }
});

describe('the kept log', () => {
  it.each([
    { name: 'no more than its commits', retention: { commitsMax: 7 }, expect: 7 },
    { name: 'its last commit, however large', retention: { bytesMax: 1 }, expect: 1 },
    { name: 'all within its bounds', retention: {}, expect: 41 },
  ])('keeps $name', async ({ retention, expect: kept }) => {
    scratch = await ScratchStore.openModelled(retention);
    for (let n = 0; n < 40; n++) scratch.apply([write(n)]);
    expect(await scratch.verify()).toMatchObject({ revision: 41, commits: kept });
    const store = scratch.engine.store('s');
    const oldest = 41 - kept;
    expect(store.changes(oldest, 100).changes.map(({ revision }) => revision)).toEqual(
      Array.from({ length: kept }, (_, i) => oldest + 1 + i),
    );
    if (oldest > 0) {
      expect(() => store.changes(oldest - 1, 100)).toThrow(
        expect.objectContaining({ code: 'revision_compacted', details: { oldest: oldest + 1 } }),
      );
    }
  });

  it('keeps no more than its bytes', async () => {
    scratch = await ScratchStore.openModelled({ bytesMax: 2000 });
    for (let n = 0; n < 100; n++) scratch.apply([write(n)]);
    const bytes = scratch
      .rows()
      .filter((row) => row.startsWith('log '))
      .reduce((sum, row) => sum + (row.split(' ')[2] ?? '').length / 2, 0);
    expect(bytes).toBeLessThanOrEqual(2000);
    expect(bytes).toBeGreaterThan(1500);
  });

  it('goes on after it was closed', async () => {
    scratch = await ScratchStore.openModelled({ commitsMax: 5 });
    for (let n = 0; n < 10; n++) scratch.apply([write(n)]);
    const again = await scratch.reopen({ commitsMax: 5 });
    scratch = again;
    for (let n = 10; n < 13; n++) scratch.apply([write(n)]);
    expect(await scratch.verify()).toMatchObject({ revision: 14, commits: 5 });
  });

  it('gives a refused command no revision', async () => {
    scratch = await ScratchStore.openModelled();
    scratch.batch([write(1)], [write(1, 'team:1')], [write(2)]);
    expect(
      scratch.engine
        .store('s')
        .changes(1, 10)
        .changes.map(({ revision }) => revision),
    ).toEqual([2, 3]);
  });
});

describe('a reader that follows the log', () => {
  const check = (object: string) =>
    scratch?.engine.store('s').check({ object, relation: 'viewer', subject: 'user:u' }).outcome;

  it.each([
    { name: 'every commit', given: 1 },
    { name: 'many commits at a time', given: 90 },
    { name: 'past what is kept', given: 150 },
    { name: 'past what is worth following', given: 10_500 },
  ])('is exact: $name', { timeout: 180_000 }, async ({ given: commits }) => {
    scratch = await ScratchStore.openModelled({ commitsMax: commits > 1000 ? 20_000 : 100 });
    const objects = Array.from({ length: 20 }, (_, n) => `doc:${n}`);
    for (let round = 0; round < 3; round++) {
      const present = new Set(objects.filter((object) => check(object) === 'allowed'));
      const batch = Array.from({ length: commits }, (_, n) => {
        const object = objects[(n * 7 + round) % objects.length] as string;
        const change = write(n, object);
        const isThere = present.has(object);
        if (isThere) present.delete(object);
        else present.add(object);
        return isThere ? [{ ...change, op: 'delete_tuples' } as Change] : [change];
      });
      scratch.batch(...batch);
      for (const object of objects) expect(check(object), object).toBe(present.has(object) ? 'allowed' : 'denied');
    }
  });

  it('sees a store that was made, and none that was deleted', async () => {
    scratch = await ScratchStore.openModelled();
    check('doc:1');
    scratch.batch([{ op: 'delete_store', store: 's' }], storeOf('t'));
    expect(scratch.engine.storeNames()).toEqual(['t']);
    expect(() => check('doc:1')).toThrow(expect.objectContaining({ code: 'unknown_store' }));
  });
});
