import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import type { ListingReader } from '../../../../engine/read/listing-reader.ts';
import type { ListingPosition } from '../../../../engine/store/listing/read/query.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore } from '../scratch-store.ts';
import { type Asked, asked, commands, definition as listed, type Person, type Step } from './generate.ts';
import { isAfter, keyOf, scan } from './plain-scan.ts';

const { collection } = listed;
const RUNS = 40;

function changeOf({ id, person }: Step): Change {
  if (person === undefined) return { op: 'delete_record', store: 's', collection, id };
  return { op: 'put_record', store: 's', record: { collection, id, document: person } };
}

/** Applies a command to the store and to the plain map. */
function play(scratch: ScratchStore, people: Map<string, Person>, steps: readonly Step[]): void {
  scratch.apply(steps.map(changeOf));
  for (const { id, person } of steps) {
    if (person === undefined) people.delete(id);
    else people.set(id, person);
  }
}

const queryOf = ({ within, ...query }: Asked) => ({
  ...query,
  within: within === undefined ? undefined : new Set(within),
});

function expectPage(listing: ListingReader, people: ReadonlyMap<string, Person>, query: Asked): void {
  const all = scan(people, query);
  const page = all.slice(query.offset, query.offset + query.limit);
  expect(listing.page(queryOf(query))).toEqual({
    ids: page.map(({ id }) => id),
    total: all.length,
    totalIsExact: true,
    last: page.length === 0 ? undefined : { id: page.at(-1)?.id, key: page.at(-1)?.key },
  });
}

/** Pages after positions, with a command between one and the next. */
function walk(
  { scratch, listing }: { readonly scratch: ScratchStore; readonly listing: ListingReader },
  people: Map<string, Person>,
  query: Asked,
  between: readonly (readonly Step[])[],
) {
  const order = query.order ?? '';
  const descending = query.descending;
  const stayed = new Map(scan(people, query).map(({ id, key }) => [id, key]));
  const seen: string[] = [];
  let after: ListingPosition | undefined;
  for (let turn = 0; ; turn++) {
    const all = scan(people, query).filter((place) => after === undefined || isAfter(place, after, descending));
    const page = listing.page({ ...queryOf(query), offset: 0, limit: 3, after });
    expect(page.ids).toEqual(all.slice(0, 3).map(({ id }) => id));
    seen.push(...page.ids);
    if (page.ids.length === 0) break;
    after = page.last;
    const steps = between[turn] ?? [];
    if (steps.length > 0) play(scratch, people, steps);
    for (const { id } of steps) {
      const person = people.get(id);
      const isListed = person !== undefined && scan(new Map([[id, person]]), query).length > 0;
      if (!isListed || (stayed.has(id) && keyOf(person, order) !== stayed.get(id))) stayed.delete(id);
    }
  }
  for (const id of stayed.keys()) expect(seen.filter((each) => each === id)).toEqual([id]);
}

describe('a listing that the writer keeps', () => {
  it('answers what a plain scan answers, whatever was written, page by page while others write', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        commands,
        commands,
        fc.array(asked, { minLength: 12, maxLength: 12 }),
        fc.boolean(),
        // rows that wait for orders and sets, and how many of them one step takes
        fc.constantFrom(1, 5, 16, 40),
        async (first, then, queries, isOld, recentMax) => {
          const definition: ListingDefinition = { ...listed, recentMax };
          const scratch = await ScratchStore.openModelled();
          try {
            const people = new Map<string, Person>();
            const define = () => scratch.apply([{ op: 'define_listing', definition }]);
            if (!isOld) define();
            for (const steps of first) play(scratch, people, steps);
            if (isOld) define();
            const listing = scratch.engine.store('s').records.listing(definition);
            // what stood there before is listed in steps, with commands between them
            const rest = [...then];
            if (isOld)
              scratch.apply([
                { op: 'put_record', store: 's', record: { collection: 'steps', id: 'one', document: 0 } },
              ]);
            while (!listing.isWhole) {
              scratch.apply([{ op: 'build_listings', limit: 3 }]);
              // a step is no commit: who reads in the same turn hears of it with the next one
              scratch.apply([
                { op: 'put_record', store: 's', record: { collection: 'steps', id: 'one', document: 1 } },
              ]);
              expect((await scratch.verify()).problems).toEqual([]);
              play(scratch, people, rest.shift() ?? []);
            }
            for (const query of queries) expectPage(listing, people, query);
            for (const steps of rest) {
              play(scratch, people, steps);
              for (const query of queries) expectPage(listing, people, query);
            }
            expect((await scratch.verify()).problems).toEqual([]);
            for (const query of queries.slice(0, 4)) walk({ scratch, listing }, people, query, [...first, ...then]);
            expect((await scratch.verify()).problems).toEqual([]);
          } finally {
            await scratch.close();
          }
        },
      ),
      { numRuns: RUNS, seed },
    );
  });
});
