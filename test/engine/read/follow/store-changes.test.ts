import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine, parseTuple, type Store, type StoreChangeEntry } from '../../../../engine/index.ts';
import { ScratchEngine } from '../../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type doc
  relations
    define viewer: [user, user:*, user with paid]
condition paid(amount: int) {
  amount > 0
}
`;

let scratch: ScratchEngine;
let store: Store;
let other: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('main');
  other = await scratch.engine.createStore('other');
  await store.writeModel({ dsl: DSL });
  await other.writeModel({ dsl: DSL });
});

afterEach(() => scratch.close());

const tuple = parseTuple;

/** All changes after a revision, read so many at a time. */
function readAll(from: Store, after: number, limit: number): StoreChangeEntry[] {
  const changes: StoreChangeEntry[] = [];
  for (let at = after; ; ) {
    const page = from.changes(at, limit);
    changes.push(...page.changes);
    if (page.revision === at) return changes;
    at = page.revision;
  }
}

describe('one entry per commit', () => {
  it('tells what was written and deleted, with conditions and expiry', async () => {
    const after = store.revision();
    const paid = { ...tuple('doc:1#viewer@user:ann'), condition: { name: 'paid', context: { amount: 3 } } };
    const brief = { ...tuple('doc:1#viewer@user:bob'), expiresAt: 4e12 };
    await store.write({ writes: [tuple('doc:1#viewer@user:*'), paid, brief] });
    await store.write({ deletes: [tuple('doc:1#viewer@user:ann'), tuple('doc:1#viewer@user:none')] });
    await store.write({ writes: [tuple('doc:1#viewer@user:bob')], deletes: [tuple('doc:1#viewer@user:*')] });
    const { changes, revision } = store.changes(after, 100);
    expect(changes.map((entry) => entry.tuples)).toEqual([
      [
        { op: 'write', tuple: tuple('doc:1#viewer@user:*') },
        { op: 'write', tuple: paid },
        { op: 'write', tuple: brief },
      ],
      [{ op: 'delete', tuple: tuple('doc:1#viewer@user:ann') }],
      [
        { op: 'delete', tuple: tuple('doc:1#viewer@user:*') },
        { op: 'write', tuple: tuple('doc:1#viewer@user:bob') },
      ],
    ]);
    expect(changes.map((entry) => entry.revision)).toEqual([after + 1, after + 2, after + 3]);
    expect(revision).toBe(after + 3);
  });

  it('tells models, records, the time and the command', async () => {
    const after = store.revision();
    const { modelId } = await store.writeModel({ dsl: DSL });
    const command = scratch.engine.command([
      { op: 'put_record', store: 'main', record: { collection: 'roles', id: 'r1', document: {} } },
      { op: 'write_tuples', store: 'main', tuples: [tuple('doc:1#viewer@user:ann')] },
    ]);
    await scratch.engine.submit(command);
    const remove = scratch.engine.command([{ op: 'delete_record', store: 'main', collection: 'roles', id: 'r1' }]);
    await scratch.engine.submit(remove);
    expect(store.changes(after, 100).changes).toEqual([
      {
        revision: after + 1,
        time: expect.any(Number),
        id: expect.any(String),
        tuples: [],
        records: [],
        models: [modelId],
        suspensions: [],
      },
      {
        revision: after + 2,
        time: command.time,
        id: command.id,
        tuples: [{ op: 'write', tuple: tuple('doc:1#viewer@user:ann') }],
        records: [{ collection: 'roles', id: 'r1', op: 'put' }],
        suspensions: [],
        models: [],
      },
      expect.objectContaining({ records: [{ collection: 'roles', id: 'r1', op: 'delete' }] }),
    ]);
  });

  it('has none for a commit that changed nothing', async () => {
    await store.write({ writes: [tuple('doc:1#viewer@user:ann')] });
    const after = store.revision();
    await store.write({ writes: [tuple('doc:1#viewer@user:ann')], deletes: [tuple('doc:9#viewer@user:ann')] });
    expect(store.changes(after, 100)).toEqual({ changes: [], revision: after });
  });
});

describe('pages', () => {
  it('go on from their revision, whatever their size', async () => {
    for (let i = 0; i < 7; i++) {
      await store.write({ writes: [tuple(`doc:${i}#viewer@user:ann`)] });
      await other.write({ writes: [tuple(`doc:${i}#viewer@user:eve`)] });
    }
    const whole = readAll(store, 0, 1000);
    expect(whole.flatMap((entry) => entry.tuples)).toHaveLength(7);
    for (const limit of [1, 2, 3]) expect(readAll(store, 0, limit)).toEqual(whole);
  });

  it('end after much content, never inside a commit', async () => {
    const after = store.revision();
    const many = (name: string) => Array.from({ length: 9_000 }, (_, i) => tuple(`doc:${name}${i}#viewer@user:ann`));
    for (const name of ['a', 'b', 'c']) await store.write({ writes: many(name) });
    const { changes, revision } = store.changes(after, 1000);
    expect(changes.map((entry) => entry.tuples.length)).toEqual([9_000, 9_000]);
    expect(store.changes(revision, 1000).changes).toHaveLength(1);
  });
});

describe('other stores', () => {
  it('are never shown, but their commits are passed', async () => {
    const after = store.revision();
    await other.write({ writes: [tuple('doc:1#viewer@user:eve')] });
    await scratch.engine.createStore('third');
    expect(store.changes(after, 100)).toEqual({ changes: [], revision: after + 2 });
  });

  it('share a commit, and each sees its own content', async () => {
    const after = store.revision();
    const both = scratch.engine.command([
      { op: 'write_tuples', store: 'main', tuples: [tuple('doc:1#viewer@user:ann')] },
      { op: 'write_tuples', store: 'other', tuples: [tuple('doc:1#viewer@user:eve')] },
      { op: 'put_record', store: 'other', record: { collection: 'roles', id: 'r', document: {} } },
    ]);
    await scratch.engine.submit(both);
    const [ours, ...none] = store.changes(after, 100).changes;
    expect(none).toEqual([]);
    expect(ours).toMatchObject({
      tuples: [{ tuple: tuple('doc:1#viewer@user:ann') }],
      records: [],
    });
    expect(ours?.tuples).toHaveLength(1);
  });
});

describe('refused', () => {
  const cases = [
    { name: 'a negative revision', after: -1, limit: 1, code: 'invalid_argument' },
    { name: 'half a revision', after: 0.5, limit: 1, code: 'invalid_argument' },
    { name: 'limit 0', after: 0, limit: 0, code: 'invalid_argument' },
    { name: 'limit 10001', after: 0, limit: 10_001, code: 'invalid_argument' },
    { name: 'a revision still to come', after: 1_000_000, limit: 1, code: 'revision_ahead' },
  ];
  it('the revision after the latest, and not the latest itself', () => {
    const latest = store.revision();
    expect(store.changes(latest, 1)).toEqual({ changes: [], revision: latest });
    expect(() => store.changes(latest + 1, 1)).toThrowError(
      expect.objectContaining({ code: 'revision_ahead', details: { latest } }),
    );
  });

  for (const { name, after, limit, code } of cases) {
    it(name, () => expect(() => store.changes(after, limit)).toThrowError(expect.objectContaining({ code })));
  }

  it('revisions that are no longer kept, and only those', async () => {
    await scratch.engine.close();
    scratch.engine = await Engine.open({ path: scratch.path, retention: { commitsMax: 3 } });
    store = scratch.engine.store('main');
    for (let i = 0; i < 6; i++) await store.write({ writes: [tuple(`doc:${i}#viewer@user:ann`)] });
    const latest = store.revision();
    // the third that is kept is another store's
    expect(() => store.changes(latest - 3, 10)).toThrowError(
      expect.objectContaining({ code: 'revision_compacted', details: { oldest: latest - 1 } }),
    );
    expect(store.changes(latest - 2, 10).changes).toHaveLength(2);
  });
});
