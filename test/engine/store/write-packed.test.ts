import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TuplePacker } from '../../../engine/command/pack-tuples.ts';
import type { PackedTuples } from '../../../engine/command/packed-tuples.ts';
import type { Store } from '../../../engine/index.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';
import { formatTuple, type Tuple } from '../../../engine/tuple.ts';
import { runsOf } from '../../generated/extent.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DSL = `model
  schema 1.1
type user
type group
  relations
    define member: [user, user:*, group#member, user with c]
type doc
  relations
    define parent: [doc]
    define viewer: [user, group#member, user with c]
condition c(a: int) {
  a > 0
}
`;

const ids = fc.constantFrom('1', '2', '3', 'ä', 'long-name-that-does-not-fit-one-slot-of-the-shared-table');
const user = ids.map((id) => `user:${id}`);
const group = ids.map((id) => `group:${id}`);
const doc = ids.map((id) => `doc:${id}`);
const plain = fc.oneof(
  fc.record({ object: group, relation: fc.constant('member'), subject: user }),
  fc.record({ object: group, relation: fc.constant('member'), subject: fc.constant('user:*') }),
  fc.record({ object: group, relation: fc.constant('member'), subject: group.map((each) => `${each}#member`) }),
  fc.record({ object: doc, relation: fc.constant('parent'), subject: doc }),
  fc.record({ object: doc, relation: fc.constant('viewer'), subject: user }),
);
const qualified = fc.record(
  {
    object: doc,
    relation: fc.constant('viewer'),
    subject: user,
    condition: fc.record({ name: fc.constant('c'), context: fc.record({ a: fc.nat(3) }) }),
    expiresAt: fc.integer({ min: 2_000_000_000_000, max: 2_000_000_000_003 }),
  },
  { requiredKeys: ['object', 'relation', 'subject'] },
);
const step = fc.record({
  op: fc.constantFrom('write', 'write', 'delete'),
  tuples: fc.array(fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: qualified }), { maxLength: 40 }),
});

let scratch: ScratchEngine;
let stores = 0;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
});
afterAll(() => scratch.close());

async function newStore(): Promise<Store> {
  const store = await scratch.engine.createStore(`s${stores++}`);
  await store.writeModel({ dsl: DSL });
  return store;
}

function writePacked(store: Store, packed: PackedTuples) {
  const { engine } = scratch;
  return engine.submit(engine.command([{ op: 'write_packed', store: store.name, packed }]));
}

function pack(tuples: readonly Tuple[]): PackedTuples {
  const packer = new TuplePacker();
  for (const tuple of tuples) packer.add(tuple);
  return packer.take();
}

function contents(store: Store): string[] {
  return store
    .readTuples({ limit: 10_000 })
    .tuples.map((tuple) => `${formatTuple(tuple)} ${JSON.stringify([tuple.condition, tuple.expiresAt])}`)
    .sort();
}

describe('write_packed', () => {
  it('leaves the same tuples as write_tuples does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const [packed, single] = [await newStore(), await newStore()];
        for (const { op, tuples } of steps as { op: string; tuples: Tuple[] }[]) {
          if (op === 'delete') {
            await packed.write({ deletes: tuples });
            await single.write({ deletes: tuples });
            continue;
          }
          const result = await writePacked(packed, pack(tuples));
          const expected = await single.write({ writes: tuples });
          // a tuple that one block writes twice is one change or two
          expect(result.tuplesChanged).toBeLessThanOrEqual(expected.tuplesChanged);
        }
        expect(contents(packed)).toEqual(contents(single));
        expect(packed.stats()).toEqual(single.stats());
      }),
      { numRuns: runsOf({ quick: 20, whole: 60 }) },
    );
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
  });

  it('tells of the tuples in the change log', async () => {
    const store = await newStore();
    const before = store.revision();
    await writePacked(store, pack([{ object: 'doc:1', relation: 'viewer', subject: 'user:1' }]));
    expect(store.changes(before, 10).changes).toMatchObject([
      { tuples: [{ op: 'write', tuple: { object: 'doc:1', relation: 'viewer', subject: 'user:1' } }] },
    ]);
  });

  it.each<{ name: string; given: (whole: PackedTuples) => PackedTuples; expect: string }>([
    {
      name: 'an unknown relation',
      given: (whole) => ({ ...whole, shapes: whole.shapes.map((shape) => ({ ...shape, relation: 'owner' })) }),
      expect: 'unknown_relation',
    },
    {
      name: 'an unknown type',
      given: (whole) => ({ ...whole, shapes: whole.shapes.map((shape) => ({ ...shape, subjectType: 'bot' })) }),
      expect: 'unknown_type',
    },
    { name: 'missing shapes', given: (whole) => ({ ...whole, shapes: [] }), expect: 'invalid_argument' },
    {
      name: 'missing names',
      given: (whole) => ({ ...whole, nameEnds: whole.nameEnds.slice(1) }),
      expect: 'invalid_argument',
    },
    {
      name: 'names cut short',
      given: (whole) => ({ ...whole, names: whole.names.slice(1) }),
      expect: 'invalid_argument',
    },
    {
      name: 'columns of unequal length',
      given: (whole) => ({ ...whole, subjects: whole.subjects.slice(1) }),
      expect: 'invalid_argument',
    },
  ])('refuses $name and writes nothing', async ({ given, expect: code }) => {
    const store = await newStore();
    const before = store.revision();
    const block = given(pack([{ object: 'doc:1', relation: 'viewer', subject: 'user:1' }]));
    await expect(writePacked(store, block)).rejects.toMatchObject({ code });
    expect(store.revision()).toBe(before);
    expect(store.stats()).toEqual({ tuples: 0 });
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
  });

  it('refuses tuples for a model that is no longer the latest', async () => {
    const store = await newStore();
    const { engine } = scratch;
    const { id } = store.model();
    await store.writeModel({ dsl: DSL });
    const packed = pack([{ object: 'doc:1', relation: 'viewer', subject: 'user:1' }]);
    const command = engine.command([{ op: 'write_packed', store: store.name, packed, modelId: id }]);
    await expect(engine.submit(command)).rejects.toMatchObject({ code: 'model_changed' });
  });
});

describe('a large write_packed', () => {
  it('takes more conditions and expiry times than a short map has room for', async () => {
    const store = await newStore();
    const before = store.revision();
    const tuples = Array.from({ length: 70_000 }, (_, i) => ({
      object: `doc:${i % 100}`,
      relation: 'viewer',
      subject: `user:${i}`,
      expiresAt: 4_000_000_000_000 + i,
    }));
    expect(await writePacked(store, pack(tuples))).toMatchObject({ tuplesChanged: 70_000 });
    expect(store.changes(before, 1).changes[0]?.tuples[69_999]).toEqual({ op: 'write', tuple: tuples[69_999] });
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
  });

  it('lists no more than half a million tuples in the log, and says so to who follows its own store', async () => {
    const store = await newStore();
    const packer = new TuplePacker();
    for (let i = 0; i <= 500_000; i++) packer.add({ object: 'doc:1', relation: 'viewer', subject: `user:${i}` });
    expect(store.check({ object: 'doc:1', relation: 'viewer', subject: 'user:400000' })).toEqual({ outcome: 'denied' });
    const before = store.revision();
    const other = await newStore();
    const { revision, tuplesChanged } = await writePacked(store, packer.take());
    expect(tuplesChanged).toBe(500_001);
    expect(store.check({ object: 'doc:1', relation: 'viewer', subject: 'user:400000' })).toEqual({
      outcome: 'allowed',
    });
    expect(() => store.changes(before, 10)).toThrow(expect.objectContaining({ code: 'revision_compacted' }));
    expect(store.changes(revision, 10).changes).toEqual([]);
    // nobody else has to read a store again for it
    expect(other.changes(before, 10).revision).toBe(revision);
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
  });
});

describe('TuplePacker', () => {
  it.each([
    { name: 'an object without a type', given: { object: 'doc', relation: 'viewer', subject: 'user:1' } },
    { name: 'a wildcard object', given: { object: 'doc:*', relation: 'viewer', subject: 'user:1' } },
    { name: 'a relation with a space', given: { object: 'doc:1', relation: 'a b', subject: 'user:1' } },
    {
      name: 'an id that is too long',
      given: { object: 'doc:1', relation: 'viewer', subject: `user:${'x'.repeat(257)}` },
    },
  ])('refuses $name', ({ given }) => {
    const packer = new TuplePacker();
    expect(() => packer.add(given)).toThrow(expect.objectContaining({ code: 'invalid_tuple' }));
    expect(packer.count).toBe(0);
  });
});
