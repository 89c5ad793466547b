import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { UserRecord } from '../../../../../src/directory/records/index.ts';
import { metaOf, type ScimResource } from '../../../../../src/protocols/scim/documents/scim-resource.ts';
import { matches } from '../../../../../src/protocols/scim/filter/match-filter.ts';
import { parseFilter } from '../../../../../src/protocols/scim/filter/parse-filter.ts';
import { rowTest } from '../../../../../src/protocols/scim/lists/columns/row-test.ts';
import { userColumns } from '../../../../../src/protocols/scim/lists/user-source.ts';
import { userType } from '../../../../../src/protocols/scim/schema/user-type.ts';
import { chosenOf, contactsOf } from '../../../../../src/protocols/scim/users/user-fields.ts';
import { userAttributes } from '../../../../../src/protocols/scim/users/user-resource.ts';
import { runsOf } from '../../../../generated/extent.ts';
import { filters, users } from '../../filter/generated-filters.ts';
import { enterprise } from '../../people.ts';

const columns = new Set(Object.keys(userColumns.filters));

/** The record of a user; whoever administers may have changed the address since. */
function recordOf(resource: ScimResource, changed: string | undefined): UserRecord {
  const emails = contactsOf(resource.emails);
  const { created, lastModified } = resource.meta as { created: string; lastModified: string };
  const { name = {} } = resource as { name?: { givenName?: string; familyName?: string } };
  return {
    number: 1,
    email: changed ?? String(chosenOf(emails)?.value ?? 'none@a.example'),
    emailVerified: true,
    username: String(resource.userName),
    ...(name.givenName === undefined ? {} : { givenName: name.givenName }),
    ...(name.familyName === undefined ? {} : { familyName: name.familyName }),
    ...(resource.title === undefined ? {} : { title: String(resource.title) }),
    isActive: resource.active !== false,
    isBlocked: false,
    mfaEnabled: false,
    metadata: {},
    createdAt: Date.parse(created),
    updatedAt: Date.parse(lastModified),
    loginCount: 0,
    scim: {
      ...(resource.externalId === undefined ? {} : { externalId: String(resource.externalId) }),
      attributes: {
        ...(emails.length === 0 ? {} : { emails }),
        ...(resource.roles === undefined ? {} : { roles: resource.roles }),
        ...(resource[enterprise] === undefined ? {} : { [enterprise]: resource[enterprise] }),
      },
    },
  };
}

/** What the columns say of a user by a filter, beside what the filter itself does. */
function bothOf(record: UserRecord, text: string) {
  const filter = parseFilter(userType, text);
  const { test: passes, isExact } = rowTest(userType, filter, columns);
  const attributes = userAttributes('id', record);
  const resource = { ...attributes, meta: metaOf(userType, 'https://a.example', 'id', record, undefined) };
  const found = passes((name) => userColumns.filters[name]?.(record, 'id'));
  return { found, isExact, isMatch: matches(userType, filter, resource) };
}

const RUNS = runsOf({ quick: 1000, whole: 4000 });

describe('the columns of a list', () => {
  test('find what a filter does, or more where they say so', () => {
    let exact = 0;
    fc.assert(
      fc.property(
        users,
        fc.option(fc.constantFrom('b@a.example', 'ab'), { nil: undefined }),
        filters,
        (user, changed, text) => {
          const { found, isExact, isMatch } = bothOf(recordOf(user, changed), text);
          if (isExact) exact++;
          expect(isExact ? found : found || !isMatch, text).toBe(isExact ? isMatch : true);
        },
      ),
      { numRuns: RUNS },
    );
    expect(exact).toBeGreaterThan(RUNS / 4);
  });

  test.each([
    ['userName sw "a"', true],
    ['emails[type eq "work"]', true],
    ['emails[type eq "work" and not (value co "x")] and not (active eq false)', true],
    ['emails[display eq "x"]', false],
    ['roles.value eq "a"', false],
    ['not (nickName pr)', false],
  ])('%s: they know it all is %s', (text, isExact) => {
    expect(rowTest(userType, parseFilter(userType, text), columns).isExact).toBe(isExact);
  });
});
