import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListDefinition, RecordLists } from '../../../src/kernel/lists/index.ts';
import { Background, createLog } from '../../../src/platform/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

interface Person {
  readonly name?: string;
  readonly email: string;
}

const definition: ListDefinition<Person> = {
  records: { collection: 'named' },
  listing: {
    collection: 'named',
    orders: ['name', 'email'].map((name) => ({ name, paths: [name] })),
    text: [],
    flags: [],
    blockSize: 4,
    recentMax: 20,
  },
  listedAs: { called: ['name', 'email'] },
  text: () => [],
  sorts: { called: ({ name, email }) => name ?? email },
  filters: {},
};

const PEOPLE = 75;
const people = new Map(
  Array.from({ length: PEOPLE }, (_, at): [string, Person] => [
    `id${String((at * 31) % PEOPLE).padStart(2, '0')}`,
    { email: `${'fbxqa'[at % 5]}${(at * 17) % PEOPLE}@example.com`, name: `${'Mnopq'[at % 5]}${(at * 7) % 20}` },
  ]),
);

let scratch: ScratchEngine;
beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.defineListing(definition.listing as never);
});
afterAll(() => scratch.close());

describe('an order by the first of two fields that a record has', () => {
  test.each([
    { who: 'nobody', has: () => false, isStored: true },
    { who: 'everybody', has: () => true, isStored: true },
    { who: 'one', has: (at: number) => at === 40, isStored: false },
    { who: 'every other', has: (at: number) => at % 2 === 0, isStored: false },
    { who: 'all but the last', has: (at: number) => at < PEOPLE - 1, isStored: false },
  ])('is that of a plain scan where $who has the first', async ({ who, has, isStored }) => {
    const { engine } = scratch;
    const store = await engine.createStore(who.replaceAll(' ', '-'));
    const records = new Map(
      [...people].map(([id, { email, name }], at): [string, Person] => [
        id,
        has(at) ? { email, name: name as string } : { email },
      ]),
    );
    const puts = [...records].map(
      ([id, document]) =>
        ({ op: 'put_record', store: store.name, record: { collection: 'named', id, document } }) as const,
    );
    await engine.submit(engine.command(puts));
    const lists = new RecordLists(engine, new Background({ log: createLog({ level: 'error' }) }));
    const page = (query: { readonly descending: boolean; readonly offset: number }) =>
      engine.read(() => lists.page(store, definition, { sortBy: 'called', limit: 10, ...query }));
    // nothing is read into memory where the store answers
    if (isStored) expect(page({ descending: false, offset: 0 }).ids).toHaveLength(10);
    else expect(() => page({ descending: false, offset: 0 })).toThrow('the list is being read anew');
    await lists.prepare(store.name, definition, { sortBy: 'called' });
    const sorted = [...records]
      .map(([id, { name, email }]) => ({ id, key: (name ?? email).toLowerCase() }))
      .sort((one, other) => (one.key < other.key || (one.key === other.key && one.id < other.id) ? -1 : 1))
      .map(({ id }) => id);
    for (const descending of [false, true]) {
      const wanted = descending ? sorted.toReversed() : sorted;
      for (let offset = 0; offset < PEOPLE + 10; offset += 7) {
        const { ids, total } = page({ descending, offset });
        expect(ids).toEqual(wanted.slice(offset, offset + 10));
        expect(total).toBe(PEOPLE);
      }
    }
  });
});
