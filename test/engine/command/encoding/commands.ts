import fc from 'fast-check';
import type { PackedChange, PackedCommand, Precondition } from '../../../../engine/command/command.ts';
import { TuplePacker } from '../../../../engine/command/pack-tuples.ts';
import type { Tuple } from '../../../../engine/tuple.ts';

/** Every UTF-16 code unit, also halves of pairs, and some texts that are long. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom('a'.repeat(63), 'ü'.repeat(64), '\u20ac'.repeat(65)) },
  { weight: 1, arbitrary: fc.constantFrom('\ud83d', `${'a'.repeat(100)}\udc00`, '__proto__', '') },
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 53 - 1, -(2 ** 53), 2 ** 32, 1e300, -0));
const keys = fc.option(fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }), { nil: undefined });
const store = fc.constantFrom('org:a', 'org:b');

/** What a context or a model may be made of. */
export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      text,
      number,
      fc.boolean(),
      fc.bigInt(),
      fc.date({ noInvalidDate: true }),
      fc.uint8Array({ maxLength: 40 }),
      fc.constantFrom(null, undefined),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const context = fc.dictionary(text, value, { maxKeys: 3, noNullPrototype: true });

const qualifier = fc.oneof(
  fc.constant({}),
  fc.record({ expiresAt: number }),
  fc.record({ condition: fc.record({ name: text }) }),
  fc.record({ condition: fc.record({ name: text, context }), expiresAt: number }),
);
const tuple: fc.Arbitrary<Tuple> = fc
  .tuple(fc.record({ object: text, relation: text, subject: text }), qualifier)
  .map(([bare, more]) => ({ ...bare, ...more }));
const tuples = fc.array(tuple, { maxLength: 3 });

const id = fc.string({ unit: fc.constantFrom('a', 'ü', '7'), minLength: 1, maxLength: 6 });
const packed = fc
  .array(fc.tuple(id, fc.tuple(id, fc.constantFrom('', '#member')), qualifier), { maxLength: 5 })
  .map((list) => {
    const packer = new TuplePacker();
    for (const [object, [subject, relation], more] of list) {
      packer.add({ object: `doc:${object}`, relation: 'viewer', subject: `group:${subject}${relation}`, ...more });
    }
    return packer.take();
  });

type Op = PackedChange['op'];
const op = <Name extends Op>(name: Name) => fc.constant(name);

/** One generator for each kind of change: a new kind does not compile until it stands here. */
export const changes: { readonly [Name in Op]: fc.Arbitrary<PackedChange> } = {
  write_tuples: fc.oneof(
    fc.record({ op: op('write_tuples'), store, tuples }),
    fc.record({ op: op('write_tuples'), store, tuples, modelId: text }),
  ),
  write_packed: fc.oneof(
    fc.record({ op: op('write_packed'), store, packed }),
    fc.record({ op: op('write_packed'), store, packed, modelId: text }),
  ),
  delete_tuples: fc.record({ op: op('delete_tuples'), store, tuples }),
  delete_object: fc.record({ op: op('delete_object'), store, object: text }),
  suspend_subject: fc.record({ op: op('suspend_subject'), store, subject: text }),
  restore_subject: fc.record({ op: op('restore_subject'), store, subject: text }),
  put_record: fc.record({
    op: op('put_record'),
    store,
    record: fc.record({ collection: text, id: text, json: text, indexes: keys, unique: keys }),
  }),
  delete_record: fc.record({ op: op('delete_record'), store, collection: text, id: text }),
  append_record: fc.record({ op: op('append_record'), store, collection: text, json: text }),
  append_chained: fc.record({
    op: op('append_chained'),
    store,
    chain: text,
    entry: text,
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  }),
  cut_chain: fc.record({ op: op('cut_chain'), store, chain: text, through: number }),
  write_model: fc.record({
    op: op('write_model'),
    store,
    model: fc.record({
      id: text,
      source: fc.record({ dsl: text }),
      json: value,
      kinds: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    }),
  }),
  create_store: fc.record({ op: op('create_store'), store: text }),
  delete_store: fc.record({ op: op('delete_store'), store: text }),
  sweep_store: fc.record({ op: op('sweep_store'), storeNumber: number, limit: number }),
  sweep_expired: fc.record({ op: op('sweep_expired'), limit: number }),
  trim_log: fc.record({ op: op('trim_log'), before: number, limit: number }),
  define_listing: fc.record({
    op: op('define_listing'),
    definition: fc.record(
      {
        collection: text,
        orders: fc.array(
          fc.record(
            { name: text, paths: fc.array(text, { maxLength: 2 }), isExact: fc.boolean() },
            { requiredKeys: ['name', 'paths'] },
          ),
          { maxLength: 3 },
        ),
        text: fc.array(text, { maxLength: 2 }),
        flags: fc.array(text, { maxLength: 2 }),
        blockSize: number,
        recentMax: number,
      },
      { requiredKeys: ['collection', 'orders', 'text', 'flags'] },
    ),
  }),
  build_listings: fc.record({ op: op('build_listings'), limit: number }),
};

const precondition: fc.Arbitrary<Precondition> = fc.oneof(
  fc.record({ require: fc.constantFrom('tuple_exists' as const, 'tuple_absent' as const), store, tuple }),
  fc.record({ require: fc.constant('record_absent' as const), store, collection: text, id: text }),
  fc.record({ require: fc.constant('record_version' as const), store, collection: text, id: text, version: number }),
  fc.record({
    require: fc.constant('records_at_most' as const),
    store,
    collection: text,
    key: fc.option(fc.record({ index: text, text }), { nil: undefined }),
    except: fc.option(text, { nil: undefined }),
    max: number,
  }),
  fc.record({ require: fc.constant('latest_model' as const), store, modelId: fc.option(text) }),
);

export const command: fc.Arbitrary<PackedCommand> = fc.record({
  id: text,
  time: number,
  preconditions: fc.option(fc.array(precondition, { maxLength: 3 }), { nil: undefined }),
  changes: fc.array(fc.oneof(...Object.values(changes)), { maxLength: 4 }),
});
