import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { textsKey } from '../../../../engine/store/listing/listing-keys.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';
import { ScratchStore } from '../scratch-store.ts';

const definition: ListingDefinition = {
  collection: 'people',
  orders: [
    { name: 'email', paths: ['email'] },
    { name: 'name', paths: ['name'] },
  ],
  text: ['email', 'name'],
  flags: [],
};
/** Two ranges that have texts, and some rows of a third. */
const COUNT = 5_000;

const emails = new Map<string, string>();
let scratch: ScratchStore;

function put(numbers: readonly number[], emailOf: (number: number) => string): void {
  scratch.apply(
    numbers.map((number) => {
      const [id, email] = [`p${number}`, emailOf(number)];
      emails.set(id, email);
      return { op: 'put_record', store: 's', record: { collection: 'people', id, document: { email, name: 'Zoë' } } };
    }),
  );
}

function remove(number: number): void {
  emails.delete(`p${number}`);
  scratch.apply([{ op: 'delete_record', store: 's', collection: 'people', id: `p${number}` }]);
}

const numbers = Array.from({ length: COUNT }, (_, number) => number);
const family = ['Hopper', 'Lovelace', 'Ünal', 'Hop"\\per'];
const firstEmail = (number: number): string => `${family[number % family.length]}.${number}@example.com`;

beforeAll(async () => {
  scratch = await ScratchStore.openModelled();
  scratch.apply([{ op: 'define_listing', definition }]);
  for (let from = 0; from < COUNT; from += 500) put(numbers.slice(from, from + 500), firstEmail);
}, 120_000);

afterAll(() => scratch.close());

const searches = ['hopper.1', 'lovelace', 'ÜNAL.', 'hop"\\per', '@example', 'renamed.4', 'xxxxxa', 'zoë\n', 'per.2'];

async function expectAsScanned(): Promise<void> {
  const listing = scratch.engine.store('s').records.listing(definition);
  for (const search of searches) {
    const ids = [...emails]
      .filter(([, email]) => email.toLowerCase().includes(search.toLowerCase()))
      .map(([id]) => id)
      .sort();
    for (const descending of [false, true]) {
      const expected = descending ? ids.toReversed() : ids;
      const found = listing.page({ search, descending, offset: 3, limit: 40 });
      expect(found).toMatchObject({ ids: expected.slice(3, 43), total: ids.length, totalIsExact: true });
    }
  }
  expect((await scratch.verify()).problems).toEqual([]);
}

async function damage(change: (tables: Tables) => unknown): Promise<readonly string[]> {
  const tables = openTables({ path: scratch.path });
  await tables.root.transaction(() => change(tables));
  await tables.root.close();
  return (await verifyStore(scratch.path)).problems;
}

const place = { store: 1, listing: 1 };

describe('texts of a range, in one piece', () => {
  it('find what the rows have', expectAsScanned);

  it('find what a few rows have that were changed, and not what they had', async () => {
    for (const number of [0, 1, 2_047, 2_048, 4_095, 4_999]) put([number], (each) => `renamed.${each * 4}@example.com`);
    remove(5);
    remove(2_050);
    await expectAsScanned();
  });

  it('are written anew where many have changed', async () => {
    put(numbers.slice(100, 400), (number) => (number % 2 === 0 ? `renamed.${number}@example.net` : firstEmail(number)));
    await expectAsScanned();
    put(numbers.slice(100, 110), firstEmail);
    await expectAsScanned();
  });

  it('leave out rows whose texts are long, which are found all the same', async () => {
    put(numbers.slice(700, 1_000), (number) => `${'x'.repeat(260)}a${number}`);
    await expectAsScanned();
  });

  it('are compared with the rows', async () => {
    const problems = await damage(({ listings }) => {
      const key = textsKey(place, 0, 'texts');
      const bytes = listings.getBinary(key) as Buffer;
      bytes[bytes.length - 1] = 0x21;
      listings.putSync(key, bytes);
    });
    expect(problems).toContainEqual(expect.stringMatching(/wrong texts of row 2047/));
  });

  it('are not missed where they are not there, as in data of an earlier release', async () => {
    await damage(({ listings }) => listings.removeSync(textsKey(place, 0, 'texts')));
    await expectAsScanned();
  });
});
