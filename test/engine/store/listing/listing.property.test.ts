import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import { TuplePacker } from '../../../../engine/command/pack-tuples.ts';
import type { ListingReader } from '../../../../engine/read/listing-reader.ts';
import type { ListingPosition } from '../../../../engine/store/listing/row.ts';
import { runsOf } from '../../../generated/extent.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore, TIME } from '../scratch-store.ts';
import { type Asked, asked, commands, definition as listed, type Step } from './generate.ts';
import { isAfter, scan, type World } from './plain-scan.ts';

const { collection } = listed;
const RUNS = runsOf({ quick: 15, whole: 40 });

function changesOf(step: Step): Change[] {
  const store = 's';
  if (step.kind === 'gone') return [{ op: 'delete_object', store, object: step.object }];
  const { id } = step;
  if (step.kind === 'record') {
    const { person: document } = step;
    if (document === undefined) return [{ op: 'delete_record', store, collection, id }];
    return [{ op: 'put_record', store, record: { collection, id, document } }];
  }
  const tuple = {
    object: step.object,
    relation: step.object.startsWith('doc:') ? 'viewer' : 'member',
    subject: `user:${id}`,
  };
  switch (step.how) {
    case 'deleted':
      return [{ op: 'delete_tuples', store, tuples: [tuple] }];
    case 'packed': {
      const packer = new TuplePacker();
      packer.add(tuple);
      return [{ op: 'write_packed', store, packed: packer.take() }];
    }
    case 'with a condition':
      return [{ op: 'write_tuples', store, tuples: [{ ...tuple, condition: { name: 'recent' } }] }];
    case 'until later':
      return [{ op: 'write_tuples', store, tuples: [{ ...tuple, expiresAt: TIME + 1 }] }];
    case 'until earlier':
      return [{ op: 'write_tuples', store, tuples: [{ ...tuple, expiresAt: TIME - 1 }] }];
    default:
      return [{ op: 'write_tuples', store, tuples: [tuple] }];
  }
}

/** Applies a command to the store and to plain maps. */
function play(scratch: ScratchStore, { people, members }: World, steps: readonly Step[]): void {
  scratch.apply(steps.flatMap(changesOf));
  for (const step of steps) {
    if (step.kind === 'gone') {
      members.delete(step.object);
      for (const each of members.values()) each.delete(step.object.slice('user:'.length));
    } else if (step.kind === 'tuple') {
      const { object, id, how } = step;
      if (!members.has(object)) members.set(object, new Map());
      if (how === 'deleted') members.get(object)?.delete(id);
      else members.get(object)?.set(id, { isExpired: how === 'until earlier' });
    } else if (step.person === undefined) people.delete(step.id);
    else people.set(step.id, step.person);
  }
}

const queryOf = ({ within, memberOf, between, ...query }: Asked) => ({
  ...query,
  between: between.map((each) => ({ ...each, order: 'number' })),
  within: within === undefined ? undefined : new Set(within),
  memberOf: memberOf.map((object) => ({ relation: object.startsWith('doc:') ? 'doc#viewer' : 'group#member', object })),
});

function expectPage(listing: ListingReader, world: World, query: Asked): void {
  const all = scan(world, query);
  const page = all.slice(query.offset, query.offset + query.limit);
  expect(listing.page(queryOf(query))).toEqual({
    ids: page.map(({ id }) => id),
    total: all.length,
    totalIsExact: true,
    last: page.length === 0 ? undefined : { id: page.at(-1)?.id, key: page.at(-1)?.key },
  });
}

function expectCounts(listing: ListingReader, { people }: World): void {
  const valued = [...people.values()].filter(({ email }) => email !== undefined).length;
  expect(listing.counts('email')).toEqual({ all: people.size, valued });
}

/** Pages after positions, with a command between one and the next. */
function walk(
  { scratch, listing }: { readonly scratch: ScratchStore; readonly listing: ListingReader },
  world: World,
  query: Asked,
  between: readonly (readonly Step[])[],
) {
  const descending = query.descending;
  const stayed = new Map(scan(world, query).map(({ id, key }) => [id, key]));
  const seen: string[] = [];
  let after: ListingPosition | undefined;
  for (let turn = 0; ; turn++) {
    const all = scan(world, query).filter((place) => after === undefined || isAfter(place, after, descending));
    const page = listing.page({ ...queryOf(query), offset: 0, limit: 3, after });
    expect(page.ids).toEqual(all.slice(0, 3).map(({ id }) => id));
    seen.push(...page.ids);
    if (page.ids.length === 0) break;
    after = page.last;
    const steps = between[turn] ?? [];
    if (steps.length > 0) play(scratch, world, steps);
    if (steps.length === 0) continue;
    const now = new Map(scan(world, query).map(({ id, key }) => [id, key]));
    for (const [id, key] of stayed) if (!now.has(id) || now.get(id) !== key) stayed.delete(id);
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
            const world: World = { people: new Map(), members: new Map() };
            const define = () => scratch.apply([{ op: 'define_listing', definition }]);
            if (!isOld) define();
            for (const steps of first) play(scratch, world, steps);
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
              play(scratch, world, rest.shift() ?? []);
            }
            for (const query of queries) expectPage(listing, world, query);
            for (const steps of rest) {
              play(scratch, world, steps);
              expectCounts(listing, world);
              for (const query of queries) expectPage(listing, world, query);
              // what was found is kept after a commit of other records, and answers other pages
              scratch.apply([
                { op: 'put_record', store: 's', record: { collection: 'steps', id: 'one', document: 2 } },
              ]);
              for (const query of queries) {
                expectPage(listing, world, query);
                expectPage(listing, world, { ...query, offset: query.offset + 1 });
              }
            }
            expect((await scratch.verify()).problems).toEqual([]);
            for (const query of queries.slice(0, 4)) walk({ scratch, listing }, world, query, [...first, ...then]);
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
