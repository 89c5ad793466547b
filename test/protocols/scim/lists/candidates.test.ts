import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../../../engine/index.ts';
import { type UserRecord, userRecords } from '../../../../src/directory/records/index.ts';
import { RecordLists } from '../../../../src/kernel/lists/index.ts';
import type { Caller } from '../../../../src/kernel/organizations/index.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';
import { metaOf } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { matches } from '../../../../src/protocols/scim/filter/match-filter.ts';
import { parseFilter } from '../../../../src/protocols/scim/filter/parse-filter.ts';
import { scimListQuery } from '../../../../src/protocols/scim/lists/list-query.ts';
import type { ScimListTask } from '../../../../src/protocols/scim/lists/list-task.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { userAttributes } from '../../../../src/protocols/scim/users/user-resource.ts';
import { ScratchEngine } from '../../../engine/scratch-engine.ts';
import { seed } from '../../../generated/seed.ts';
import { idsInOrder } from './ids-in-order.ts';

const FIRST = Date.UTC(2026, 0, 1);
const BASE = 'https://a.example/scim';
/** What a user is shown with. */
const MODEL = `model
  schema 1.1
type user
type group
  relations
    define member: [user]
type role
  relations
    define assignee: [user, group#member]`;

/**
 * Texts of which some begin, contain or equal others, in both cases; with letters that are composed or not, of which one
 * that is composed no longer has the letter of ASCII that is searched, and letters that ASCII is the lower case of.
 */
const word = fc.constantFrom(
  ...[
    'ann',
    'Ann',
    'an',
    'a',
    'anna',
    'x ann',
    'bo"b',
    'b\\',
    'bo\u0300b',
    'ane\u0301',
    'an\u00e9',
    'ANE\u0301x',
    'an\u00e9x',
  ],
  ...['\u212ann', 'k', 'xI\u0307', 'x\u0130y', 'xi', 'a\nb', '\u00fc', 'u\u0308', 'x\u00fcann'],
);
const maybe = fc.option(word, { nil: undefined });

interface Person {
  readonly username: string | undefined;
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly externalId: string | undefined;
  readonly isActive: boolean;
  readonly email: string;
}

const person: fc.Arbitrary<Person> = fc.record({
  username: maybe,
  name: maybe,
  title: maybe,
  externalId: maybe,
  isActive: fc.boolean(),
  email: word,
});

function recordOf({ email, isActive, externalId, ...named }: Person, number: number): UserRecord {
  return {
    number,
    email: `${email}${number}@a.example`,
    emailVerified: true,
    ...(JSON.parse(JSON.stringify(named)) as Partial<UserRecord>),
    ...(externalId === undefined ? {} : provisioned(named.username, externalId, number)),
    isActive,
    isBlocked: false,
    mfaEnabled: false,
    metadata: {},
    createdAt: FIRST + number,
    updatedAt: FIRST + number,
    loginCount: 0,
  } as UserRecord;
}

/** Names are unique among those who are provisioned. */
function provisioned(username: string | undefined, externalId: string, number: number) {
  return {
    ...(username === undefined ? {} : { username: `${username}${number}` }),
    scim: { externalId, attributes: {} },
  };
}

const comparison = fc
  .record({
    path: fc.constantFrom('userName', 'userName', 'displayName', 'displayName', 'title', 'externalId', 'emails.value'),
    operator: fc.constantFrom('co', 'co', 'sw', 'ew', 'eq', 'ne', 'gt'),
    value: word,
  })
  .map(({ path, operator, value }) => `${path} ${operator} ${JSON.stringify(value)}`);
const leaf = fc.oneof(
  { arbitrary: comparison, weight: 6 },
  { arbitrary: fc.constantFrom('active eq true', 'active eq false', 'title pr'), weight: 1 },
  { arbitrary: fc.nat(20).map((at) => `meta.created lt "${new Date(FIRST + at).toISOString()}"`), weight: 1 },
);
const joined = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(' and ', ' or '), fc.array(of, { minLength: 1, maxLength: 3 }))
    .map(([joint, terms]) => terms.join(joint));
const inBrackets = fc.oneof(
  leaf,
  leaf,
  joined(leaf).map((text) => `(${text})`),
  leaf.map((text) => `not (${text})`),
);
const filters = joined(inBrackets);

const asked = fc.record({
  filter: filters,
  sortBy: fc.constantFrom(undefined, 'title', 'meta.created'),
  descending: fc.boolean(),
  startIndex: fc.integer({ min: 1, max: 6 }),
  count: fc.integer({ min: 0, max: 9 }),
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

let scratch: ScratchEngine;
let stores = 0;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.defineListing(userRecords.listing as never);
});
afterAll(() => scratch.close());
afterEach(() => vi.restoreAllMocks());

async function storeOf(people: readonly Person[]): Promise<{ store: Store; users: Map<string, UserRecord> }> {
  const store = await scratch.engine.createStore(`s${++stores}`);
  await store.writeModel({ dsl: MODEL });
  const users = new Map(people.map((each, number) => [`u${(number * 7) % 31}`, recordOf(each, number)]));
  const puts = [...users].map(([id, document]) => userRecords.put({ name: store.name }, id, document));
  await scratch.engine.submit(scratch.engine.command(puts));
  return { store, users };
}

async function found(store: Store, { filter, sortBy, descending, startIndex, count }: Asked) {
  const lists = new RecordLists(scratch.engine, new Background({ log: silentLog }));
  const handler = scimListQuery(lists);
  const caller = { organization: { store }, may: () => true } as unknown as Caller;
  const query = { filter, sortBy, descending, startIndex, count, cursor: undefined };
  const task = { kind: 'scim_list', types: ['User'], query, base: BASE } as unknown as ScimListTask;
  await handler.prepare?.(caller, task);
  const body = scratch.engine.read(() => handler.answer(caller, task)) as {
    totalResults: number;
    Resources: unknown[];
  };
  return { total: body.totalResults, ids: body.Resources.map((each) => (each as { id: string }).id) };
}

/** All users are read, tested and sorted one by one. */
function scanned(users: ReadonlyMap<string, UserRecord>, { filter, sortBy, descending }: Asked): string[] {
  const parsed = parseFilter(userType, filter);
  const all = [...users].filter(([id, record]) =>
    matches(userType, parsed, {
      ...userAttributes(id, record),
      meta: metaOf(userType, BASE, id, record, undefined),
    }),
  );
  const keyOf = ({ title, createdAt }: UserRecord) =>
    sortBy === 'title' ? title?.normalize('NFC').toLowerCase().normalize('NFC') : sortBy && createdAt;
  return idsInOrder(all, keyOf, descending);
}

describe('lists of users with a filter', () => {
  test('find what a plain scan finds, whether the store or memory is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 30 }),
        fc.array(asked, { minLength: 12, maxLength: 12 }),
        async (people, queries) => {
          const { store, users } = await storeOf(people);
          for (const query of queries) {
            const ids = scanned(users, query);
            const from = query.startIndex - 1;
            expect(await found(store, query), query.filter).toEqual({
              total: ids.length,
              ids: ids.slice(from, from + query.count),
            });
          }
        },
      ),
      { numRuns: 40, seed },
    );
  });

  const people = ['ann', 'bob', 'carl'].map(
    (name, at): Person => ({
      username: name,
      name: `${name} example`,
      title: at === 0 ? undefined : 'Head',
      externalId: `e${at}`,
      isActive: at !== 1,
      email: name,
    }),
  );
  /** Whether a list was read into memory. */
  async function isReadWith(filter: string): Promise<boolean> {
    const { store } = await storeOf(people);
    const follow = vi.spyOn(Object.getPrototypeOf(store), 'followRecords');
    await found(store, { filter, sortBy: 'title', descending: false, startIndex: 1, count: 10 });
    return follow.mock.calls.length > 0;
  }

  test.each([
    'userName co "nn" and title pr',
    'title eq "Head" and userName sw "bo"',
    'displayName co "exam"',
    'externalId eq "e1" or displayName sw "ann"',
    'userName co "bob" or active eq false',
    '(userName sw "ca" or userName sw "an") and not (title pr)',
    'active eq false and title co "e"',
    'title pr and (externalId eq "e0" or userName ew "arl")',
  ])('read nobody into memory where an index or a search finds few: %s', async (filter) => {
    expect(await isReadWith(filter)).toBe(false);
  });

  test.each([
    'title co "e"',
    'title pr or userName co "nn"',
    'userName co "n"',
    'not (userName co "ann")',
    'emails.value co "ann"',
  ])('read all into memory where the store does not know: %s', async (filter) => {
    expect(await isReadWith(filter)).toBe(true);
  });
});
