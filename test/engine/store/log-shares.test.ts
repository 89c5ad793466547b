import { afterEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/command/command.ts';
import { DEFAULT_RETENTION } from '../../../engine/engine.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { pack, revisionKey } from '../../../engine/store/layout.ts';
import { ScratchStore, storeOf, TIME } from './scratch-store.ts';

let scratch: ScratchStore;

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

const write = (store: string, object: string): Change => ({
  op: 'write_tuples',
  store,
  tuples: [{ object, relation: 'viewer', subject: 'user:u' }],
});
const note = (store: string, id: string): Change => ({
  op: 'put_record',
  store,
  record: { collection: 'notes', id, document: {} },
});
/** A commit of one store that takes so many bytes in the log. */
const large = (store: string, name: string, bytes: number) => {
  const condition = { name: 'recent', context: { note: 'x'.repeat(bytes) } };
  const tuple = { object: `doc:${name}`, relation: 'viewer', subject: 'user:u', condition };
  return scratch.apply([{ op: 'write_tuples', store, tuples: [tuple] }], { id: name });
};
const revisions = (store: string, after: number) =>
  scratch.engine
    .store(store)
    .changes(after, 1000)
    .changes.map(({ revision }) => revision);
const compacted = expect.objectContaining({ code: 'revision_compacted' });

describe('the log that several stores share', () => {
  it('loses nothing of one store for 80 commits of a megabyte of another', async () => {
    scratch = await ScratchStore.openModelled(DEFAULT_RETENTION);
    scratch.apply(storeOf('t'));
    const { revision } = scratch.apply([write('t', 'doc:before')]);
    for (let n = 0; n < 80; n++) large('s', `${n}`, 2 ** 20);
    const { revision: last } = scratch.apply([write('t', 'doc:after')]);
    expect(revisions('t', 0)).toEqual([revision - 1, revision, last]);
    expect(() => revisions('s', revision)).toThrow(compacted);
    expect(revisions('s', last - 10)).toHaveLength(9);
  });

  it('loses nothing of one store for expired tuples of another', async () => {
    scratch = await ScratchStore.openModelled({ bytesMax: 12_000, storeBytesMax: 6_000 });
    scratch.apply(storeOf('t'));
    const expiring = (store: string, name: string): Change => ({
      op: 'write_tuples',
      store,
      tuples: [{ object: `doc:${name}`, relation: 'viewer', subject: 'user:u', expiresAt: TIME - 1 }],
    });
    const { revision } = scratch.apply([expiring('t', 'a')]);
    for (let n = 0; n < 200; n++) {
      scratch.apply([expiring('s', `${n}`), expiring('s', `more${n}`)]);
      scratch.apply([{ op: 'sweep_expired', limit: 10 }]);
    }
    scratch.apply([{ op: 'sweep_expired', limit: 10 }]);
    expect(scratch.tuples('t')).toEqual([]);
    expect(revisions('t', 0)).toEqual([revision - 1, revision, expect.any(Number)]);
    expect(() => revisions('s', revision)).toThrow(compacted);
  });

  it('removes commits of the store with the most bytes', async () => {
    scratch = await ScratchStore.openModelled({ bytesMax: 10_000 });
    scratch.apply(storeOf('t'));
    scratch.apply(storeOf('u'));
    const start = 3;
    for (let n = 0; n < 5; n++) large('t', `${n}`, 400);
    for (let n = 0; n < 30; n++) large('s', `${n}`, 300);
    for (let n = 0; n < 5; n++) large('u', `${n}`, 100);
    expect(revisions('t', start)).toEqual([4, 5, 6, 7, 8]);
    expect(revisions('u', start)).toHaveLength(5);
    expect(() => revisions('s', start)).toThrow(compacted);
    expect(revisions('s', start + 25)).not.toEqual([]);
  });

  it('keeps no more of one store than its own bound, even if there is room', async () => {
    scratch = await ScratchStore.openModelled({ storeBytesMax: 3000 });
    for (let n = 0; n < 20; n++) large('s', `${n}`, 300);
    expect(() => revisions('s', 13)).toThrow(compacted);
    expect(revisions('s', 14)).toEqual([15, 16, 17, 18, 19, 20, 21]);
  });

  it('forgets the same commits whether the writer was closed meanwhile or not', async () => {
    const bounds = { bytesMax: 6000, storeBytesMax: 2500 };
    const rows: string[][] = [];
    for (const reopens of [false, true]) {
      scratch = await ScratchStore.openModelled(bounds);
      for (const store of ['t', 'u']) scratch.apply(storeOf(store));
      for (let n = 0; n < 60; n++) {
        large(['s', 't', 'u'][(n * n) % 3] as string, `${n}`, 100 + ((n * 37) % 200));
        if (n % 7 === 0) scratch.apply([write('s', `doc:both${n}`), note('t', `both${n}`)], { id: `both${n}` });
        if (reopens && n % 13 === 0) scratch = await scratch.reopen(bounds);
      }
      rows.push(scratch.rows());
      if (!reopens) await scratch.close();
    }
    expect(rows[1]).toEqual(rows[0]);
  });

  it('marks every store that a removed commit touched', async () => {
    scratch = await ScratchStore.openModelled({ bytesMax: 2000 });
    scratch.apply(storeOf('t'));
    const { revision } = scratch.apply([write('s', 'doc:1'), write('t', 'doc:1')]);
    for (let n = 0; n < 30; n++) scratch.apply([write('s', `doc:${n}`), note('t', `${n}`)]);
    for (const store of ['s', 't']) expect(() => revisions(store, revision - 1)).toThrow(compacted);
  });

  it('forgets commits by their age', async () => {
    scratch = await ScratchStore.openModelled();
    scratch.apply(storeOf('t'));
    scratch.apply([write('t', 'doc:old')], { time: TIME + 10 });
    for (let n = 0; n < 5; n++) scratch.apply([write('s', `doc:${n}`)], { time: TIME + 20 + n });
    expect(await scratch.engine.trimLog(TIME, 100)).toBe(false);
    while (await scratch.engine.trimLog(TIME + 22, 2));
    expect(scratch.engine.revision()).toBe(8);
    expect(() => revisions('s', 4)).toThrow(compacted);
    expect(revisions('s', 5)).toEqual([6, 7, 8]);
    // nothing happened to it since
    expect(revisions('t', 3)).toEqual([]);
    while (await scratch.engine.trimLog(TIME + 1000, 2));
    expect(revisions('s', 7)).toEqual([8]);
  });

  it('of an earlier version is followed from where all of it is there', async () => {
    scratch = await ScratchStore.openModelled();
    for (let n = 0; n < 5; n++) scratch.apply([write('s', `doc:${n}`)]);
    const tables = openTables({ path: scratch.path });
    let bytes = 0;
    for (let n = 1; n <= 3; n++) {
      bytes += tables.log.getBinary(revisionKey(n))?.length ?? 0;
      await tables.log.remove(revisionKey(n));
    }
    const [before] = [...tables.log.getRange({})].map(({ value }) => value.length);
    expect(before).toBeGreaterThan(0);
    const left = [...tables.log.getRange({})].reduce((sum, { value }) => sum + value.length, 0);
    await tables.meta.put(Buffer.from('log-oldest'), revisionKey(4));
    await tables.meta.put(Buffer.from('log-bytes'), pack(left));
    await tables.meta.put(Buffer.from('format'), pack(2));
    await tables.root.close();
    expect(bytes).toBeGreaterThan(0);
    scratch = await scratch.reopen();
    expect(() => revisions('s', 2)).toThrow(compacted);
    expect(revisions('s', 3)).toEqual([4, 5, 6]);
  });
});

describe('a reader that follows slim entries', () => {
  const bounds = { storeBytesMax: 3000 };
  const check = (store: string, object: string) =>
    scratch.engine.store(store).check({ object, relation: 'viewer', subject: 'user:u' }).outcome;

  it('is exact about that store, and keeps what it has of others', async () => {
    scratch = await ScratchStore.openModelled(bounds);
    scratch.apply(storeOf('t'));
    scratch.apply([write('t', 'doc:1')]);
    scratch.apply([write('s', 'doc:0')]);
    expect([check('t', 'doc:1'), check('s', 'doc:0'), check('s', 'doc:1')]).toEqual(['allowed', 'allowed', 'denied']);
    scratch.batch(
      [write('s', 'doc:1')],
      [{ ...write('s', 'doc:0'), op: 'delete_tuples' } as Change],
      ...Array.from({ length: 100 }, (_, n) => [write('s', `doc:other${n}`)]),
    );
    const { misses } = scratch.engine.cacheCounts();
    expect(check('t', 'doc:1')).toBe('allowed');
    expect(scratch.engine.cacheCounts().misses).toBe(misses);
    expect([check('s', 'doc:0'), check('s', 'doc:1')]).toEqual(['denied', 'allowed']);
    expect(() => revisions('s', 4)).toThrow(compacted);
  });

  it('knows who was suspended and restored', async () => {
    scratch = await ScratchStore.openModelled(bounds);
    scratch.apply(storeOf('t'));
    for (const subject of ['user:u', 'user:v']) {
      scratch.apply([{ op: 'write_tuples', store: 's', tuples: [{ object: 'doc:1', relation: 'viewer', subject }] }]);
    }
    scratch.apply([{ op: 'suspend_subject', store: 's', subject: 'user:v' }]);
    const outcomes = () =>
      ['user:u', 'user:v'].map(
        (subject) => scratch.engine.store('s').check({ object: 'doc:1', relation: 'viewer', subject }).outcome,
      );
    expect(outcomes()).toEqual(['allowed', 'denied']);
    scratch.batch(
      [{ op: 'suspend_subject', store: 's', subject: 'user:u' }],
      [{ op: 'restore_subject', store: 's', subject: 'user:v' }],
      ...Array.from({ length: 100 }, (_, n) => [write('s', `doc:other${n}`)]),
    );
    expect(outcomes()).toEqual(['denied', 'allowed']);
  });

  it('is told of which stores records may have been touched', async () => {
    scratch = await ScratchStore.openModelled(bounds);
    scratch.apply(storeOf('t'));
    const { revision } = scratch.apply([note('t', 'a')]);
    scratch.apply([note('s', 'b')]);
    for (let n = 0; n < 100; n++) scratch.apply([write('s', `doc:${n}`)]);
    const { engine } = scratch;
    expect(engine.followRecords(['notes'], engine.cursor(revision - 1)).next()).toEqual({
      isBehind: false,
      since: revision - 1,
      changes: [{ store: 't', collection: 'notes', id: 'a' }],
      untold: ['s'],
      reached: revision + 101,
    });
  });
});
