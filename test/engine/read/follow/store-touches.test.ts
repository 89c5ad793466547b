import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const DSL = 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n';
const NAMES = ['a', 'b', 'c', 'd'] as const;

let scratch: ScratchEngine;
beforeEach(async () => {
  scratch = await ScratchEngine.open();
  for (const name of NAMES) await (await scratch.engine.createStore(name)).writeModel({ dsl: DSL });
});
afterEach(() => scratch.close());

const submit = (...changes: Change[]) => scratch.engine.submit(scratch.engine.command(changes));

function changeOf(store: string, kind: number): Change {
  const tuple = { object: 'doc:1', relation: 'viewer', subject: `user:${kind}` };
  if (kind % 3 === 0) return { op: 'write_tuples', store, tuples: [tuple] };
  if (kind % 3 === 1) return { op: 'append_record', store, collection: 'events', document: {} };
  return { op: 'put_record', store, record: { collection: 'things', id: `${kind}`, document: { kind } } };
}

const commit = fc.array(fc.record({ store: fc.constantFrom(...NAMES), kind: fc.nat(8) }), {
  minLength: 1,
  maxLength: 3,
});

describe('a follower of stores', () => {
  it('is told of each store that commits touched, and of no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(commit, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const follower = scratch.engine.followStores();
        for (const commits of rounds) {
          const touched = new Set<string>();
          for (const changes of commits) {
            const before = scratch.engine.revision();
            await submit(...changes.map(({ store, kind }) => changeOf(store, kind)));
            // a tuple that stands there already is no change, and a commit of such alone is none
            if (scratch.engine.revision() > before) {
              for (const { store, kind } of changes) if (kind % 3 !== 0) touched.add(store);
            }
          }
          const found = follower.next();
          if (found.isBehind) throw new Error('it fell behind');
          follower.advance(found);
          const possible = new Set(commits.flat().map(({ store }) => store as string));
          expect([...possible]).toEqual(expect.arrayContaining([...found.changes]));
          expect(found.changes).toEqual(expect.arrayContaining([...touched]));
          expect(new Set(found.changes).size).toBe(found.changes.length);
        }
        const last = follower.next();
        expect(last.isBehind || last.changes).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it('is told of a new store, of a new model, and not of a store that is gone', async () => {
    const follower = scratch.engine.followStores();
    await scratch.engine.createStore('new');
    await scratch.engine.store('a').writeModel({ dsl: DSL });
    await submit({ op: 'append_record', store: 'b', collection: 'events', document: {} });
    await scratch.engine.deleteStore('b');
    const found = follower.next();
    expect(found.isBehind || [...found.changes].sort()).toEqual(['a', 'new']);
  });

  it('is not told of commits that wrote records of ignored collections alone', async () => {
    const follower = scratch.engine.followStores(['uses', 'calls']);
    const put = (store: string, collection: string): Change => {
      return { op: 'put_record', store, record: { collection, id: '1', document: {} } };
    };
    await submit(put('a', 'uses'));
    await submit(put('b', 'uses'), put('b', 'things'));
    await submit(put('c', 'calls'), changeOf('c', 0));
    await submit(put('a', 'uses'), put('d', 'calls'));
    await submit({ op: 'delete_record', store: 'a', collection: 'uses', id: '1' });
    const found = follower.next();
    if (found.isBehind) throw new Error('it fell behind');
    expect([...found.changes].sort()).toEqual(['b', 'c']);
    follower.advance(found);
    await submit(put('b', 'calls'));
    expect(follower.next()).toMatchObject({ changes: [] });
    await submit(put('b', 'calls'), put('a', 'things'));
    expect(follower.next()).toMatchObject({ changes: expect.arrayContaining(['a']) });
  });

  it('goes on with a cursor after the engine was opened again', async () => {
    const { cursor } = scratch.engine.followStores();
    await submit(changeOf('c', 1), changeOf('d', 1));
    await scratch.reopen();
    const found = scratch.engine.followStores([], cursor).next();
    expect(found.isBehind || [...found.changes].sort()).toEqual(['c', 'd']);
  });
});

describe('what is known of stores', () => {
  it('is as it stands, while stores are made, remodelled and deleted', async () => {
    const { engine } = scratch;
    const follower = engine.followRecords(['things']);
    expect(engine.store('a').latestModelId()).toBe(engine.store('a').modelIds()[0]);
    const { modelId } = await engine.store('a').writeModel({ dsl: DSL });
    expect(engine.store('a').latestModelId()).toBe(modelId);
    await engine.createStore('e');
    await submit(changeOf('e', 2), changeOf('d', 2));
    await engine.deleteStore('d');
    const found = follower.next();
    expect(found.isBehind || found.changes.map(({ store }) => store)).toEqual(['e']);
    expect(engine.hasStore('d')).toBe(false);
    expect(() => engine.store('d')).toThrow(expect.objectContaining({ code: 'unknown_store' }));
    while (await engine.sweep(100));
    expect(await engine.sweep(100)).toBe(false);
    expect(engine.storeNames()).toEqual(['a', 'b', 'c', 'e']);
  });

  it('is shared where models are alike, and each keeps its own ids and answers', async () => {
    const { engine } = scratch;
    const ids = NAMES.map((name) => engine.store(name).latestModelId());
    expect(new Set(ids).size).toBe(NAMES.length);
    await submit(changeOf('a', 0));
    const question = { object: 'doc:1', relation: 'viewer', subject: 'user:0' };
    expect(NAMES.map((name) => engine.store(name).check(question).outcome)).toEqual([
      'allowed',
      'denied',
      'denied',
      'denied',
    ]);
    expect(NAMES.map((name) => engine.store(name).gate().modelId)).toEqual(ids);
  });
});
