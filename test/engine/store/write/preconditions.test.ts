import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, Precondition } from '../../../../engine/command/command.ts';
import { MODEL, ScratchStore, TIME } from '../scratch-store.ts';

const at = { store: 's' } as const;
const tuple = (id: string, more = {}) => ({ object: `doc:${id}`, relation: 'viewer', subject: 'user:u', ...more });
const marker: Change = { op: 'write_tuples', ...at, tuples: [tuple('marker')] };

const atMost = { require: 'records_at_most', ...at, collection: 'tasks' } as const;
const by = (index: string, text: string) => ({ index, text });
const task = (id: string, state: string): Change => ({
  op: 'put_record',
  ...at,
  record: { collection: 'tasks', id, document: 0, indexes: { state }, unique: { name: id } },
});

const stored: readonly Change[] = [
  {
    op: 'write_tuples',
    ...at,
    tuples: [
      tuple('plain'),
      tuple('conditional', { condition: { name: 'recent' } }),
      tuple('expired', { expiresAt: TIME }),
      tuple('expiring', { expiresAt: TIME + 1 }),
      { ...tuple('public'), subject: 'user:*' },
      { ...tuple('shared'), subject: 'group:g#member' },
    ],
  },
  { op: 'put_record', ...at, record: { collection: 'notes', id: 'a', document: 1 } },
  { op: 'put_record', ...at, record: { collection: 'notes', id: 'a', document: 2 } },
  ...[task('a', 'open'), task('b', 'open'), task('c', 'done')],
  { op: 'put_record', ...at, record: { collection: 'tasks2', id: 'a', document: 1, indexes: { state: 'open' } } },
];

const rows: readonly { name: string; given: Precondition; expect: boolean }[] = [
  { name: 'a tuple that exists', given: { require: 'tuple_exists', ...at, tuple: tuple('plain') }, expect: true },
  { name: 'a tuple that does not', given: { require: 'tuple_exists', ...at, tuple: tuple('none') }, expect: false },
  {
    name: 'a tuple with known names that does not',
    given: { require: 'tuple_exists', ...at, tuple: { ...tuple('plain'), relation: 'owner' } },
    expect: false,
  },
  {
    name: 'a conditional tuple, whatever its condition',
    given: { require: 'tuple_exists', ...at, tuple: tuple('conditional') },
    expect: true,
  },
  {
    name: 'a tuple that expires at the command’s time',
    given: { require: 'tuple_exists', ...at, tuple: tuple('expired') },
    expect: false,
  },
  {
    name: 'a tuple that expires later',
    given: { require: 'tuple_exists', ...at, tuple: tuple('expiring') },
    expect: true,
  },
  {
    name: 'a wildcard',
    given: { require: 'tuple_exists', ...at, tuple: { ...tuple('public'), subject: 'user:*' } },
    expect: true,
  },
  {
    name: 'a subject that only a wildcard covers',
    given: { require: 'tuple_exists', ...at, tuple: tuple('public') },
    expect: false,
  },
  {
    name: 'a userset',
    given: { require: 'tuple_exists', ...at, tuple: { ...tuple('shared'), subject: 'group:g#member' } },
    expect: true,
  },
  { name: 'an absent tuple', given: { require: 'tuple_absent', ...at, tuple: tuple('none') }, expect: true },
  {
    name: 'an expired tuple as absent',
    given: { require: 'tuple_absent', ...at, tuple: tuple('expired') },
    expect: true,
  },
  {
    name: 'a present tuple as absent',
    given: { require: 'tuple_absent', ...at, tuple: tuple('plain') },
    expect: false,
  },
  {
    name: 'an absent record',
    given: { require: 'record_absent', ...at, collection: 'notes', id: 'b' },
    expect: true,
  },
  {
    name: 'a present record as absent',
    given: { require: 'record_absent', ...at, collection: 'notes', id: 'a' },
    expect: false,
  },
  {
    name: 'the record at its version',
    given: { require: 'record_version', ...at, collection: 'notes', id: 'a', version: 2 },
    expect: true,
  },
  {
    name: 'the record at an earlier version',
    given: { require: 'record_version', ...at, collection: 'notes', id: 'a', version: 1 },
    expect: false,
  },
  {
    name: 'a version of no record',
    given: { require: 'record_version', ...at, collection: 'notes', id: 'b', version: 1 },
    expect: false,
  },
  { name: 'as many records as there may be', given: { ...atMost, max: 3 }, expect: true },
  { name: 'more records than there may be', given: { ...atMost, max: 2 }, expect: false },
  { name: 'more than may be, but for one', given: { ...atMost, max: 2, except: 'c' }, expect: true },
  { name: 'more than may be, but for another', given: { ...atMost, max: 1, except: 'c' }, expect: false },
  { name: 'none of a collection', given: { ...atMost, collection: 'task', max: 0 }, expect: true },
  { name: 'as many of a key as may be', given: { ...atMost, key: by('state', 'open'), max: 2 }, expect: true },
  { name: 'more of a key than may be', given: { ...atMost, key: by('state', 'open'), max: 1 }, expect: false },
  { name: 'a key that is free', given: { ...atMost, key: by('state', 'ope'), max: 0 }, expect: true },
  { name: 'a unique key that is free', given: { ...atMost, key: by('name', 'z'), max: 0 }, expect: true },
  { name: 'a unique key that is held', given: { ...atMost, key: by('name', 'a'), max: 0 }, expect: false },
  {
    name: 'a unique key that its own record holds',
    given: { ...atMost, key: by('name', 'a'), except: 'a', max: 0 },
    expect: true,
  },
  { name: 'the latest model', given: { require: 'latest_model', ...at, modelId: MODEL.id }, expect: true },
  { name: 'another model', given: { require: 'latest_model', ...at, modelId: 'm0' }, expect: false },
  { name: 'no model', given: { require: 'latest_model', ...at, modelId: null }, expect: false },
];

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  scratch.apply(stored);
});

afterEach(() => scratch.close());

describe('a precondition', () => {
  it.each(rows)('on $name', ({ given, expect: holds }) => {
    const before = scratch.rows();
    const [outcome] = scratch.run([{ ...scratch.command([marker]), preconditions: [given] }]);
    if (holds) expect(outcome).toMatchObject({ ok: true });
    else {
      expect(outcome).toMatchObject({
        ok: false,
        code: 'precondition_failed',
        details: { path: 'preconditions/0', require: given.require },
      });
      expect(scratch.rows()).toEqual(before);
    }
  });

  it('that does not hold says what stands in the way', () => {
    const commandWith = (require: 'tuple_exists' | 'tuple_absent') => ({
      ...scratch.command([marker]),
      preconditions: [{ require, ...at, tuple: tuple('marker') }],
    });
    expect(scratch.run([commandWith('tuple_exists')])).toMatchObject([
      { message: expect.stringMatching(/^the tuple \S+#\S+@\S+ is not there$/) },
    ]);
    scratch.run([scratch.command([marker])]);
    expect(scratch.run([commandWith('tuple_absent')])).toMatchObject([
      { message: expect.stringMatching(/^the tuple \S+#\S+@\S+ is there$/) },
    ]);
  });

  it('is judged before every write of its own command', () => {
    const [outcome] = scratch.run([
      { ...scratch.command([marker]), preconditions: [{ require: 'tuple_absent', ...at, tuple: tuple('marker') }] },
    ]);
    expect(outcome).toMatchObject({ ok: true });
  });

  it('is named by its place', () => {
    const preconditions: Precondition[] = [
      { require: 'latest_model', ...at, modelId: MODEL.id },
      { require: 'tuple_exists', ...at, tuple: tuple('none') },
    ];
    expect(scratch.run([{ ...scratch.command([marker]), preconditions }])).toMatchObject([
      { details: { path: 'preconditions/1' } },
    ]);
  });

  it('lets one of two commands win', () => {
    const claim = () => ({
      ...scratch.command([
        { op: 'put_record', ...at, record: { collection: 'locks', id: 'x', document: {} } } as const,
      ]),
      preconditions: [{ require: 'record_absent', ...at, collection: 'locks', id: 'x' } as const],
    });
    expect(scratch.run([claim(), claim()])).toMatchObject([{ ok: true }, { ok: false, code: 'precondition_failed' }]);
  });

  it('counts what an earlier command of the same turn has put', () => {
    const create = (id: string) => ({
      ...scratch.command([task(id, 'new')]),
      preconditions: [{ ...atMost, key: by('state', 'new'), max: 0 } as const],
    });
    expect(scratch.run([create('d'), create('e')])).toMatchObject([
      { ok: true },
      { ok: false, code: 'precondition_failed', details: { object: 'tasks/state/new' } },
    ]);
  });

  it.each([
    {
      name: 'names an unknown store',
      given: { require: 'latest_model', store: 'x', modelId: null } as const,
      code: 'unknown_store',
    },
    {
      name: 'names an unknown type',
      given: { require: 'tuple_exists', ...at, tuple: tuple('a', { subject: 'team:1' }) } as const,
      code: 'unknown_type',
    },
    {
      name: 'is malformed',
      given: { require: 'tuple_exists', ...at, tuple: tuple('a', { subject: 'user' }) } as const,
      code: 'invalid_tuple',
    },
  ])('is refused where it $name', ({ given, code }) => {
    expect(scratch.run([{ ...scratch.command([marker]), preconditions: [given] }])).toMatchObject([
      { ok: false, code },
    ]);
  });
});
