import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { parseTuple, type Tuple } from '../../../../engine/tuple.ts';
import { ScratchStore, TIME } from '../scratch-store.ts';

type Qualifier = Pick<Tuple, 'condition' | 'expiresAt'>;

const TEXT = 'doc:1#viewer@user:u';
const tuple = (more: Qualifier = {}, text = TEXT): Tuple => ({ ...parseTuple(text), ...more });
const write = (...tuples: Tuple[]): Change => ({ op: 'write_tuples', store: 's', tuples });
const remove = (...texts: string[]): Change => ({
  op: 'delete_tuples',
  store: 's',
  tuples: texts.map((text) => parseTuple(text)),
});
const recent = (age: number): Qualifier => ({ condition: { name: 'recent', context: { age } } });

const forms: readonly { name: string; given: Qualifier; expect: string }[] = [
  { name: 'plain', given: {}, expect: TEXT },
  { name: 'conditional', given: recent(1), expect: `${TEXT} with recent {"age":1}` },
  { name: 'with another context', given: recent(2), expect: `${TEXT} with recent {"age":2}` },
  { name: 'conditional without context', given: { condition: { name: 'recent' } }, expect: `${TEXT} with recent {}` },
  { name: 'expiring', given: { expiresAt: TIME + 5 }, expect: `${TEXT} until ${TIME + 5}` },
  { name: 'expiring later', given: { expiresAt: TIME + 9 }, expect: `${TEXT} until ${TIME + 9}` },
  {
    name: 'conditional and expiring',
    given: { ...recent(1), expiresAt: TIME + 5 },
    expect: `${TEXT} with recent {"age":1} until ${TIME + 5}`,
  },
];
const pairs = forms.flatMap((first) =>
  forms.map((second) => ({ name: `${first.name}, then ${second.name}`, first, second })),
);

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

describe('a tuple', () => {
  it.each(pairs)('written twice is one: $name', ({ first, second }) => {
    scratch.apply([write(tuple(first.given))]);
    const { tuplesChanged } = scratch.apply([write(tuple(second.given))]);
    expect(tuplesChanged).toBe(first === second ? 0 : 1);
    expect(scratch.tuples()).toEqual([second.expect]);
    expect(scratch.engine.store('s').stats().tuples).toBe(1);
  });

  it.each(pairs)('written twice by one command is the second: $name', ({ first, second }) => {
    scratch.apply([write(tuple(first.given), tuple(second.given))]);
    expect(scratch.tuples()).toEqual([second.expect]);
  });

  it.each(forms)('is deleted by its name alone: $name', ({ given }) => {
    scratch.apply([write(tuple(given), tuple({}, 'doc:2#viewer@user:u'))]);
    expect(scratch.apply([remove(TEXT)]).tuplesChanged).toBe(1);
    expect(scratch.tuples()).toEqual(['doc:2#viewer@user:u']);
    expect(scratch.apply([remove(TEXT)]).tuplesChanged).toBe(0);
  });

  it('that was deleted and written by one command is there', () => {
    scratch.apply([write(tuple())]);
    scratch.apply([remove(TEXT), write(tuple(recent(1)))]);
    expect(scratch.tuples()).toEqual([`${TEXT} with recent {"age":1}`]);
  });

  it('keeps apart what differs in one part alone', () => {
    const texts = [
      TEXT,
      'doc:1#owner@user:u',
      'doc:1#viewer@user:*',
      'doc:1#viewer@group:u#member',
      'doc:1#viewer@user:u2',
      'doc:u#viewer@user:1',
    ];
    scratch.apply([write(...texts.map((text) => tuple({}, text)))]);
    expect(scratch.tuples()).toEqual(texts.toSorted());
    for (const text of texts) scratch.apply([remove(text)]);
    expect(scratch.tuples()).toEqual([]);
  });

  it.each([
    { name: 'an unknown type of object', given: 'folder:1#viewer@user:u', code: 'unknown_type' },
    { name: 'an unknown relation', given: 'doc:1#editor@user:u', code: 'unknown_relation' },
    { name: 'an unknown type of subject', given: 'doc:1#viewer@team:u', code: 'unknown_type' },
    { name: 'an unknown relation of the subject', given: 'doc:1#viewer@group:g#boss', code: 'unknown_relation' },
    { name: 'no id', given: 'doc:#viewer@user:u', code: 'invalid_tuple' },
    { name: 'a wildcard as object', given: 'doc:*#viewer@user:u', code: 'invalid_tuple' },
  ])('is refused with $name, and its command with it', ({ given, code }) => {
    const before = scratch.rows();
    expect(scratch.batch([write(tuple(), tuple({}, given))])).toMatchObject([{ ok: false, code }]);
    expect(scratch.batch([write(tuple()), remove(given)])).toMatchObject([{ ok: false, code }]);
    expect(scratch.rows()).toEqual(before);
  });

  it('is refused where its model is no longer the latest', () => {
    const given = { ...write(tuple()), modelId: 'm0' } as Change;
    expect(scratch.batch([given])).toMatchObject([{ ok: false, code: 'model_changed' }]);
  });
});

describe('delete_object', () => {
  const texts = [
    'group:g#member@user:a',
    'group:g#member@group:g#member',
    'group:g#member@group:h#member',
    'group:h#member@group:g#member',
    'doc:1#viewer@group:g#member',
    'doc:2#viewer@group:gg#member',
    'doc:3#viewer@user:g',
  ];
  const others = ['doc:2#viewer@group:gg#member', 'doc:3#viewer@user:g'];

  it('removes every tuple that names the object on either side', () => {
    scratch.apply([write(...texts.map((text) => tuple({}, text)), tuple(recent(1), 'doc:9#viewer@group:g#member'))]);
    scratch.apply([write(tuple({ expiresAt: TIME + 1 }, 'group:g#member@user:b'))]);
    expect(scratch.apply([{ op: 'delete_object', store: 's', object: 'group:g' }]).tuplesChanged).toBe(7);
    expect(scratch.tuples()).toEqual(others);
  });

  it('sees what its own command wrote before it', () => {
    scratch.apply([
      write(...texts.map((text) => tuple({}, text))),
      { op: 'delete_object', store: 's', object: 'group:g' },
      write(tuple({}, 'group:g#member@user:z')),
    ]);
    expect(scratch.tuples()).toEqual([...others, 'group:g#member@user:z']);
  });

  it.each(['group:unknown', 'user:*', 'no object', ''])('does nothing for %j', (object) => {
    scratch.apply([write(tuple({}, 'doc:1#viewer@user:*'))]);
    expect(scratch.apply([{ op: 'delete_object', store: 's', object }]).tuplesChanged).toBe(0);
  });
});
