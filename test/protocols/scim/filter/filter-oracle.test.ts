import * as fc from 'fast-check';
import { parse, Tester } from 'scim2-parse-filter';
import { describe, expect, test } from 'vitest';
import { matches } from '../../../../src/protocols/scim/filter/match-filter.ts';
import { parseFilter } from '../../../../src/protocols/scim/filter/parse-filter.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { runsOf } from '../../../generated/extent.ts';
import { barbara, core, jan } from '../people.ts';
import { filters, users } from './generated-filters.ts';
import {
  type Adaptation,
  caseRules,
  complexValue,
  coreUrn,
  instants,
  nothingIsUnequal,
  notPrimary,
  nullIsNothing,
  oracleFinds,
  ValueTester,
} from './oracle.ts';

/** A rule that the oracle does not follow, with a filter that shows it: it finds one of both, and the oracle does not. */
interface Difference {
  readonly name: string;
  readonly section: string;
  readonly adaptation: Adaptation;
  readonly shown: readonly [filter: string, person: typeof barbara];
}

// in this order: each meets what those before it have made
const differences: readonly Difference[] = [
  {
    name: 'of a complex attribute its value is compared',
    section: 'RFC 7644, 3.4.2.2 (figure 2: emails co "example.com")',
    adaptation: complexValue,
    shown: ['emails co "jan@"', jan],
  },
  {
    name: 'null is no value',
    section: 'RFC 7643, 2.5',
    adaptation: nullIsNothing,
    shown: ['title eq null', jan],
  },
  {
    name: 'a value that does not say so is not primary',
    section: 'RFC 7643, 2.4',
    adaptation: notPrimary,
    shown: ['emails.primary eq false', jan],
  },
  {
    name: 'what has no value is not equal to a value',
    section: 'RFC 7644, 3.4.2.2 (table 3: ne), and RFC 7643, 2.5',
    adaptation: nothingIsUnequal,
    shown: ['title ne "x"', jan],
  },
  {
    name: 'texts are compared by the case rule of their attribute',
    section: 'RFC 7643, 2.2',
    adaptation: caseRules,
    shown: ['userName eq "JAN"', jan],
  },
  {
    name: 'times are compared as times',
    section: 'RFC 7644, 3.4.2.2 (table 3: gt)',
    adaptation: instants,
    shown: ['meta.created eq "2026-06-01T02:00:00+02:00"', jan],
  },
  {
    name: 'attributes of the core schema may have its URN',
    section: 'RFC 7644, 3.10',
    adaptation: coreUrn,
    shown: [`${core}:userName eq "Jan"`, jan],
  },
];

/** Differences that no generated filter has, as the oracle reads the text otherwise, or not at all. */
const unread: readonly { readonly name: string; readonly section: string; readonly filter: string }[] = [
  { name: 'texts are those of JSON', section: 'RFC 7644, 3.4.2.2 (compValue)', filter: 'addresses.formatted co "\\n"' },
  { name: 'names may begin with "$"', section: 'RFC 7643, 2.4 ($ref)', filter: 'not (groups.$ref pr)' },
  { name: 'values may stand without quotation marks', section: 'none: clients send it', filter: 'userName eq bjensen' },
  { name: 'booleans may be "True"', section: 'none: clients send it', filter: 'active eq "True"' },
  { name: 'lists of texts are lists', section: 'RFC 7644, 3.4.2.2', filter: `schemas eq "${core}"` },
];

const finds = (filter: string, person: typeof barbara) => matches(userType, parseFilter(userType, filter), person);
const adaptations = differences.map(({ adaptation }) => adaptation);

describe('filters beside the library scim2-parse-filter', () => {
  test('generated ones find the same users, but for the differences below', () => {
    const tester = new ValueTester();
    fc.assert(
      fc.property(filters, fc.array(users, { minLength: 2, maxLength: 2 }), (filter, people) => {
        const found = people.map((person) => finds(filter, person));
        expect(found).toEqual(people.map((person) => oracleFinds(filter, person, adaptations, tester)));
      }),
      { numRuns: runsOf({ quick: 2000, whole: 8000 }) },
    );
  });

  test('the generated ones find some, and do not find others', () => {
    const sample = fc.sample(fc.tuple(filters, users), { seed: 11, numRuns: 500 });
    const found = sample.filter(([filter, person]) => finds(filter, person)).length;
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(400);
  });

  test.each(differences)('without its adaptation the library does not know that $name ($section)', (difference) => {
    const [filter, person] = difference.shown;
    const others = adaptations.filter((each) => each !== difference.adaptation);
    expect(finds(filter, person)).toBe(true);
    expect(oracleFinds(filter, person, adaptations, new ValueTester())).toBe(true);
    expect(oracleFinds(filter, person, others, new ValueTester())).toBe(false);
  });

  // RFC 7644, 3.4.2.2: complex attribute filter grouping
  test('as it is, the library does not know that a value path holds for one value', () => {
    const filter = 'emails[type eq "home" and value co "Bjensen"]';
    expect(finds(filter, barbara)).toBe(false);
    expect(oracleFinds(filter, barbara, adaptations, new ValueTester())).toBe(false);
    expect(oracleFinds(filter, barbara, adaptations, new Tester())).toBe(true);
  });

  // our reading of what is no filter of the RFC: the same value fulfils both
  test('what follows a value path is asked of the same value, and by the library of any', () => {
    const filter = 'emails[type eq "home"].value co "Bjensen"';
    expect(finds(filter, barbara)).toBe(false);
    expect(new ValueTester().test(barbara, parse(filter))).toBe(true);
  });

  test.each(unread)('the library does not read that $name ($section)', ({ filter }) => {
    expect(finds(filter, barbara)).toBe(true);
    expect(() => {
      if (!new Tester().test(barbara, parse(filter))) throw new Error('not found');
    }).toThrow();
  });
});
