import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ListDefinition,
  type ListPosition,
  type NamedTest,
  RecordLists,
  type RecordQuery,
} from '../../../src/kernel/lists/index.ts';
import { Background, createLog, type LogFields } from '../../../src/platform/index.ts';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

interface Person {
  readonly name: string;
  readonly age?: number;
  readonly active: boolean;
}

const people: ListDefinition<Person> = {
  records: { collection: 'people' },
  text: ({ name }, id) => [name, id],
  sorts: { name: ({ name }) => name, age: ({ age }) => age },
  filters: { active: ({ active }) => active },
};

const listed: ListDefinition<Person> = {
  ...people,
  records: { collection: 'listed' },
  text: ({ name }) => [name],
  listing: {
    collection: 'listed',
    orders: ['name', 'age'].map((name) => ({ name, paths: [name] })),
    text: ['name'],
    flags: ['active'],
    blockSize: 4,
    recentMax: 20,
  },
};

const lines: LogFields[] = [];
const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line) as LogFields) });
const background = new Background({ log });

let scratch: ScratchEngine;
let count = 0;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.defineListing(listed.listing as never);
});
afterAll(() => scratch.close());

const emptyStore = () => scratch.engine.createStore(`s${++count}`);

const put = (store: string, id: string, document: Person, collection = 'people') =>
  ({ op: 'put_record', store, record: { collection, id, document } }) as const;
const remove = (store: string, id: string, collection = 'people') =>
  ({ op: 'delete_record', store, collection, id }) as const;

/** What a list must answer, worked out from all records. */
function expected(records: ReadonlyMap<string, Person>, query: RecordQuery, { text } = people) {
  const search = query.search?.toLowerCase() ?? '';
  const found = [...records].filter(
    ([id, person]) =>
      text(person, id).some((each) => each?.toLowerCase().includes(search)) &&
      (query.where?.active === undefined || person.active === query.where.active) &&
      (query.within?.has(id) ?? true) &&
      (query.test?.passes(() => person.active, id) ?? true),
  );
  const placed = found.map(([id, person]) => ({ id, key: keyOf(query, person) }));
  const sign = query.descending ? -1 : 1;
  placed.sort((left, right) => sign * compare(left, right));
  const { after } = query;
  const left = after === undefined ? placed : placed.filter((each) => sign * compare(each, after) > 0);
  const page = left.slice(query.offset, query.offset + query.limit);
  return { ids: page.map(({ id }) => id), total: placed.length, last: page.at(-1) };
}

function keyOf({ sortBy }: RecordQuery, { name, age }: Person): ListPosition['key'] {
  return sortBy === undefined ? undefined : { name: name.toLowerCase(), age }[sortBy];
}

function compare(left: ListPosition, right: ListPosition): number {
  if (left.key !== right.key) {
    if (left.key === undefined || right.key === undefined) return left.key === undefined ? 1 : -1;
    return left.key < right.key ? -1 : 1;
  }
  return left.id === right.id ? 0 : left.id < right.id ? -1 : 1;
}

/** The place of somebody in the order that is asked for, whether or not they are in it. */
function goingOn({ from, ...asked }: Asked): RecordQuery {
  return from === undefined ? asked : { ...asked, after: { id: from[0], key: keyOf(asked, from[1]) } };
}

type Asked = RecordQuery & { readonly from?: readonly [string, Person] };

const id = fc.integer({ min: 0, max: 30 }).map((number) => `id${String(number).padStart(2, '0')}`);
const person = fc.record(
  {
    name: fc.constantFrom('Anne', 'bob', 'Bo', 'carol', ''),
    age: fc.integer({ min: 1, max: 5 }),
    active: fc.boolean(),
  },
  { requiredKeys: ['name', 'active'] },
) as fc.Arbitrary<Person>;
const tests: readonly NamedTest[] = [
  { name: 'active', passes: (values) => values('active') === true },
  { name: 'not active', passes: (values) => values('active') !== true },
];
const query = fc.record(
  {
    search: fc.constantFrom('', 'B', 'o', 'id1', 'x'),
    where: fc.record({ active: fc.boolean() }),
    within: fc.uniqueArray(id).map((ids) => new Set(ids)),
    test: fc.constantFrom(...tests),
    sortBy: fc.constantFrom('name', 'age'),
    descending: fc.boolean(),
    offset: fc.integer({ min: 0, max: 20 }),
    limit: fc.integer({ min: 1, max: 10 }),
    from: fc.tuple(id, person),
  },
  { requiredKeys: ['offset', 'limit'] },
) as fc.Arbitrary<Asked>;
const commit = fc.array(fc.tuple(id, fc.option(person)), { minLength: 1, maxLength: 80 });

test.each([
  ['in memory', people],
  ['in the store', listed],
])(
  'a page is what searching, filtering and sorting all records would give, commit after commit, %s',
  async (_, definition) => {
    const { collection } = definition.records;
    const lists = new RecordLists(scratch.engine, background);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(commit, query), { maxLength: 8 }), async (steps) => {
        const store = await emptyStore();
        const records = new Map<string, Person>();
        for (const [changes, wanted] of steps) {
          const asked = goingOn(wanted);
          const last = new Map(changes);
          for (const [key, document] of last) {
            if (document === null) records.delete(key);
            else records.set(key, document);
          }
          await scratch.engine.submit(
            scratch.engine.command(
              [...last].map(([key, document]) =>
                document === null ? remove(store.name, key, collection) : put(store.name, key, document, collection),
              ),
            ),
          );
          await lists.prepare(store.name, definition as never, asked);
          // the second time from what the first one found
          for (const each of [asked, { ...asked, offset: asked.offset + 1 }]) {
            const page = () => lists.page(store, definition as never, each);
            expect(scratch.engine.read(page)).toMatchObject(expected(records, each, definition));
          }
        }
      }),
      { numRuns: 150 },
    );
  },
);

test('pages of thousands of matches are the same whichever way they are found', async () => {
  const store = await emptyStore();
  const names = ['Anne', 'bob', 'Bo', 'carol', ''];
  const records = new Map(
    Array.from({ length: 4000 }, (_, number): [string, Person] => {
      // ids in another order than that in which they are put
      const key = `id${String((number * 1597) % 4000).padStart(4, '0')}`;
      const age = number % 7;
      return [key, { name: names[number % 5] ?? '', active: number % 3 > 0, ...(age === 0 ? {} : { age }) }];
    }),
  );
  await scratch.engine.submit(scratch.engine.command([...records].map(([key, each]) => put(store.name, key, each))));
  const lists = new RecordLists(scratch.engine, background);
  await lists.prepare(store.name, people as never);
  const most = new Set([...records.keys()].filter((_, place) => place % 4 > 0));
  const strangers = new Set([...records.keys(), ...Array.from({ length: 50 }, (_, place) => `stranger${place}`)]);
  const wanted = fc.record(
    {
      search: fc.constantFrom('', 'b', 'o', 'id0'),
      where: fc.record({ active: fc.boolean() }),
      within: fc.constantFrom(most, strangers),
      sortBy: fc.constantFrom('name', 'age'),
      descending: fc.boolean(),
      offset: fc.integer({ min: 0, max: 3000 }),
      limit: fc.integer({ min: 1, max: 100 }),
      from: fc.tuple(id, person),
      test: fc.constantFrom(...tests),
    },
    { requiredKeys: ['offset', 'limit'] },
  ) as fc.Arbitrary<Asked>;
  fc.assert(
    fc.property(wanted, (each) => {
      const asked = goingOn(each);
      expect(scratch.engine.read(() => lists.page(store, people as never, asked))).toEqual(expected(records, asked));
    }),
    { numRuns: 200 },
  );
});

describe('while a list is being read', () => {
  test('what is written meanwhile is in it', async () => {
    const store = await emptyStore();
    const key = (number: number) => String(number).padStart(6, '0');
    const anne = { name: 'Anne', active: true };
    const many = Array.from({ length: 3000 }, (_, number) => put(store.name, key(number), anne));
    await scratch.engine.submit(scratch.engine.command(many));
    const lists = new RecordLists(scratch.engine, background);
    const prepared = lists.prepare(store.name, people as never);
    await scratch.engine.submit(
      scratch.engine.command([remove(store.name, key(1)), put(store.name, key(2), { name: 'Zoe', active: false })]),
    );
    await prepared;
    const page = (asked: Partial<RecordQuery>) =>
      scratch.engine.read(() => lists.page(store, people as never, { offset: 0, limit: 2, ...asked }));
    expect(page({})).toMatchObject({ ids: [key(0), key(2)], total: 2999 });
    expect(page({ search: 'zoe' })).toMatchObject({ ids: [key(2)], total: 1 });
  });

  test('two stores with the same ids do not meet', async () => {
    const [one, two] = [await emptyStore(), await emptyStore()];
    await scratch.engine.submit(
      scratch.engine.command([
        put(one.name, 'a', { name: 'Anne', active: true }),
        put(two.name, 'a', { name: 'Bob', active: true }),
      ]),
    );
    const lists = new RecordLists(scratch.engine, background);
    for (const [store, search] of [
      [one, 'bob'],
      [two, 'anne'],
    ] as const) {
      await lists.prepare(store.name, people as never);
      const found = scratch.engine.read(() => lists.page(store, people as never, { search, offset: 0, limit: 10 }));
      expect(found).toMatchObject({ ids: [], total: 0 });
    }
  });
});

test('a list that cannot follow any more, because changes are gone, is read anew by the request that asks for it', async () => {
  const store = await emptyStore();
  const commit = (name: string) =>
    scratch.engine.submit(scratch.engine.command([put(store.name, name, { name, active: true })]));
  const lists = new RecordLists(scratch.engine, background);
  const total = async () => {
    await lists.prepare(store.name, people as never);
    return scratch.engine.read(() => lists.page(store, people as never, { offset: 0, limit: 9 })).total;
  };
  await commit('anne');
  expect(await total()).toBe(1);
  await commit('ben');
  await commit('carol');
  while (await scratch.engine.trimLog(Date.now() + 60_000, 1000));
  expect(await total()).toBe(3);
});

test('a list whose first records could not be read is built anew by the next request', async () => {
  const lists = new RecordLists(scratch.engine, background);
  await expect(lists.prepare('not yet', people)).rejects.toMatchObject({ code: 'unknown_store' });
  const store = await scratch.engine.createStore('not yet');
  await scratch.engine.submit(scratch.engine.command([put('not yet', 'a', { name: 'Anne', active: true })]));
  await lists.prepare('not yet', people);
  const page = scratch.engine.read(() => lists.page(store, people, { offset: 0, limit: 10 }));
  expect(page).toMatchObject({ ids: ['a'], total: 1 });
});

test.each(damages)(
  'a record of %s is in no page and no total, reported once, and listed again once it is written',
  async (damage) => {
    lines.length = 0;
    const store = await emptyStore();
    const { name } = store;
    const ids = Array.from({ length: 1500 }, (_, place) => String(place).padStart(4, '0'));
    const person: Person = { name: 'Anne', active: true };
    await scratch.engine.submit(scratch.engine.command(ids.map((id) => put(name, id, person))));
    await damageRecord(scratch.path, { store: name, collection: 'people', id: '0500' }, damage);
    const lists = new RecordLists(scratch.engine, background);
    const page = async (search?: string) => {
      await lists.prepare(name, people);
      return scratch.engine.read(() => lists.page(store, people, { search, sortBy: 'name', offset: 500, limit: 1 }));
    };
    for (const search of [undefined, 'anne']) expect(await page(search)).toMatchObject({ ids: ['0501'], total: 1499 });
    // another list, which begins anew
    const other = new RecordLists(scratch.engine, background);
    await other.prepare(name, people);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ job: 'record_lists', store: name, record: 'people/0500' });
    await scratch.engine.submit(scratch.engine.command([put(name, '0502', person)]));
    expect(await page()).toMatchObject({ ids: ['0501'], total: 1499 });
    if (damage === 'bytes that are no record') return;
    await scratch.engine.submit(scratch.engine.command([put(name, '0500', person)]));
    expect(await page()).toMatchObject({ ids: ['0500'], total: 1500 });
  },
);
