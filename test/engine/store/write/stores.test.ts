import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { parseTuple } from '../../../../engine/tuple.ts';
import { MODEL, ScratchStore, storeOf, TIME } from '../scratch-store.ts';

const write = (store: string, text: string, more = {}): Change => ({
  op: 'write_tuples',
  store,
  tuples: [{ ...parseTuple(text), ...more }],
});
const put = (store: string, id: string): Change => ({
  op: 'put_record',
  store,
  record: { collection: 'notes', id, document: {}, indexes: { by: 'x' }, unique: { id } },
});
const fill = (store: string): Change[] => [
  ...['a', 'b', 'c'].map((id) => write(store, `doc:${id}#viewer@user:${id}`)),
  write(store, 'doc:d#viewer@user:d', { expiresAt: TIME + 10 }),
  write(store, 'doc:e#viewer@user:e', { condition: { name: 'recent' } }),
  ...['a', 'b'].map((id) => put(store, id)),
];

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

describe('a store', () => {
  it.each([
    { name: 'that exists', given: 's', code: 'store_exists' },
    { name: 'without a name', given: '', code: 'invalid_argument' },
    { name: 'with a name over 128 bytes', given: 'ü'.repeat(65), code: 'invalid_argument' },
  ])('$name cannot be created', ({ given, code }) => {
    expect(scratch.batch([{ op: 'create_store', store: given }])).toMatchObject([{ ok: false, code }]);
  });

  it('is gone for reads and writes once it is deleted, and its name is not given again', () => {
    scratch.apply(fill('s'));
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    expect(scratch.engine.storeNames()).toEqual([]);
    expect(() => scratch.engine.store('s')).toThrow(expect.objectContaining({ code: 'unknown_store' }));
    expect(
      scratch.batch([write('s', 'doc:a#viewer@user:a')], [{ op: 'create_store', store: 's' }], [put('s', 'a')]),
    ).toMatchObject([
      { ok: false, code: 'unknown_store' },
      { ok: false, code: 'store_exists' },
      { ok: false, code: 'unknown_store' },
    ]);
  });

  it('is not there for a command behind its deletion in the same batch', () => {
    expect(
      scratch.batch([write('s', 'doc:a#viewer@user:a')], [{ op: 'delete_store', store: 's' }], [put('s', 'a')]),
    ).toMatchObject([{ ok: true }, { ok: true }, { ok: false, code: 'unknown_store' }]);
  });

  it('gives its ids to no other', () => {
    scratch.apply(fill('s'));
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    scratch.apply(storeOf('t'));
    scratch.apply([write('t', 'doc:a#viewer@user:z')]);
    expect(scratch.tuples('t')).toEqual(['doc:a#viewer@user:z']);
    expect(scratch.engine.store('t').check({ object: 'doc:a', relation: 'viewer', subject: 'user:a' })).toEqual({
      outcome: 'denied',
    });
  });

  it('keeps the ids of names, also where a writer that was opened again has not met them', async () => {
    const tuples = ['doc:a#viewer@user:a', 'doc:é#viewer@user:a'];
    scratch.apply(tuples.map((text) => write('s', text)));
    scratch = await scratch.reopen();
    const [again] = scratch.batch(tuples.map((text) => write('s', text)));
    expect(again).toMatchObject({ ok: true, value: { tuplesChanged: 0 } });
    scratch.apply([write('s', 'doc:a#owner@user:é'), write('s', 'doc:b#viewer@user:a')]);
    expect(scratch.tuples()).toEqual([...tuples, 'doc:a#owner@user:é', 'doc:b#viewer@user:a'].toSorted());
  });
});

describe('sweep_store', () => {
  const sweep = (limit: number): Change => ({ op: 'sweep_store', storeNumber: 1, limit });

  it.each([1, 7, 1000])('removes a deleted store in steps of %i, and nothing else', async (limit) => {
    scratch.apply(storeOf('t'));
    scratch.apply([...fill('s'), ...fill('t')]);
    const kept = scratch.tuples('t');
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    const left = () =>
      scratch.rows().filter((row) => {
        const [table = '', key = ''] = row.split(' ');
        return !['meta', 'stores', 'expiry', 'log'].includes(table) && key.startsWith('00000001');
      }).length;
    let steps = 0;
    for (let before = left(); before > 0; steps++) {
      scratch.apply([sweep(limit)]);
      const now = left();
      expect(before - now).toBe(Math.min(limit, before));
      before = now;
    }
    expect(steps).toBeGreaterThan(1000 / limit / 50);
    expect(scratch.tuples('t')).toEqual(kept);
    expect(scratch.engine.store('t').records.list('notes')).toHaveLength(2);
    expect(await scratch.verify()).toMatchObject({ stores: 1, tuples: 5 });
  });

  it.each([
    { name: 'a store that is not deleted', given: 1 },
    { name: 'a store that never was', given: 9 },
  ])('refuses $name', ({ given }) => {
    scratch.apply(fill('s'));
    const before = scratch.rows();
    expect(scratch.batch([{ op: 'sweep_store', storeNumber: given, limit: 100 }])).toMatchObject([
      { ok: false, code: 'invalid_argument' },
    ]);
    expect(scratch.rows()).toEqual(before);
  });
});

describe('sweep_expired', () => {
  const sweep: Change = { op: 'sweep_expired', limit: 2 };
  const expiring = (id: string, expiresAt: number, more = {}) =>
    write('s', `doc:${id}#viewer@user:u`, { expiresAt, ...more });

  it('removes what had expired by its time, the longest expired first, and no more than its limit', () => {
    scratch.apply([
      expiring('c', TIME),
      expiring('a', TIME - 20, { condition: { name: 'recent' } }),
      expiring('b', TIME - 10),
      expiring('later', TIME + 1),
      write('s', 'doc:never#viewer@user:u'),
    ]);
    expect(scratch.apply([sweep]).tuplesChanged).toBe(2);
    expect(scratch.tuples()).toEqual([
      `doc:c#viewer@user:u until ${TIME}`,
      `doc:later#viewer@user:u until ${TIME + 1}`,
      'doc:never#viewer@user:u',
    ]);
    expect(scratch.apply([sweep]).tuplesChanged).toBe(1);
    expect(scratch.apply([sweep])).toEqual({ revision: 4, tuplesChanged: 0 });
    expect(scratch.apply([sweep], { time: TIME + 1 }).tuplesChanged).toBe(1);
    expect(scratch.tuples()).toEqual(['doc:never#viewer@user:u']);
  });

  it('leaves a tuple whose expiry was taken away or moved', () => {
    scratch.apply([expiring('a', TIME - 1), expiring('b', TIME - 1)]);
    scratch.apply([write('s', 'doc:a#viewer@user:u'), expiring('b', TIME + 5)]);
    expect(scratch.apply([sweep]).tuplesChanged).toBe(0);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:u', `doc:b#viewer@user:u until ${TIME + 5}`]);
  });

  it('reaches every store, and passes over deleted ones', () => {
    scratch.apply(storeOf('t'));
    scratch.apply([...fill('s'), ...fill('t')]);
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    expect(scratch.apply([sweep], { time: TIME + 10 }).tuplesChanged).toBe(1);
    expect(scratch.tuples('t')).not.toContainEqual(expect.stringContaining('until'));
    expect(scratch.rows().filter((row) => row.startsWith('expiry'))).toEqual([]);
  });

  it('can be undone by nothing but a write', () => {
    scratch.apply([expiring('a', TIME - 1)]);
    scratch.batch([sweep], [expiring('a', TIME + 1)]);
    expect(scratch.tuples()).toEqual([`doc:a#viewer@user:u until ${TIME + 1}`]);
  });
});

describe('write_model', () => {
  it('adds a version and keeps the ids of what the earlier one named', () => {
    scratch.apply([write('s', 'doc:a#viewer@user:a')]);
    const kinds = [...MODEL.kinds, ['team', ''], ['team', 'lead']] as const;
    scratch.apply([{ op: 'write_model', store: 's', model: { ...MODEL, id: 'm2', kinds } }]);
    expect(scratch.engine.store('s').modelIds()).toEqual(['m2', 'm1']);
    scratch.apply([{ ...write('s', 'doc:b#viewer@user:b'), modelId: 'm2' } as Change]);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:a', 'doc:b#viewer@user:b']);
  });
});
