import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../../../src/http/index.ts';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { runsOf } from '../../../generated/extent.ts';
import { core, enterprise } from '../people.ts';
import { operations, users } from './generated-patches.ts';
import * as oracle from './oracle.ts';
import { patched, type Sent } from './patching.ts';

/** A rule that the oracle does not follow, with an operation that shows it. */
interface Difference {
  readonly name: string;
  readonly section: string;
  readonly adaptation: oracle.Adaptation;
  readonly shown: Sent;
}

const user: ScimResource = {
  schemas: [core, enterprise],
  id: 'u1',
  userName: 'u',
  name: { familyName: 'f', givenName: 'g' },
  emails: [
    { value: 'a', type: 'work', primary: true },
    { value: 'b', type: 'home' },
  ],
  [enterprise]: { department: 'd' },
};

// in this order: what is given is changed from the first on, and so is the result
const differences: readonly Difference[] = [
  {
    name: 'one value in the place of a list is a list of it',
    section: 'RFC 7644, 3.5.2.3',
    adaptation: oracle.oneIsAList,
    shown: { op: 'replace', path: 'emails', value: { value: 'c' } },
  },
  {
    name: 'sub-attributes and extensions in a value without a path are merged',
    section: 'RFC 7644, 3.5.2.1 and 3.5.2.3',
    adaptation: oracle.partsAreMerged,
    shown: { op: 'replace', value: { name: { givenName: 'x' }, [enterprise]: { division: 'x' } } },
  },
  {
    name: 'values that a filter chooses are replaced wholly',
    section: 'RFC 7644, 3.5.2.3',
    adaptation: oracle.replacedWholly,
    shown: { op: 'replace', path: 'emails[type eq "work"]', value: { value: 'c' } },
  },
  {
    name: 'a value is added where the filter chooses none and says what it is, and is refused where it does not',
    section: 'RFC 7644, 3.5.2.1 and 3.12 (noTarget)',
    adaptation: oracle.addedWhereNoneMatches,
    shown: { op: 'add', path: 'emails[type eq "other"]', value: { value: 'c' } },
  },
  {
    name: 'values to remove are named by value and type',
    section: 'RFC 7643, 2.4',
    adaptation: oracle.removedByValue,
    shown: { op: 'remove', path: 'emails', value: [{ value: 'b' }] },
  },
  {
    name: 'removing what is not there succeeds',
    section: 'none: one of the deviations',
    adaptation: oracle.nothingToRemove,
    shown: { op: 'remove', path: 'emails[type eq "other"].display' },
  },
  {
    name: 'values that differ neither by type nor by value are one',
    section: 'RFC 7643, 2.4',
    adaptation: oracle.valuesOnce,
    shown: { op: 'add', path: 'emails', value: [{ value: 'b', type: 'home', display: 'x' }] },
  },
  {
    name: 'one value at most is primary, and a new one takes the place of another',
    section: 'RFC 7644, 3.5.2',
    adaptation: oracle.onePrimary,
    shown: { op: 'add', path: 'emails', value: [{ value: 'c', primary: true }] },
  },
  {
    name: 'what is primary has a value',
    section: 'RFC 7644, 3.12 (noTarget)',
    adaptation: oracle.primaryIsSomething,
    shown: { op: 'replace', path: 'emails[type eq "other"].primary', value: true },
  },
  {
    name: 'what has nothing left is not there',
    section: 'RFC 7643, 2.5, and one of the deviations',
    adaptation: oracle.nothingIsNotKept,
    shown: { op: 'remove', path: 'emails[type eq "home"].value' },
  },
  {
    name: 'what is required cannot be removed',
    section: 'RFC 7644, 3.5.2.2',
    adaptation: oracle.requiredStays,
    shown: { op: 'remove', path: 'emails' },
  },
  {
    name: 'schemas follow from what the resource has',
    section: 'RFC 7643, 3',
    adaptation: oracle.schemasFollow,
    shown: { op: 'remove', path: `${enterprise}:department` },
  },
];

/** Differences that no generated operation has, as the library gets lost in the path or the value. */
const unread: readonly { readonly name: string; readonly section: string; readonly operation: Sent }[] = [
  {
    name: 'names have no case',
    section: 'RFC 7643, 2.1',
    operation: { op: 'replace', path: 'NAME.GivenName', value: 'x' },
  },
  {
    name: 'values in a filter have the case rule of their attribute',
    section: 'RFC 7643, 2.2',
    operation: { op: 'remove', path: 'emails[type eq "HOME"]' },
  },
  {
    name: 'texts in a filter may have colons',
    section: 'RFC 7644, 3.5.2 (figure 7)',
    operation: { op: 'replace', path: 'emails[value ne "a:b"].display', value: 'x' },
  },
  {
    name: 'booleans may be "True"',
    section: 'none: clients send it',
    operation: { op: 'replace', path: 'active', value: 'True' },
  },
  {
    name: '"" empties an attribute',
    section: 'none: one of the deviations',
    operation: { op: 'replace', path: 'name.givenName', value: '' },
  },
  {
    name: 'null empties an attribute',
    section: 'RFC 7643, 2.5',
    operation: { op: 'replace', path: 'name.givenName', value: null },
  },
  {
    name: 'values may be bare texts',
    section: 'none: clients send it',
    operation: { op: 'add', path: 'emails', value: ['c'] },
  },
  {
    name: 'an extension goes by its URN',
    section: 'RFC 7644, 3.10',
    operation: { op: 'add', path: enterprise, value: { division: 'x' } },
  },
  {
    name: 'what is readOnly is not changed',
    section: 'RFC 7644, 3.5.2',
    operation: { op: 'replace', path: 'id', value: 'x' },
  },
  {
    name: 'what does not fit the schema is refused',
    section: 'RFC 7644, 3.5.2',
    operation: { op: 'replace', path: 'userName', value: 7 },
  },
  {
    name: 'what is not known is refused',
    section: 'RFC 7644, 3.5.2',
    operation: { op: 'replace', path: 'nothing', value: 'x' },
  },
  {
    name: 'a filter may say several things of a value that is made',
    section: 'none: one of the deviations',
    operation: { op: 'add', path: 'emails[type eq "other" and display eq "x"].value', value: 'c' },
  },
];

const adaptations = differences.map(({ adaptation }) => adaptation);

function outcome(before: ScimResource, operation: Sent): ScimResource | 'refused' {
  try {
    return patched(before, [operation]);
  } catch (error) {
    if (error instanceof ProblemError) return 'refused';
    throw error;
  }
}

describe('PATCH beside the library scim-patch', () => {
  test('generated operations change the same, but for the differences below', () => {
    fc.assert(
      fc.property(users, fc.tuple(operations, operations), (start, steps) => {
        let before = start;
        for (const operation of steps) {
          const after = outcome(before, operation);
          const expected = oracle.oraclePatched(before, operation, adaptations);
          if (!isDeepStrictEqual(after, expected))
            expect({ operation, before, after }).toEqual({ operation, before, after: expected });
          if (after !== 'refused') before = after;
        }
      }),
      { numRuns: runsOf({ quick: 1500, whole: 6000 }) },
    );
  });

  test('the generated ones change something, change nothing, and are refused', () => {
    const sample = fc.sample(fc.tuple(users, operations), { seed: 5, numRuns: 500 });
    const outcomes = sample.map(([start, operation]) => {
      const after = outcome(start, operation);
      return after === 'refused' ? after : after === start ? 'same' : 'changed';
    });
    const share = (kind: string) => outcomes.filter((each) => each === kind).length;
    expect(share('changed')).toBeGreaterThan(250);
    expect(share('same')).toBeGreaterThan(25);
    expect(share('refused')).toBeGreaterThan(25);
  });

  test.each(differences)('without its adaptation the library does not know that $name ($section)', (difference) => {
    const { shown, adaptation } = difference;
    const after = outcome(user, shown);
    expect(oracle.oraclePatched(user, shown, adaptations)).toEqual(after);
    const others = adaptations.filter((each) => each !== adaptation);
    expect(oracle.oraclePatched(user, shown, others)).not.toEqual(after);
  });

  test.each(unread)('the library does not know that $name ($section)', ({ operation }) => {
    expect(oracle.oraclePatched(user, operation, adaptations)).not.toEqual(outcome(user, operation));
  });
});
