import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change, Command } from '../../../../engine/command/command.ts';
import { sequenceId } from '../../../../engine/store/records/sequence-id.ts';
import { parseTuple } from '../../../../engine/tuple.ts';
import { runsOf } from '../../../generated/extent.ts';
import { seed } from '../../../generated/seed.ts';
import { modelOf, ScratchStore, storeOf, TIME } from '../scratch-store.ts';

const STORES = ['s', 't', 'u'];
const RUNS = runsOf({ quick: 10, whole: 25 });
const RETENTION = { commitsMax: 20, bytesMax: 4000, storeBytesMax: 1500 };

const store = fc.constantFrom(...STORES);
const object = fc.constantFrom('doc:1', 'doc:2', 'group:1', 'group:2', `doc:${'long'.repeat(20)}`);
const tuple = fc
  .tuple(
    fc.constantFrom(
      'doc:1#viewer@user:1',
      'doc:1#viewer@user:*',
      'doc:2#viewer@group:1#member',
      'doc:2#owner@user:ü',
      'group:1#member@user:1',
      'group:1#member@group:2#member',
      `doc:${'long'.repeat(20)}#owner@user:2`,
    ),
    fc.constantFrom({}, {}, { expiresAt: TIME - 1 }, { expiresAt: TIME + 5 }, { condition: { name: 'recent' } }),
  )
  .map(([text, more]) => ({ ...parseTuple(text), ...more }));
const tuples = fc.array(tuple, { minLength: 1, maxLength: 4 });
const id = fc.constantFrom('a', 'b', '1');
const record = fc.record({
  collection: fc.constant('notes'),
  id,
  document: fc.oneof(
    fc.integer(),
    fc.record({ by: fc.constantFrom('Anne', 'bob'), size: fc.integer({ max: 3 }), isOpen: fc.boolean() }),
  ),
  // NUL is refused in the middle of the write.
  indexes: fc.constantFrom(
    {},
    { by: 'x' },
    { by: 'y', '#state': 'open' },
    { '#state': 'open' },
    { '#state': 'ended' },
    { by: '\0', '#state': 'open' },
  ),
  unique: fc.constantFrom({}, { key: '1' }, { key: '2' }),
});

const memberships = { subjectType: 'user', relations: ['group#member', 'doc#viewer'] };
const listings = [[], ['isOpen']].map((flags): Change => {
  const orders = ['by', 'size'].map((name) => ({ name, paths: [name] }));
  return {
    op: 'define_listing',
    definition: { collection: 'notes', orders, text: ['by'], flags, blockSize: 2, recentMax: 2, memberships },
  };
});

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('write_tuples' as const), store, tuples }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('delete_tuples' as const), store, tuples }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete_object' as const), store, object }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('put_record' as const), store, record }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('append_record' as const),
      store,
      collection: fc.constant('journal'),
      document: fc.integer(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('delete_record' as const),
      store,
      collection: fc.constant('journal'),
      id: fc.integer({ min: 1, max: 9 }).map(sequenceId),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant('delete_record' as const), store, collection: fc.constant('notes'), id }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('delete_store' as const), store }) },
  { weight: 1, arbitrary: store.map((name) => ({ op: 'create_store' as const, store: name })) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('write_model' as const),
      store,
      model: fc.constant(
        modelOf('m2', 'model\n  schema 1.1\ntype user\ntype team\n  relations\n    define lead: [user]\n'),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Change>({ op: 'sweep_expired', limit: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<Change>(...listings) },
  { weight: 3, arbitrary: fc.constant<Change>({ op: 'build_listings', limit: 2 }) },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 40 }).map((age): Change => ({ op: 'trim_log', before: TIME + age, limit: 3 })),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 1, max: 3 })
      .map((storeNumber): Change => ({ op: 'sweep_store', storeNumber, limit: 5 })),
  },
);

const commands = fc
  .array(
    fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((list): Command[] => [
    ...STORES.map((name) => ({ id: name, time: TIME, changes: storeOf(name) })),
    ...list.map((each, i) => ({ id: `c${i}`, time: TIME + i, ...each })),
  ]);

/** Applies commands in batches of these sizes, over and over, to a store of its own. */
async function applied(
  list: readonly Command[],
  sizes: readonly number[],
): Promise<{ outcomes: unknown[]; rows: string[] }> {
  const scratch = await ScratchStore.open(RETENTION);
  try {
    const outcomes: unknown[] = [];
    for (let at = 0, turn = 0; at < list.length; turn++) {
      const size = sizes[turn % sizes.length] as number;
      outcomes.push(...scratch.run(list.slice(at, at + size)));
      at += size;
    }
    expect((await scratch.verify()).problems).toEqual([]);
    return { outcomes, rows: scratch.rows() };
  } finally {
    await scratch.close();
  }
}

describe('the same commands', () => {
  it('leave the same bytes in every table and answer the same, however they are batched', {
    timeout: 120_000,
  }, async () => {
    const property = fc.asyncProperty(
      commands,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      async (list, sizes) => {
        const [alone, together, mixed] = await Promise.all([
          applied(list, [1]),
          applied(list, [list.length]),
          applied(list, sizes),
        ]);
        expect(together).toEqual(alone);
        expect(mixed).toEqual(alone);
      },
    );
    await fc.assert(property, { numRuns: RUNS, seed });
  });
});
