import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { partEnd, partKey, zoneKey } from '../../../../engine/store/listing/listing-keys.ts';
import { type ListingProgress, readListings, writeListings } from '../../../../engine/store/listing/listings.ts';
import type { ListingQuery } from '../../../../engine/store/listing/read/query.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore } from '../scratch-store.ts';

/** Zones of eight rows. */
const definition: ListingDefinition = {
  collection: 'people',
  orders: [{ name: 'email', paths: ['email'] }],
  text: ['email'],
  flags: ['isActive'],
  memberships: { subjectType: 'user', relations: ['group#member'] },
  blockSize: 4,
  recentMax: 8,
};
const COUNT = 160;

interface Made {
  readonly id: string;
  readonly isActive: boolean;
  readonly isMember: boolean;
  readonly email: string;
}

/** Ids that go up with the time but for some, as those that several threads make at once, or of data from elsewhere. */
const people: fc.Arbitrary<Made[]> = fc.constantFrom(0, 3, 40, 1_000).chain((jitter) =>
  fc
    .array(
      fc.record({
        late: fc.nat(jitter),
        isActive: fc.boolean(),
        share: fc.nat(9),
        letter: fc.constantFrom('a', 'b', 'ü'),
      }),
      { minLength: 20, maxLength: COUNT },
    )
    .map((all) =>
      all.map(({ late, isActive, share, letter }, at) => ({
        id: `${letter === 'ü' && jitter > 3 ? 'ü' : ''}${String(at * 2 + late * 2).padStart(5, '0')}-${at}`,
        isActive,
        isMember: share === 0,
        email: `${letter}.${share}@example.com`,
      })),
    ),
);

type Asked = Pick<ListingQuery, 'search' | 'where' | 'memberOf' | 'descending' | 'offset' | 'limit'>;
const memberOf = [{ relation: 'group#member', object: 'group:a' }];
const asked: fc.Arbitrary<Asked & { readonly after: number | undefined }> = fc.record({
  search: fc.constantFrom(undefined, 'b.', 'ü.1@ex'),
  where: fc.constantFrom({}, { isActive: true }, { isActive: false }),
  memberOf: fc.constantFrom([], [], memberOf),
  descending: fc.boolean(),
  offset: fc.oneof(fc.nat(5), fc.nat(COUNT)),
  limit: fc.constantFrom(0, 1, 3, 10),
  after: fc.option(fc.nat(COUNT - 1), { nil: undefined }),
});

function idsOf(all: readonly Made[], { search = '', where = {}, memberOf: groups = [], descending }: Asked): string[] {
  const { isActive: wanted } = where;
  const ids = all
    .filter(({ email }) => email.includes(search))
    .filter(({ isActive }) => wanted === undefined || wanted === isActive)
    .filter(({ isMember }) => groups.length === 0 || isMember)
    .map(({ id }) => id)
    .sort((left, right) => Buffer.from(left).compare(Buffer.from(right)));
  return descending ? ids.toReversed() : ids;
}

function expectAsScanned(
  scratch: ScratchStore,
  all: readonly Made[],
  queries: readonly (Asked & { readonly after: number | undefined })[],
) {
  const listing = scratch.engine.store('s').records.listing(definition);
  for (const { after: place, ...query } of queries) {
    const id = place === undefined ? undefined : (all[place % all.length] as Made).id;
    const ids = idsOf(all, query);
    const isBehind = (each: string): boolean => {
      const order = id === undefined ? 1 : Buffer.from(each).compare(Buffer.from(id));
      return query.descending === true && id !== undefined ? order < 0 : order > 0;
    };
    const behind = ids.filter(isBehind);
    const found = listing.page({ ...query, after: id === undefined ? undefined : { id, key: null } });
    expect(found).toMatchObject({
      ids: behind.slice(query.offset, query.offset + query.limit),
      total: ids.length,
      totalIsExact: true,
    });
  }
}

const put = (id: string, document: unknown) =>
  ({ op: 'put_record', store: 's', record: { collection: 'people', id, document } }) as const;

/** Stores that these records, in steps of seven, and leaves some out of them again. */
async function filled(all: readonly Made[], isGone: (at: number) => boolean): Promise<ScratchStore> {
  const scratch = await ScratchStore.openModelled();
  scratch.apply([{ op: 'define_listing', definition }]);
  for (let from = 0; from < all.length; from += 7) {
    const some = all.slice(from, from + 7);
    const tuples = some
      .filter(({ isMember }) => isMember)
      .map(({ id }) => ({ object: 'group:a', relation: 'member', subject: `user:${id}` }));
    scratch.apply([
      ...some.map(({ id, ...document }) => put(id, document)),
      { op: 'write_tuples', store: 's', tuples },
    ]);
  }
  const gone = all.filter((_, at) => isGone(at));
  for (const { id } of gone) scratch.apply([{ op: 'delete_record', store: 's', collection: 'people', id }]);
  return scratch;
}

async function damage(scratch: ScratchStore, change: (tables: Tables) => unknown): Promise<readonly string[]> {
  const tables = openTables({ path: scratch.path });
  await tables.root.transaction(() => change(tables));
  await tables.root.close();
  return (await verifyStore(scratch.path)).problems;
}

/** As an earlier release leaves them: without some zones, and without a word of them. */
function forget(tables: Tables, isKept: (at: number) => boolean): void {
  const range = { start: partKey(place, 'zone'), end: partEnd(place, 'zone') };
  const keys = Array.from(tables.listings.getKeys(range), Buffer.from);
  for (const [at, key] of keys.entries()) if (!isKept(at)) tables.listings.removeSync(key);
  writeListings(
    tables,
    readListings(tables).map(({ unzoned: _, ...listing }) => listing),
  );
}

const place = { store: 1, listing: 1 };

describe('pages in the order of ids', () => {
  it('are those of a plain scan, whatever the ids are, and with zones that come later', {
    timeout: 240_000,
  }, async () => {
    const queries = fc.array(asked, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(people, fc.constantFrom(2, 9, 1_000), queries, async (all, goneEach, those) => {
        const isGone = (at: number): boolean => at % goneEach === 1 || (at >= 24 && at < 32);
        const left = all.filter((_, at) => !isGone(at));
        const scratch = await filled(all, isGone);
        try {
          expectAsScanned(scratch, left, those);
          expect(await damage(scratch, (tables) => forget(tables, (at) => at % 3 === 1))).toEqual([]);
          scratch.apply([put('zzz', { email: 'x' })]);
          scratch.apply([{ op: 'delete_record', store: 's', collection: 'people', id: 'zzz' }]);
          expectAsScanned(scratch, left, those);
          // before the first step it is not known how many rows are in no zone
          let last = { listed: -1, records: 0 };
          for (let step = 0; scratch.engine.listingProgress() !== undefined; step++) {
            const { work, listed, records } = scratch.engine.listingProgress() as ListingProgress;
            expect(work).toBe('zones');
            expect(listed).toBeGreaterThan(last.listed);
            expect(listed).toBeLessThanOrEqual(records);
            if (step > 1) expect(records).toBe(last.records);
            last = { listed, records };
            expect(step).toBeLessThan(COUNT);
            scratch.apply([{ op: 'build_listings', limit: 1 }]);
            scratch.apply([put('zzz', { email: 'x' })]);
            scratch.apply([{ op: 'delete_record', store: 's', collection: 'people', id: 'zzz' }]);
          }
          expect(last.listed).toBe(last.records);
          expectAsScanned(scratch, left, those);
          expect((await scratch.verify()).problems).toEqual([]);
        } finally {
          await scratch.close();
        }
      }),
      { numRuns: 12, seed },
    );
  });

  it('are wrong where a zone is, which is found', async () => {
    const all = Array.from({ length: 40 }, (_, at) => ({
      id: `p${at + 10}`,
      isActive: true,
      isMember: false,
      email: 'e',
    }));
    const scratch = await filled(all, () => false);
    const problems = await damage(scratch, ({ listings }) => {
      const bytes = Buffer.from(listings.getBinary(zoneKey(place, 8)) as Buffer);
      bytes.write('p24', bytes.length - 3);
      listings.putSync(zoneKey(place, 8), bytes);
      listings.putSync(zoneKey(place, 400), Buffer.from([0, 0, 1, 0x98, 0, 0]));
    });
    await scratch.close();
    expect(problems).toContainEqual(expect.stringMatching(/has row 15, whose id is not between those of its zone/));
    expect(problems).toContainEqual(expect.stringMatching(/has a zone of rows up to 408, which are not in the sets/));
  });
});
