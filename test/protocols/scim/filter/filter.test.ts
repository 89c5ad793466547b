import { describe, expect, test } from 'vitest';
import { matcher, matches } from '../../../../src/protocols/scim/filter/match-filter.ts';
import { parseFilter } from '../../../../src/protocols/scim/filter/parse-filter.ts';
import { groupType } from '../../../../src/protocols/scim/schema/group-type.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { barbara, core, enterprise, groupUrn, guides, jan, kim } from '../people.ts';
import { cases } from './found.ts';
import { invalid } from './invalid.ts';

const people = [barbara, jan, kim];

describe('a filter', () => {
  const rows = Object.entries(cases).flatMap(([rule, each]) =>
    each.map(([filter, found]) => ({ rule, filter, found })),
  );

  test.each(rows)('$rule: $filter finds "$found"', ({ filter, found }) => {
    const parsed = parseFilter(userType, filter);
    const ids = people.filter((person) => matches(userType, parsed, person)).map(({ id }) => id);
    expect(ids.join(' ')).toBe(found);
  });

  test.each(invalid)('%s is refused', (filter, detail) => {
    expect(() => parseFilter(userType, filter)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          kind: expect.objectContaining({ code: 'invalidFilter', status: 400 }),
          detail: expect.stringMatching(detail),
        }),
      }),
    );
  });

  test('of groups finds groups by their members', () => {
    const finds = (filter: string) => matches(groupType, parseFilter(groupType, filter), guides);
    expect(finds('members eq "b1"')).toBe(true);
    expect(finds('members[value eq "g2" and type eq "group"]')).toBe(true);
    expect(finds('members[value eq "g2" and type eq "user"]')).toBe(false);
    expect(finds('members.value eq "B1"')).toBe(false);
    expect(finds('members.$ref pr')).toBe(false);
    expect(finds(`${groupUrn}:displayName eq "tour guides"`)).toBe(true);
  });

  // RFC 7644, 3.4.2.1
  test('of all types takes an attribute that a type does not have for one without a value', () => {
    const found = (filter: string) => {
      const parsed = parseFilter(undefined, filter);
      return [matches(userType, parsed, barbara), matches(groupType, parsed, guides)];
    };
    expect(found('userName eq "bjensen"')).toEqual([true, false]);
    expect(found('userName pr')).toEqual([true, false]);
    expect(found('userName ne "bjensen"')).toEqual([false, true]);
    expect(found('emails[type eq "work"]')).toEqual([true, false]);
    expect(found('members pr')).toEqual([false, true]);
    expect(found('not (members.value eq "b1")')).toEqual([true, false]);
    expect(found('displayName sw "T"')).toEqual([false, true]);
    expect(found('meta.resourceType eq "User"')).toEqual([true, false]);
    expect(found('userName eq "bjensen" or displayName co "guides"')).toEqual([true, true]);
    expect(() => parseFilter(undefined, 'nothing pr')).toThrow('invalidFilter');
  });

  test('comes out with canonical names and typed values, so that an index can serve it', () => {
    expect(parseFilter(userType, `${core}:USERNAME eq bjensen and EMAILS co "x" and Active EQ "True"`)).toEqual({
      kind: 'and',
      terms: [
        { kind: 'compare', path: { attribute: 'userName' }, operator: 'eq', value: 'bjensen' },
        { kind: 'compare', path: { attribute: 'emails', subAttribute: 'value' }, operator: 'co', value: 'x' },
        { kind: 'compare', path: { attribute: 'active' }, operator: 'eq', value: true },
      ],
    });
    expect(parseFilter(userType, `${enterprise.toLowerCase()}:Manager[VALUE eq "x"]`)).toEqual({
      kind: 'values',
      path: { urn: enterprise, attribute: 'manager' },
      filter: { kind: 'compare', path: { attribute: 'value' }, operator: 'eq', value: 'x' },
    });
  });

  test('is the same test for any number of resources', () => {
    const passes = matcher(userType, parseFilter(userType, 'emails[type eq "home"] or active eq false'));
    expect(people.map(passes)).toEqual([true, true, false]);
  });
});
