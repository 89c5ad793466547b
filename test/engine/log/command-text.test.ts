import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedChange, PackedCommand, Precondition } from '../../../engine/log/command.ts';
import { batchOf, commandsOf } from '../../../engine/log/command-text.ts';
import type { Tuple } from '../../../engine/tuple.ts';
import { seed } from '../properties/seed.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const keys = fc.option(fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }), { nil: undefined });
const store = fc.constantFrom('org:a', 'org:b');
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((digest) => Buffer.from(digest));
const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:u' };

const ofRecord: fc.Arbitrary<PackedChange> = fc.oneof(
  fc.record({
    op: fc.constant('put_record' as const),
    store,
    record: fc.record({ collection: text, id: text, json: text, indexes: keys, unique: keys }),
  }),
  fc.record({ op: fc.constant('delete_record' as const), store, collection: text, id: text }),
  fc.record({ op: fc.constant('append_record' as const), store, collection: text, json: text }),
  fc.record({ op: fc.constant('append_chained' as const), store, chain: text, entry: text, digest: bytes }),
);
const bare = fc.array(fc.record({ object: text, relation: text, subject: text }), { maxLength: 3 });
const ofBareTuples: fc.Arbitrary<PackedChange> = fc.oneof(
  fc.record({ op: fc.constant('write_tuples' as const), store, tuples: bare }),
  fc.record({ op: fc.constant('write_tuples' as const), store, tuples: bare, modelId: text }),
  fc.record({ op: fc.constant('delete_tuples' as const), store, tuples: bare }),
);
const ofTuples: fc.Arbitrary<PackedChange> = fc.record({
  op: fc.constant('write_tuples' as const),
  store,
  tuples: fc.constant([{ ...tuple, condition: { name: 'recent', context: { at: new Date(0) } } }]),
});
const precondition: fc.Arbitrary<Precondition> = fc.oneof(
  fc.record({ require: fc.constant('record_absent' as const), store, collection: text, id: text }),
  fc.record({ require: fc.constant('record_version' as const), store, collection: text, id: text, version: fc.nat() }),
  fc.record({ require: fc.constant('latest_model' as const), store, modelId: fc.option(text) }),
  fc.record({ require: fc.constant('tuple_absent' as const), store, tuple: fc.constant(tuple) }),
);
const command: fc.Arbitrary<PackedCommand> = fc.record({
  id: text,
  time: fc.nat(),
  preconditions: fc.option(fc.array(precondition, { maxLength: 3 }), { nil: undefined }),
  changes: fc.array(fc.oneof({ weight: 4, arbitrary: ofRecord }, { weight: 2, arbitrary: ofBareTuples }, ofTuples), {
    maxLength: 4,
  }),
  events: fc.option(text, { nil: undefined }),
});

/** Whether bytes are a `Buffer` or not says nothing. */
function shown({ changes, ...rest }: PackedCommand) {
  return {
    ...rest,
    changes: changes.map((change) =>
      change.op === 'append_chained' ? { ...change, digest: Buffer.from(change.digest).toString('hex') } : change,
    ),
  };
}

describe('a batch of commands for another thread', () => {
  it('has the same commands in the same order when it arrives', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 6 }), (commands) => {
        expect(commandsOf(structuredClone(batchOf(commands))).map(shown)).toEqual(commands.map(shown));
      }),
      { numRuns: 500, seed },
    );
  });

  it('has commands of records and bare tuples as text, and the others as they are', () => {
    const put: PackedChange = { op: 'delete_record', store: 's', collection: 'c', id: 'i' };
    const write = (tuples: readonly Tuple[]): PackedChange => ({ op: 'write_tuples', store: 's', tuples });
    const cloned = [
      write([tuple, { ...tuple, condition: { name: 'recent' } }]),
      write([{ ...tuple, expiresAt: Number.POSITIVE_INFINITY }]),
      write([{ ...tuple, object: (() => 'doc:1') as unknown as string }]),
    ];
    const given = [[put], [put, write([tuple])], ...cloned.map((change) => [change]), [put]].map((changes, i) => {
      return { id: `${i}`, time: 1, changes };
    });
    expect(batchOf(given).cloned).toEqual(given.slice(2, 5));
  });
});
