import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { u32Key } from '../../../../engine/store/layout.ts';
import {
  entryKey,
  memberKey,
  orderKey,
  partKey,
  rowKey,
  setKey,
} from '../../../../engine/store/listing/listing-keys.ts';
import { rowBytes } from '../../../../engine/store/listing/row-bytes.ts';
import { flagTerm } from '../../../../engine/store/listing/sets/terms.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { ScratchStore } from '../scratch-store.ts';
import { definition } from './generate.ts';

let scratch: ScratchStore;
const place = { store: 1, listing: 1 };
const put = (id: string, document: unknown) =>
  ({ op: 'put_record', store: 's', record: { collection: 'people', id, document } }) as const;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
  scratch.apply([{ op: 'define_listing', definition }]);
  for (let number = 0; number < 7; number++) {
    scratch.apply([put(`p${number}`, { email: `e${number}@x`, number, isActive: true })]);
  }
  const tuples = [{ object: 'group:a', relation: 'member', subject: 'user:p2' }];
  scratch.apply([{ op: 'write_tuples', store: 's', tuples }]);
});

afterEach(() => scratch.close());

async function damage(change: (tables: Tables) => unknown): Promise<readonly string[]> {
  const tables = openTables({ path: scratch.path });
  await tables.root.transaction(() => change(tables));
  await tables.root.close();
  return (await verifyStore(scratch.path)).problems;
}

describe('verifyStore, of listings', () => {
  it.each<{ name: string; given: (tables: Tables) => unknown; expect: RegExp }>([
    {
      name: 'an entry that is not there',
      given: ({ listings }) => listings.removeSync(entryKey(place, 1, 'e3@x', 'p3')),
      expect: /does not have record p3 in order 1/,
    },
    {
      name: 'an entry of another row',
      given: ({ listings }) => listings.putSync(entryKey(place, 3, 3, 'p3'), u32Key(5)),
      expect: /does not have record p3 in order 3/,
    },
    {
      name: 'an entry of nobody',
      given: ({ listings }) => listings.putSync(entryKey(place, 1, 'e', 'p9'), u32Key(5)),
      expect: /entries in order 1: 8 stored, 7 counted/,
    },
    {
      name: 'a wrong count',
      given: ({ listings }) => listings.putSync(orderKey(place, 'block', 2), u32Key(77)),
      expect: /entries in a block of order 2: 77 stored/,
    },
    {
      name: 'a row that is not there',
      given: ({ listings }) => listings.removeSync(rowKey(place, 2)),
      expect: /rows: 7 stored, 6 counted/,
    },
    {
      name: 'a row that says something else',
      given: ({ listings }) =>
        listings.putSync(
          rowKey(place, 2),
          rowBytes({ id: 'p2', flags: [false, null], keys: ['e2@x', 'e2@x', 2, null] }, [0, 1]),
        ),
      expect: /does not say what record p2 says/,
    },
    {
      name: 'a set with another row',
      given: ({ listings }) => listings.putSync(setKey(place, flagTerm(0, true), 0), Buffer.of(0, 0)),
      expect: /wrong rows in range 0 of the sets/,
    },
    {
      name: 'a set of nothing',
      given: ({ listings }) => listings.putSync(setKey(place, flagTerm(1, true), 0), Buffer.of(0, 0)),
      expect: /keys of listings: \d+ stored/,
    },
    {
      name: 'a member that the set has not',
      given: ({ listings }) => listings.removeSync(memberKey(place, 0, 1, 0)),
      expect: /wrong rows in range 0 of the members of object 1/,
    },
    {
      name: 'a set with another member',
      given: ({ listings }) => listings.putSync(memberKey(place, 0, 1, 0), Buffer.of(3, 0)),
      expect: /wrong rows in range 0 of the members of object 1/,
    },
    {
      name: 'a set of members of nothing',
      given: ({ listings }) => listings.putSync(memberKey(place, 1, 9, 0), Buffer.of(3, 0)),
      expect: /keys of listings: \d+ stored/,
    },
    {
      name: 'a record that the listing was not told of',
      given: ({ listings }) => listings.removeSync(partKey(place, 'state')),
      expect: /rows: 0 stored, 7 counted/,
    },
  ])('finds $name', async ({ given, expect: expected }) => {
    expect((await scratch.verify()).problems).toEqual([]);
    expect(await damage(given)).toContainEqual(expect.stringMatching(expected));
  });
});

describe('definitions', () => {
  it('another one takes the place of the first, whose keys go in steps', async () => {
    const other: ListingDefinition = { ...definition, orders: definition.orders.slice(0, 2) };
    scratch.apply([{ op: 'define_listing', definition: other }]);
    const listing = scratch.engine.store('s').records.listing(other);
    expect(scratch.engine.listingProgress()).toMatchObject({ listed: 0, records: 7, work: 'records' });
    for (let step = 0; step < 4; step++) scratch.apply([{ op: 'build_listings', limit: 2 }]);
    scratch.apply([put('p8', { email: 'e8@x' })]);
    expect(listing.isWhole).toBe(true);
    expect(scratch.engine.listingProgress()).toMatchObject({ work: 'removal' });
    for (let step = 0; step < 200; step++) scratch.apply([{ op: 'build_listings', limit: 2 }]);
    scratch.apply([put('p9', { email: 'e9@x' })]);
    expect((await scratch.verify()).problems).toEqual([]);
    const store = scratch.engine.store('s');
    expect(store.records.listing(definition).isWhole).toBe(false);
    expect(() => store.records.listing(definition).page({ offset: 0, limit: 1 })).toThrow('not all listed yet');
    expect(store.records.listing(other).page({ order: 'email', offset: 6, limit: 5 })).toMatchObject({
      ids: ['p6', 'p8', 'p9'],
      total: 9,
    });
    expect(scratch.engine.listingProgress()).toBeUndefined();
  });

  it.each<[string, Partial<ListingDefinition>, string]>([
    ['no collection', { collection: '' }, 'collection'],
    ['an order twice', { orders: [...definition.orders, { name: 'email', paths: ['x'] }] }, 'orders'],
    ['an order of nothing', { orders: [{ name: 'email', paths: [] }] }, 'orders'],
    ['a text without its order', { text: ['title'] }, 'text'],
    ['a text whose case counts', { text: ['outside'] }, 'text'],
    ['a block of no power of two', { blockSize: 3 }, 'blockSize'],
    ['members of no relation', { memberships: { subjectType: 'user', relations: ['group'] } }, 'memberships'],
    ['members of no type', { memberships: { subjectType: '', relations: [] } }, 'memberships'],
    ['no recent rows at all', { recentMax: 0 }, 'recentMax'],
  ])('are refused with %s', (_, change, path) => {
    const [outcome] = scratch.batch([{ op: 'define_listing', definition: { ...definition, ...change } }]);
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_argument', details: { path } });
  });

  it('a deleted store takes its listings with it', async () => {
    scratch.apply([{ op: 'delete_store', store: 's' }]);
    for (let step = 0; step < 50; step++) scratch.apply([{ op: 'sweep_store', storeNumber: 1, limit: 100 }]);
    const tables = openTables({ path: scratch.path, readOnly: true });
    expect([...tables.listings.getKeys({})]).toEqual([]);
    await tables.root.close();
  });
});
