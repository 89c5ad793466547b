import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../../../src/http/index.ts';
import { filterBounds } from '../../../../src/protocols/scim/filter/filter.ts';
import { parseFilter } from '../../../../src/protocols/scim/filter/parse-filter.ts';
import { userType } from '../../../../src/protocols/scim/schema/user-type.ts';
import { runsOf } from '../../../generated/extent.ts';

const term = 'title pr';
const terms = (count: number) => Array.from({ length: count }, () => term).join(' or ');
const nested = (depth: number) => `${'('.repeat(depth)}${term}${')'.repeat(depth)}`;

describe('the bounds of a filter', () => {
  test.each([
    ['characters', `title eq "${'x'.repeat(filterBounds.characters - 11)}"`],
    ['terms', terms(filterBounds.terms)],
    ['depth of groups', nested(filterBounds.depth)],
    ['depth of negations', `${'not ('.repeat(filterBounds.depth)}${term}${')'.repeat(filterBounds.depth)}`],
  ])('admit as many %s', (_, filter) => {
    expect(parseFilter(userType, filter)).toBeDefined();
  });

  test.each([
    ['characters', `title eq "${'x'.repeat(filterBounds.characters - 10)}"`, 'longer than 4096 characters'],
    ['terms', terms(filterBounds.terms + 1), 'more than 256 terms'],
    ['levels of groups', nested(filterBounds.depth + 1), 'deeper than 32 levels'],
    ['levels of negations', `${'not ('.repeat(filterBounds.depth + 1)}${term}`, 'deeper than 32 levels'],
    ['levels in a value path', `emails[${'('.repeat(filterBounds.depth)}type pr`, 'deeper than 32 levels'],
  ])('refuse more %s', (_, filter, detail) => {
    expect(() => parseFilter(userType, filter)).toThrow(detail);
  });

  test('keep what is told of a long name short', () => {
    expect.assertions(2);
    try {
      parseFilter(userType, `${'n'.repeat(4000)} pr`);
    } catch (error) {
      expect(error).toBeInstanceOf(ProblemError);
      expect((error as ProblemError).problem.detail.length).toBeLessThan(250);
    }
  });

  const pieces = ['(', ')', '[', ']', '"', '\\', ' ', '.', ':', 'not', 'and', 'or', 'eq', 'pr', 'co', 'emails', 'type'];
  const values = ['userName', 'active', 'name.familyName', '"x"', 'true', '1', '__proto__', "'", '\ud800', 'é', '$ref'];

  test('any text is a filter or is refused as one, and nothing else happens', () => {
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces, ...values), { maxLength: 60 }).map((parts) => parts.join(' ')),
      fc.array(fc.constantFrom(...pieces, ...values), { maxLength: 60 }).map((parts) => parts.join('')),
      fc.string({ maxLength: 200, unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (filter) => {
        try {
          parseFilter(userType, filter);
        } catch (error) {
          if (!(error instanceof ProblemError) || error.problem.kind.code !== 'invalidFilter') throw error;
        }
      }),
      { numRuns: runsOf({ quick: 1000, whole: 3000 }) },
    );
  });
});
