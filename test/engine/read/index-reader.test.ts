import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IndexReader } from '../../../engine/read/index-reader.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const ids = ['a1', 'a2', 'a3', 'b1', 'b2', 'c9'];
const colour = (id: string): string => (id.startsWith('a') ? 'red' : id.startsWith('b') ? 'blue' : 'red and blue');

let scratch: ScratchEngine;
let index: IndexReader;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  const { engine } = scratch;
  const store = await engine.createStore('s');
  const put = (collection: string, id: string, key: string) =>
    ({ op: 'put_record', store: 's', record: { collection, id, document: {}, indexes: { colour: key } } }) as const;
  await engine.submit(
    engine.command([
      ...ids.map((id) => put('things', id, colour(id))),
      put('thing', 'z0', 'red'),
      put('things2', 'a0', 'red'),
    ]),
  );
  index = store.recordIndex('things');
});
afterAll(() => scratch.close());

describe('ids of a collection', () => {
  const everyRange = [undefined, '', 'a', 'a2', 'b1', 'b15', 'c9', 'd'];

  it.each([undefined, 'red', 'blue', 'red and blue', 'green'])('with the key %s, in every range and order', (key) => {
    const all = key === undefined ? ids : ids.filter((id) => colour(id) === key);
    const name = key === undefined ? undefined : 'colour';
    for (const from of everyRange) {
      for (const before of everyRange) {
        const expected = all.filter(
          (id) => (from === undefined || id >= from) && (before === undefined || id < before),
        );
        const range = { from, before };
        expect(index.count(name, key ?? '', range)).toBe(expected.length);
        for (const atMost of [1, 2, 5])
          expect(index.count(name, key ?? '', range, atMost)).toBe(Math.min(atMost, expected.length));
        expect(index.ids(name, key ?? '', { ...range, limit: 100 })).toEqual(expected);
        expect(index.ids(name, key ?? '', { ...range, limit: 2 })).toEqual(expected.slice(0, 2));
        expect(index.ids(name, key ?? '', { ...range, limit: 2, skip: 1 })).toEqual(expected.slice(1, 3));
        const backwards = expected.toReversed();
        expect(index.ids(name, key ?? '', { ...range, limit: 100, descending: true })).toEqual(backwards);
        expect(index.ids(name, key ?? '', { ...range, limit: 2, descending: true })).toEqual(backwards.slice(0, 2));
        const skipping = { ...range, limit: 2, descending: true, skip: 1 };
        expect(index.ids(name, key ?? '', skipping)).toEqual(backwards.slice(1, 3));
      }
    }
  });

  it('are tried one by one, and keys are told apart', () => {
    expect(index.has('colour', 'red', 'a1')).toBe(true);
    expect(index.has('colour', 'red', 'b1')).toBe(false);
    const others = ['a1', 'a', 'a10', 'ä', 'x'.repeat(128), 'x'.repeat(500), 'b1', 'a3'];
    expect(index.among('colour', 'red', others)).toEqual(['a1', 'a3']);
    expect(index.among('colour', 'green', others)).toEqual([]);
    expect(index.keys('colour', { limit: 10 })).toEqual(['blue', 'red', 'red and blue']);
    expect(index.keys('colour', { limit: 1 })).toEqual(['blue']);
    expect(index.keys('colour', { after: 'blue', limit: 10 })).toEqual(['red', 'red and blue']);
    expect(index.keys('size', { limit: 10 })).toEqual([]);
  });

  it('come in the order of their keys, up to one', () => {
    expect(index.idsBelow('colour', 'red', 10)).toEqual(['b1', 'b2']);
    expect(index.idsBelow('colour', 'red and', 10)).toEqual(['b1', 'b2', 'a1', 'a2', 'a3']);
    expect(index.idsBelow('colour', 'z', 10)).toEqual(['b1', 'b2', 'a1', 'a2', 'a3', 'c9']);
    expect(index.idsBelow('colour', 'z', 2)).toEqual(['b1', 'b2']);
    expect(index.idsBelow('colour', 'a', 10)).toEqual([]);
    expect(index.idsBelow('size', 'z', 10)).toEqual([]);
  });

  it('are counted by the writer where the name of the index says so', async () => {
    const { engine } = scratch;
    const counted = engine.store('s').recordIndex('counted');
    const put = (id: string, key: string) =>
      ({
        op: 'put_record',
        store: 's',
        record: { collection: 'counted', id, document: {}, indexes: { '#state': key } },
      }) as const;
    const drop = (id: string) => ({ op: 'delete_record', store: 's', collection: 'counted', id }) as const;
    const counts = () => ['open', 'ended'].map((key) => counted.counted('#state', key));
    await engine.submit(engine.command([put('a', 'open'), put('b', 'open'), put('c', 'ended')]));
    expect(counts()).toEqual([2, 1]);
    await engine.submit(engine.command([put('a', 'open'), put('b', 'ended'), drop('unknown')]));
    expect(counts()).toEqual([1, 2]);
    const conflict = engine.command([put('d', 'open')], {
      preconditions: [{ require: 'record_absent', store: 's', collection: 'counted', id: 'a' }],
    });
    await expect(engine.submit(conflict)).rejects.toMatchObject({ code: 'precondition_failed' });
    await engine.submit(engine.command([drop('a'), drop('c')]));
    expect(counts()).toEqual([0, 1]);
    expect(counts()).toEqual(['open', 'ended'].map((key) => counted.count('#state', key)));
  });
});
