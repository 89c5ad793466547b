import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { ScratchStore } from '../scratch-store.ts';

const tuple = (object: string, subject: string) => ({ object: `doc:${object}`, relation: 'viewer', subject });
const write = (object: string, subject = 'user:u'): Change => ({
  op: 'write_tuples',
  store: 's',
  tuples: [tuple(object, subject)],
});
const record = (id: string, more = {}): Change => ({
  op: 'put_record',
  store: 's',
  record: { collection: 'notes', id, document: { id }, ...more },
});
const circular: { self?: unknown } = {};
circular.self = circular;

/** Changes that are refused where they are written, when others of their command stand already. */
const poisons: readonly { name: string; given: Change; code: string }[] = [
  { name: 'an index key with NUL', given: record('bad', { indexes: { by: 'a\0b' } }), code: 'invalid_argument' },
  {
    name: 'a tuple context that cannot be packed',
    given: {
      op: 'write_tuples',
      store: 's',
      tuples: [{ ...tuple('bad', 'user:bad'), condition: { name: 'recent', context: circular } }],
    },
    code: 'invalid_argument',
  },
];

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(() => scratch.close());

describe('a batch', () => {
  it('gives each command its own revision, in order', () => {
    expect(scratch.batch([write('a')], [write('b')], [write('c')])).toEqual(
      [2, 3, 4].map((revision) => ({ ok: true, value: { revision, tuplesChanged: 1 } })),
    );
    expect(scratch.engine.revision()).toBe(4);
  });

  it('lets a later command see what an earlier one wrote', () => {
    const outcomes = scratch.run([
      scratch.command([write('a')]),
      {
        ...scratch.command([write('b')]),
        preconditions: [{ require: 'tuple_exists', store: 's', tuple: tuple('a', 'user:u') }],
      },
    ]);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
  });

  it('refuses one and applies the others', async () => {
    const outcomes = scratch.batch([write('a')], [write('b', 'team:1')], [write('c')]);
    expect(outcomes).toMatchObject([{ ok: true }, { ok: false, code: 'unknown_type' }, { ok: true }]);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:u', 'doc:c#viewer@user:u']);
    expect(await scratch.verify()).toMatchObject({ problems: [], commits: 3 });
  });

  it.each(poisons)('rolls back $name alone and wholly', async ({ given, code }) => {
    const outcomes = scratch.batch(
      [write('a'), record('r1', { unique: { key: 'one' } })],
      [write('half'), record('half', { unique: { key: 'half' }, indexes: { by: 'half' } }), given],
      [write('c'), record('r2', { unique: { key: 'half' } })],
    );
    expect(outcomes).toMatchObject([
      { ok: true, value: { revision: 2 } },
      { ok: false, code },
      { ok: true, value: { revision: 3 } },
    ]);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:u', 'doc:c#viewer@user:u']);
    const { records } = scratch.engine.store('s');
    expect(records.list('notes').map(({ id }) => id)).toEqual(['r1', 'r2']);
    expect(records.byIndex('notes', 'by', undefined).entries).toEqual([]);
    expect(await scratch.verify()).toMatchObject({ problems: [], revision: 3, commits: 3 });
  });

  it.each(poisons)('counts what stands after $name, over transactions', async ({ given }) => {
    const counted = (id: string, kind: string) => record(id, { indexes: { '#kind': kind } });
    scratch.batch(
      [counted('r1', 'x'), counted('r2', 'x')],
      [counted('half', 'x'), counted('r1', 'y'), given],
      [counted('r2', 'y'), counted('r3', 'x')],
      [{ op: 'create_store', store: 's' }, counted('r4', 'x')],
    );
    scratch.batch([counted('r5', 'x')], [{ op: 'delete_record', store: 's', collection: 'notes', id: 'r1' }], [given]);
    const index = scratch.engine.store('s').recordIndex('notes');
    expect([index.counted('#kind', 'x'), index.counted('#kind', 'y')]).toEqual([2, 1]);
    expect(await scratch.verify()).toMatchObject({ problems: [] });
  });

  it.each(poisons)('is left unharmed by $name alone', async ({ given, code }) => {
    expect(scratch.batch([given])).toMatchObject([{ ok: false, code }]);
    expect(scratch.apply([write('a')])).toEqual({ revision: 2, tuplesChanged: 1 });
    expect(await scratch.verify()).toMatchObject({ problems: [] });
  });

  it('forgets the names of what it rolled back', async () => {
    // The refused command is first, so that its names had the ids which the others then get.
    scratch.batch(
      [write('lost', 'user:lost'), ...poisons.slice(0, 1).map(({ given }) => given)],
      [write('a', 'user:a')],
    );
    scratch.batch([write('lost', 'user:b')], [write('b', 'user:lost')]);
    expect(scratch.tuples()).toEqual(['doc:a#viewer@user:a', 'doc:b#viewer@user:lost', 'doc:lost#viewer@user:b']);
    expect(await scratch.verify()).toMatchObject({ problems: [] });
  });

  it('publishes no name before it is durable', async () => {
    const poison = poisons[0]?.given as Change;
    // The second is refused in a child transaction, after which the third finds the first one's names in the table.
    scratch.batch(
      [write('a', 'user:a')],
      [{ op: 'create_store', store: 's' }],
      [write('a', 'user:a2')],
      [write('gone', 'user:gone'), poison],
    );
    scratch.batch([write('z', 'user:z')], [write('gone', 'user:a')]);
    expect(scratch.tuples()).toEqual([
      'doc:a#viewer@user:a',
      'doc:a#viewer@user:a2',
      'doc:gone#viewer@user:a',
      'doc:z#viewer@user:z',
    ]);
    expect(await scratch.verify()).toMatchObject({ problems: [] });
  });

  it('answers a command the same whatever else is in it', () => {
    const drop = (id: string): Change => ({ op: 'delete_record', store: 's', collection: 'notes', id });
    const key = { unique: { key: 'k' } };
    const commands = [
      { given: [drop('old'), record('new', key)], expect: { ok: true } },
      { given: [record('new', key), drop('old')], expect: { ok: false, code: 'conflict' } },
    ];
    for (const { given, expect: expected } of commands) {
      for (const other of [[], [poisons[0]?.given as Change], [{ op: 'create_store', store: 's' } as const]]) {
        scratch.apply([drop('new'), record('old', key)]);
        expect(scratch.batch(given, other)[0]).toMatchObject(expected);
      }
    }
  });

  it('gives a command that changes nothing the revision before it, and no place in the log', async () => {
    scratch.apply([write('a')]);
    expect(scratch.apply([write('a')])).toEqual({ revision: 2, tuplesChanged: 0 });
    expect(scratch.apply([])).toEqual({ revision: 2, tuplesChanged: 0 });
    expect(await scratch.verify()).toMatchObject({ revision: 2, commits: 2 });
  });

  it('creates a store, its model and its tuples in one command', async () => {
    const more: Change[] = [
      { op: 'create_store', store: 't' },
      { op: 'create_store', store: 's' },
    ];
    expect(scratch.batch(more, [write('a')])).toMatchObject([{ ok: false, code: 'store_exists' }, { ok: true }]);
    expect(scratch.engine.storeNames()).toEqual(['s']);
    expect(await scratch.verify()).toMatchObject({ problems: [], stores: 1 });
  });
});
