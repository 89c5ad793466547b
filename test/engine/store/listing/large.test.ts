import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListingDefinition } from '../../../../engine/command/listing-definition.ts';
import { TuplePacker } from '../../../../engine/command/pack-tuples.ts';
import type { ListingQuery } from '../../../../engine/store/listing/read/query.ts';
import { ScratchStore } from '../scratch-store.ts';

/** With the sizes of blocks and sets that services have. */
const definition: ListingDefinition = {
  collection: 'people',
  orders: [
    { name: 'email', paths: ['email'] },
    { name: 'age', paths: ['age'] },
    { name: 'nick', paths: ['nick'] },
    { name: 'nothing', paths: ['nothing'] },
  ],
  text: ['email'],
  flags: ['isBlocked'],
  memberships: { subjectType: 'user', relations: ['group#member'] },
};
const COUNT = 12_500;

const numbers = Array.from({ length: COUNT }, (_, number) => number);
const idOf = (number: number): string => `id-${String((number * 7_919) % COUNT).padStart(6, '0')}`;
const emailOf = (number: number): string => `Person${(number * 4_271) % COUNT}@example.com`;
const ageOf = (number: number): number | undefined => (number % 50 === 0 ? undefined : number % 90);
/** Few have one. */
const nickOf = (number: number): string | undefined => (number % 300 === 7 ? `n${number}` : undefined);
const isBlocked = (number: number): boolean => number % 10 === 0;

let scratch: ScratchStore;

beforeAll(async () => {
  scratch = await ScratchStore.openModelled();
  scratch.apply([{ op: 'define_listing', definition }]);
  const tuples = numbers
    .filter(isMember)
    .map((number) => ({ object: 'group:third', relation: 'member', subject: `user:${idOf(number)}` }));
  scratch.apply([{ op: 'write_tuples', store: 's', tuples: tuples.slice(0, 2_000) }]);
  for (let from = 0; from < COUNT; from += 500) {
    scratch.apply(
      numbers.slice(from, from + 500).map((number) => ({
        op: 'put_record',
        store: 's',
        record: {
          collection: 'people',
          id: idOf(number),
          document: {
            email: emailOf(number),
            age: ageOf(number),
            nick: nickOf(number),
            isBlocked: isBlocked(number),
          },
        },
      })),
    );
  }
  const packer = new TuplePacker();
  for (const tuple of tuples.slice(2_000)) packer.add(tuple);
  scratch.apply([{ op: 'write_packed', store: 's', packed: packer.take() }]);
}, 120_000);

/** One in three, some of them before they had records. */
const isMember = (number: number): boolean => number % 3 === 0;

afterAll(async () => {
  expect((await scratch.verify()).problems).toEqual([]);
  await scratch.close();
});

const page = (query: ListingQuery) => scratch.engine.store('s').records.listing(definition).page(query);

const byEmail = numbers.toSorted((left, right) =>
  emailOf(left).toLowerCase() < emailOf(right).toLowerCase() ? -1 : 1,
);
const byAge = numbers.toSorted((left, right) => {
  const [one, other] = [ageOf(left) ?? Number.POSITIVE_INFINITY, ageOf(right) ?? Number.POSITIVE_INFINITY];
  return one === other ? (idOf(left) < idOf(right) ? -1 : 1) : one - other;
});
const byId = numbers.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
const byNick = numbers.toSorted((left, right) => {
  const [one, other] = [nickOf(left) ?? '~', nickOf(right) ?? '~'];
  return one === other ? (idOf(left) < idOf(right) ? -1 : 1) : one < other ? -1 : 1;
});
const orders = { email: byEmail, age: byAge, nick: byNick, nothing: byId, '': byId } as const;

describe('a listing of thousands of records', () => {
  it.each(Object.keys(orders) as (keyof typeof orders)[])('has every page of the order %j, up and down', (order) => {
    const ids = orders[order].map(idOf);
    for (const offset of [0, 1, 38, 41, 45, 2_047, 2_048, 2_049, 6_000, COUNT - 44, COUNT - 3, COUNT, COUNT + 10]) {
      const asked = { order, offset, limit: 7 };
      expect(page(asked)).toMatchObject({ ids: ids.slice(offset, offset + 7), total: COUNT, totalIsExact: true });
      const down = ids.toReversed().slice(offset, offset + 7);
      expect(page({ ...asked, descending: true })).toMatchObject({ ids: down, total: COUNT });
    }
  });

  it.each(Object.keys(orders) as (keyof typeof orders)[])('is walked by positions in the order %j', (order) => {
    const seen: string[] = [];
    for (let after = page({ order, offset: 0, limit: 0 }).last; ; ) {
      const found = page({ order, offset: 0, limit: 499, after });
      if (found.ids.length === 0) break;
      seen.push(...found.ids);
      after = found.last;
    }
    expect(seen).toEqual(orders[order].map(idOf));
  });

  it('counts what a filter matches, and has its pages wherever they are', () => {
    for (const isWanted of [true, false]) {
      const ids = byEmail.filter((number) => isBlocked(number) === isWanted).map(idOf);
      for (const offset of [0, 3, 900, ids.length - 2]) {
        const asked = { where: { isBlocked: isWanted }, order: 'email', offset, limit: 5 };
        expect(page(asked)).toMatchObject({
          ids: ids.slice(offset, offset + 5),
          total: ids.length,
          totalIsExact: true,
        });
      }
    }
  });

  it('counts the members of a group, and has their pages wherever they are', () => {
    const memberOf = [{ relation: 'group#member', object: 'group:third' }];
    for (const where of [{}, { isBlocked: true }]) {
      const ids = byEmail
        .filter((number) => isMember(number) && (where.isBlocked !== true || isBlocked(number)))
        .map(idOf);
      for (const offset of [0, 3, 900, ids.length - 2]) {
        const asked = { where, memberOf, order: 'email', offset, limit: 5 };
        expect(page(asked)).toMatchObject({
          ids: ids.slice(offset, offset + 5),
          total: ids.length,
          totalIsExact: true,
        });
      }
    }
  });

  it('filters in an order in which most have no value', () => {
    for (const isWanted of [true, false]) {
      const ids = byNick.filter((number) => isBlocked(number) === isWanted).map(idOf);
      for (const descending of [false, true]) {
        const expected = descending ? ids.toReversed() : ids;
        const asked = { where: { isBlocked: isWanted }, order: 'nick', descending, limit: 30 };
        for (const offset of [0, 3, 900]) {
          const found = page({ ...asked, offset });
          expect(found).toMatchObject({ ids: expected.slice(offset, offset + 30), total: ids.length });
          const next = page({ ...asked, offset: 0, after: found.last });
          expect(next.ids).toEqual(expected.slice(offset + 30, offset + 60));
        }
      }
    }
  });

  it('says at least how many a search finds where they are very many, and still has their pages in order', () => {
    const ids = byEmail.map(idOf);
    const found = page({ search: 'EXAMPLE.com', order: 'email', offset: 11_000, limit: 4 });
    expect(found).toMatchObject({ ids: ids.slice(11_000, 11_004), total: 10_000, totalIsExact: false });
    const blocked = byEmail.filter(isBlocked).map(idOf);
    const few = page({ search: 'example.com', where: { isBlocked: true }, order: 'email', offset: 5, limit: 4 });
    expect(few).toMatchObject({ ids: blocked.slice(5, 9), total: blocked.length, totalIsExact: true });
  });

  it('counts exactly what one, two or three characters find, however many', () => {
    for (const search of ['@', 'p', 'so', 'com', '.', '77', '777']) {
      const ids = byEmail.filter((number) => emailOf(number).toLowerCase().includes(search)).map(idOf);
      const found = page({ search, order: 'email', offset: 2, limit: 3 });
      expect(found).toMatchObject({ ids: ids.slice(2, 5), total: ids.length, totalIsExact: true });
    }
  });

  it('finds longer texts by the rarest of their pieces, also with a flag and with members', () => {
    for (let number = 3; number < COUNT; number += 611) {
      const email = emailOf(number).toLowerCase();
      for (const search of [email, email.slice(2), email.slice(3, 12), email.slice(0, 9), `${email}x`]) {
        const those = byEmail.filter((each) => emailOf(each).toLowerCase().includes(search));
        const blocked = those.filter(isBlocked).map(idOf);
        const members = those.filter(isMember).map(idOf);
        const asked = { search, order: 'email', offset: 0, limit: 50 };
        expect(page(asked)).toMatchObject({ ids: those.map(idOf).slice(0, 50), total: those.length });
        expect(page({ ...asked, where: { isBlocked: true } })).toMatchObject({ ids: blocked, total: blocked.length });
        const found = page({ ...asked, memberOf: [{ relation: 'group#member', object: 'group:third' }] });
        expect(found).toMatchObject({ ids: members.slice(0, 50), total: members.length });
      }
    }
  });

  it('finds among some records alone', () => {
    for (const share of [2, 40]) {
      const within = new Set(numbers.filter((number) => number % share === 0).map(idOf));
      within.add('nobody');
      for (const search of ['', 'person1']) {
        const ids = byEmail
          .filter((number) => number % share === 0 && emailOf(number).toLowerCase().includes(search))
          .map(idOf);
        const found = page({ within, search, order: 'email', offset: 20, limit: 5 });
        expect(found).toMatchObject({ ids: ids.slice(20, 25), total: ids.length, totalIsExact: true });
      }
    }
  });

  it('refuses what it has not', () => {
    const asked = { offset: 0, limit: 1 };
    expect(() => page({ ...asked, order: 'shoe' })).toThrow('no order shoe');
    expect(() => page({ ...asked, where: { isTall: true } })).toThrow('no flag isTall');
  });
});
