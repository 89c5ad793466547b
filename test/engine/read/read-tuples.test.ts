import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError, formatTuple, type Store, type Tuple, type TupleFilter } from '../../../engine/index.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DSL = `
model
  schema 1.1
type user
type team
  relations
    define member: [user, team#member]
type folder
  relations
    define viewer: [user, user:*, team#member, user with in_office]
type doc
  relations
    define parent: [folder]
    define viewer: [user, user:*, team#member, user with in_office] or viewer from parent
condition in_office(floor: int) {
  floor > 2
}
`;

const STORED: readonly Tuple[] = [
  ...tuples(
    'team:a#member@user:ann',
    'team:a#member@user:bob',
    'team:b#member@team:a#member',
    'team:b#member@user:cat',
  ),
  ...tuples('folder:x#viewer@user:*', 'folder:x#viewer@team:b#member'),
  ...tuples('doc:1#parent@folder:x', 'doc:1#viewer@user:ann', 'doc:1#viewer@team:a#member', 'doc:2#viewer@user:ann'),
  { object: 'doc:2', relation: 'viewer', subject: 'user:bob', condition: { name: 'in_office', context: { floor: 3 } } },
  { object: 'doc:2', relation: 'viewer', subject: 'user:cat', expiresAt: 1 },
  { object: 'doc:3', relation: 'viewer', subject: 'user:dan', condition: { name: 'in_office' }, expiresAt: 4e12 },
  ...tuples('doc:3#viewer@user:*', 'doc:3#viewer@user:a@b:c'),
];

function tuples(...texts: string[]): Tuple[] {
  return texts.map((text) => {
    const [object = '', rest = ''] = [text.slice(0, text.indexOf('#')), text.slice(text.indexOf('#') + 1)];
    const at = rest.indexOf('@');
    return { object, relation: rest.slice(0, at), subject: rest.slice(at + 1) };
  });
}

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('main');
  await store.writeModel({ dsl: DSL });
  await store.write({ writes: STORED });
  // Another store with the same names must not show.
  const other = await scratch.engine.createStore('other');
  await other.writeModel({ dsl: DSL });
  await other.write({ writes: tuples('doc:1#viewer@user:zoe', 'team:a#member@user:zoe') });
});

afterAll(() => scratch.close());

/** Reads page by page and counts the pages. */
function readAll(filter: TupleFilter, from = store): { found: Tuple[]; pages: number } {
  const found: Tuple[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = from.readTuples({ ...filter, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.tuples);
    cursor = page.cursor;
    pages++;
  } while (cursor !== undefined);
  return { found, pages };
}

function matches(filter: TupleFilter, tuple: Tuple): boolean {
  const isOf = (wanted: string | undefined, text: string) =>
    wanted === undefined || (wanted.endsWith(':') ? text.startsWith(wanted) : text === wanted);
  return (
    isOf(filter.object, tuple.object) &&
    isOf(filter.subject, tuple.subject) &&
    (filter.relation === undefined || filter.relation === tuple.relation)
  );
}

const byText = (a: Tuple, b: Tuple) => formatTuple(a).localeCompare(formatTuple(b));

describe('what a filter matches', () => {
  const objects = [
    undefined,
    'doc:1',
    'doc:2',
    'doc:',
    'team:b',
    'team:',
    'folder:',
    'user:',
    'doc:none',
    'none:',
    'none:1',
  ];
  const relations = [undefined, 'viewer', 'member', 'parent', 'none'];
  const subjects = [
    ...[undefined, 'user:ann', 'user:*', 'user:', 'team:a#member', 'team:', 'folder:x', 'user:a@b:c', 'user:none'],
    ...['team:a', 'team:a#none', 'none:', 'none:*', 'user:ann#member'],
  ];
  for (const object of objects) {
    it(`object ${object}, with every relation and subject`, () => {
      for (const relation of relations) {
        for (const subject of subjects) {
          const filter = {
            ...(object === undefined ? {} : { object }),
            ...(relation === undefined ? {} : { relation }),
            ...(subject === undefined ? {} : { subject }),
          };
          const expected = STORED.filter((tuple) => matches(filter, tuple)).sort(byText);
          for (const limit of [1, 2, 1000]) {
            const { found } = readAll({ ...filter, limit });
            expect(found.toSorted(byText), JSON.stringify({ ...filter, limit })).toEqual(expected);
          }
        }
      }
    });
  }
});

describe('pages', () => {
  it('have the size that was asked for, and only the last has no cursor', () => {
    const first = store.readTuples({ limit: 5 });
    expect(first.tuples).toHaveLength(5);
    expect(first.cursor).toMatch(/^[\w-]+$/);
    expect(readAll({ limit: 5 }).pages).toBe(3);
    expect(readAll({ limit: STORED.length }).pages).toBe(1);
  });

  it('keep one order, whatever their size', () => {
    for (const filter of [{}, { object: 'doc:' }, { subject: 'user:' }, { object: 'doc:1' }, { subject: 'user:ann' }]) {
      expect(readAll({ ...filter, limit: 2 }).found).toEqual(readAll(filter).found);
    }
  });

  it('show what stayed exactly once while other tuples come and go', async () => {
    const kept = tuples('team:k#member@user:k1', 'team:k#member@user:k3', 'team:k#member@user:k5');
    const gone = tuples('team:k#member@user:k2');
    await store.write({ writes: [...kept.slice(0, 1), ...gone, ...kept.slice(1)] });
    const first = store.readTuples({ object: 'team:k', limit: 2 });
    await store.write({
      deletes: [...gone, ...tuples('team:a#member@user:bob')],
      writes: tuples('team:k#member@user:new'),
    });
    const rest = store.readTuples({ object: 'team:k', limit: 100, cursor: first.cursor as string });
    const seen = [...first.tuples, ...rest.tuples].map(({ subject }) => subject);
    expect(seen).toEqual(['user:k1', 'user:k2', 'user:k3', 'user:k5', 'user:new']);
    await store.write({
      deletes: [...kept, ...tuples('team:k#member@user:new')],
      writes: tuples('team:a#member@user:bob'),
    });
  });

  it('are the same after the folder was closed and opened', async () => {
    const { cursor } = store.readTuples({ limit: 3 });
    const rest = store.readTuples({ limit: 100, cursor: cursor as string });
    await scratch.reopen();
    store = scratch.engine.store('main');
    expect(store.readTuples({ limit: 100, cursor: cursor as string })).toEqual(rest);
  });

  it('end early where a filter would look at too much', async () => {
    const large = await scratch.engine.createStore('large');
    await large.writeModel({ dsl: DSL });
    const writes: Tuple[] = [];
    for (let i = 0; i < 30_000; i++)
      writes.push({ object: `team:t${i}`, relation: 'member', subject: `user:u${i % 100}` });
    await large.write({ writes: [...writes, ...tuples('team:last#member@team:t1#member')] });
    const { found, pages } = readAll({ object: 'team:', subject: 'team:' }, large);
    expect(found).toEqual(tuples('team:last#member@team:t1#member'));
    expect(pages).toBeGreaterThan(1);
    expect(readAll({ subject: 'team:' }, large)).toMatchObject({ found: [{ object: 'team:last' }] });
    expect(readAll({ object: 'team:', limit: 10_000 }, large).found).toHaveLength(30_001);
  });
});

describe('bad filters', () => {
  const cursor = () => store.readTuples({ limit: 1 }).cursor as string;
  const cases: readonly { name: string; given: () => TupleFilter; code: string; path: string }[] = [
    { name: 'an object without a type', given: () => ({ object: 'doc' }), code: 'invalid_tuple', path: 'object' },
    { name: 'an empty object', given: () => ({ object: '' }), code: 'invalid_tuple', path: 'object' },
    { name: 'only a colon', given: () => ({ object: ':' }), code: 'invalid_tuple', path: 'object' },
    { name: 'a wildcard object', given: () => ({ object: 'doc:*' }), code: 'invalid_tuple', path: 'object' },
    { name: 'a malformed type', given: () => ({ object: 'd@c:' }), code: 'invalid_tuple', path: 'object' },
    { name: 'a malformed relation', given: () => ({ relation: 'a#b' }), code: 'invalid_tuple', path: 'relation' },
    { name: 'a malformed subject', given: () => ({ subject: 'user:a b' }), code: 'invalid_tuple', path: 'subject' },
    { name: 'limit 0', given: () => ({ limit: 0 }), code: 'invalid_argument', path: 'limit' },
    { name: 'limit 10001', given: () => ({ limit: 10_001 }), code: 'invalid_argument', path: 'limit' },
    { name: 'limit 1.5', given: () => ({ limit: 1.5 }), code: 'invalid_argument', path: 'limit' },
    { name: 'an empty cursor', given: () => ({ cursor: '' }), code: 'invalid_cursor', path: 'cursor' },
    {
      name: 'a foreign cursor',
      given: () => ({ cursor: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
      code: 'invalid_cursor',
      path: 'cursor',
    },
    {
      name: 'a cursor with more behind it',
      given: () => ({ cursor: `${cursor()}A` }),
      code: 'invalid_cursor',
      path: 'cursor',
    },
    {
      name: 'the cursor of another filter',
      given: () => ({ object: 'doc:', cursor: cursor() }),
      code: 'invalid_cursor',
      path: 'cursor',
    },
  ];
  for (const { name, given, code, path } of cases) {
    it(name, () => {
      const error = thrown(() => store.readTuples(given()));
      expect(error).toBeInstanceOf(EngineError);
      expect(error).toMatchObject({ code, details: { path } });
    });
  }

  it('the cursor of another store', () => {
    const other = scratch.engine.store('other');
    expect(thrown(() => other.readTuples({ cursor: cursor() }))).toMatchObject({ code: 'invalid_cursor' });
  });
});

function thrown(task: () => unknown): unknown {
  try {
    task();
  } catch (error) {
    return error;
  }
  return undefined;
}
