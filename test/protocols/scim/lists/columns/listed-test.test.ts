import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type UserRecord, userRecords } from '../../../../../src/directory/records/index.ts';
import { RecordLists } from '../../../../../src/kernel/lists/index.ts';
import { Background, createLog } from '../../../../../src/platform/index.ts';
import { metaOf } from '../../../../../src/protocols/scim/documents/scim-resource.ts';
import { matches } from '../../../../../src/protocols/scim/filter/match-filter.ts';
import { parseFilter } from '../../../../../src/protocols/scim/filter/parse-filter.ts';
import { listedTest } from '../../../../../src/protocols/scim/lists/columns/listed-test.ts';
import { userColumns } from '../../../../../src/protocols/scim/lists/user-source.ts';
import { userType } from '../../../../../src/protocols/scim/schema/user-type.ts';
import { userAttributes } from '../../../../../src/protocols/scim/users/user-resource.ts';
import { ScratchEngine } from '../../../../engine/scratch-engine.ts';
import { seed } from '../../../../generated/seed.ts';
import { idsInOrder } from '../ids-in-order.ts';

const FIRST = Date.UTC(2026, 0, 1);
/** Few times, so that many are the same, and bounds are met. */
const time = fc.integer({ min: 0, max: 12 }).map((step) => FIRST + step * 250);

interface Person {
  readonly created: number;
  readonly changed: number;
  readonly isActive: boolean;
  readonly name: string | undefined;
}

const person: fc.Arbitrary<Person> = fc.record({
  created: time,
  changed: time,
  isActive: fc.boolean(),
  name: fc.constantFrom('Ann', 'bob', undefined),
});

function recordOf({ created, changed, isActive, name }: Person, number: number): UserRecord {
  return {
    number,
    email: `p${number}@a.example`,
    emailVerified: true,
    ...(name === undefined ? {} : { name }),
    isActive,
    isBlocked: false,
    mfaEnabled: false,
    metadata: {},
    createdAt: created,
    updatedAt: changed,
    loginCount: 0,
  } as UserRecord;
}

const comparison = fc
  .record({
    of: fc.constantFrom('meta.created', 'meta.lastModified'),
    by: fc.constantFrom('eq', 'gt', 'ge', 'lt', 'le'),
    time,
  })
  .map(({ of, by, time: at }) => `${of} ${by} "${new Date(at).toISOString()}"`);
const activity = fc
  .record({ by: fc.constantFrom('eq', 'ne'), value: fc.boolean() })
  .map(({ by, value }) => `active ${by} ${value}`);
const filters = fc.oneof(
  comparison,
  activity,
  fc.array(comparison, { minLength: 2, maxLength: 3 }).map((terms) => terms.join(' and ')),
  fc.tuple(activity, comparison).map((terms) => terms.join(' and ')),
  fc.oneof(comparison, activity).map((term) => `not (${term})`),
  fc.tuple(activity, comparison, comparison).map(([one, ...others]) => `${one} and not (${others.join(' or ')})`),
  comparison.map((term) => `not (not (${term}))`),
  fc.tuple(comparison, activity, activity).map(([one, ...others]) => `${one} and (${others.join(' and ')})`),
);

type Order = 'meta.created' | 'displayName' | 'emails' | 'userName';

interface Asked {
  readonly filter: string;
  readonly sortBy: Order | undefined;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  filter: filters,
  sortBy: fc.constantFrom<(Order | undefined)[]>(undefined, 'meta.created', 'displayName', 'emails', 'userName'),
  descending: fc.boolean(),
  offset: fc.integer({ min: 0, max: 6 }),
  limit: fc.integer({ min: 0, max: 9 }),
});

let scratch: ScratchEngine;
let stores = 0;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.defineListing(userRecords.listing as never);
});
afterAll(() => scratch.close());

const lists = () =>
  new RecordLists(scratch.engine, new Background({ log: createLog({ level: 'error', write: () => {} }) }));

/** All users are read, tested and sorted one by one. */
function scanned(users: ReadonlyMap<string, UserRecord>, { filter, sortBy, descending }: Asked): string[] {
  const parsed = parseFilter(userType, filter);
  const found = [...users].filter(([id, record]) =>
    matches(userType, parsed, {
      ...userAttributes(id, record),
      meta: metaOf(userType, 'https://a.example', id, record, undefined),
    }),
  );
  const keyOf = ({ createdAt, name, email }: UserRecord) =>
    ({ 'meta.created': createdAt, displayName: name?.toLowerCase(), emails: email, userName: email, '': undefined })[
      sortBy ?? ''
    ];
  return idsInOrder(found, keyOf, descending);
}

describe('filters that the store answers', () => {
  test('find what a plain scan finds, and no record is read for them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 30 }),
        fc.array(asked, { minLength: 8, maxLength: 8 }),
        async (people, queries) => {
          const store = await scratch.engine.createStore(`s${++stores}`);
          const users = new Map(people.map((each, number) => [`u${(number * 7) % 31}`, recordOf(each, number)]));
          const { collection } = userRecords;
          await scratch.engine.submit(
            scratch.engine.command(
              [...users].map(
                ([id, document]) =>
                  ({ op: 'put_record', store: store.name, record: { collection, id, document } }) as const,
              ),
            ),
          );
          for (const query of queries) {
            const { filter, ...placed } = query;
            const asListed = listedTest(parseFilter(userType, filter));
            // of two that contradict each other nobody is asked
            if (asListed === undefined) continue;
            const read = () => {
              throw new Error('a record was looked at');
            };
            const page = scratch.engine.read(() =>
              lists().page(store, userColumns, { ...placed, test: { name: filter, passes: read, asListed } }),
            );
            const expected = scanned(users, query);
            expect(page).toMatchObject({
              ids: expected.slice(query.offset, query.offset + query.limit),
              total: expected.length,
              totalIsExact: true,
            });
          }
        },
      ),
      { numRuns: 40, seed },
    );
  });

  test.each([
    'active eq true',
    'meta.created gt "2026-01-01T00:00:00Z" and active ne false',
    'not (active eq true)',
    'not (active eq true or meta.created le "2026-01-01T00:00:00Z")',
  ])('are asked of it: %s', (filter) => {
    expect(listedTest(parseFilter(userType, filter))).toBeDefined();
  });

  test.each([
    'title eq "a"',
    'not (title eq "a")',
    'not (meta.created eq "2026-01-01T00:00:00Z")',
    'not (active eq true and meta.created gt "2026-01-01T00:00:00Z")',
    'active eq true or active eq false',
    'active eq true and active eq false',
    'meta.created ne "2026-01-01T00:00:00Z"',
    'active eq true and title pr',
  ])('are not asked of it: %s', (filter) => {
    expect(listedTest(parseFilter(userType, filter))).toBeUndefined();
  });
});
