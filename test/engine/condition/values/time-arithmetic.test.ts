import { describe, expect, it } from 'vitest';
import type { CompiledCondition, Context } from '../../../../engine/condition/index.ts';
import { conditionOf } from '../condition-of.ts';

const PARAMETERS = { t: 'timestamp', u: 'timestamp', d: 'duration', e: 'duration' };
const FIRST = '0001-01-01T00:00:00Z';
const LAST = '9999-12-31T23:59:59.999999999Z';
const LONGEST = '2562047h47m16.854775807s';
const GIVEN: Context = { t: '2023-01-01T00:00:00Z', u: '1970-01-01T00:00:00.001Z', d: '24h', e: '1ns' };

/** Each with the values of `GIVEN` but for those that it names. */
function evaluate(expression: string, given: Context): ReturnType<CompiledCondition['evaluate']> {
  const named = Object.fromEntries(Object.entries(PARAMETERS).filter(([name]) => expression.includes(name)));
  return conditionOf(expression, named).evaluate(undefined, { ...GIVEN, ...given });
}

/** Written so that a result that is merely wrong would be allowed. */
const overflows: readonly { readonly expression: string; readonly given: Context; readonly reason: string }[] = [
  { expression: 't + duration("24h") > t', given: { t: LAST }, reason: 'timestamp overflow' },
  { expression: 'dyn(d + t) > t', given: { t: LAST, d: '1ms' }, reason: 'timestamp overflow' },
  { expression: 't - d > t', given: { t: LAST, d: '-1ms' }, reason: 'timestamp overflow' },
  { expression: 't - d < t', given: { t: FIRST, d: '1ns' }, reason: 'timestamp overflow' },
  { expression: 't + d < t', given: { t: FIRST, d: '-1ns' }, reason: 'timestamp overflow' },
  { expression: 't + d != t', given: { t: '9900-01-01T00:00:00Z', d: LONGEST }, reason: 'timestamp overflow' },
  { expression: 't - u > d', given: { t: LAST, u: FIRST }, reason: 'duration overflow' },
  { expression: 'u - t < d', given: { t: LAST, u: FIRST }, reason: 'duration overflow' },
  { expression: 'd + e > e', given: { d: LONGEST }, reason: 'duration overflow' },
  { expression: 'd - e < e', given: { d: `-${LONGEST}`, e: '2ns' }, reason: 'duration overflow' },
  { expression: 'timestamp(253402300800) > t', given: {}, reason: 'years 1 to 9999' },
  { expression: 'timestamp(-62135596801) < t', given: {}, reason: 'years 1 to 9999' },
  { expression: 'timestamp(9223372036854775807) > t', given: {}, reason: 'years 1 to 9999' },
  { expression: 'timestamp("9999-12-31T23:59:59-00:01") > t', given: {}, reason: 'years 1 to 9999' },
  { expression: 'timestamp("0000-12-31T23:59:59Z") < t', given: {}, reason: 'years 1 to 9999' },
  { expression: 'duration("2562047h47m16.854775808s") > d', given: {}, reason: 'duration() needs' },
  { expression: 'dyn(t) + d > t', given: { t: LAST }, reason: 'timestamp overflow' },
];

describe('a timestamp or duration out of range is an error and never allowed', () => {
  it.each(overflows)('$expression with $given', ({ expression, given, reason }) => {
    expect(evaluate(expression, given)).toMatchObject({
      kind: 'failed',
      error: { code: 'condition_failed', message: expect.stringContaining(reason) },
    });
  });

  const refused: readonly Context[] = [
    { t: '9999-12-31T23:59:59-00:01' },
    { t: '0001-01-01T00:00:00+00:01' },
    { t: '0000-02-29T00:00:00Z' },
    { d: '2562047h47m16.854775808s' },
    { d: '-2562047h47m16.854775809s' },
  ];
  it.each(refused)('in a context as well: %s', (given) => {
    expect(evaluate('t + d > t || t < u || true', given)).toMatchObject({
      kind: 'failed',
      error: { code: 'invalid_context' },
    });
  });
});

const exact: readonly { readonly expression: string; readonly given?: Context }[] = [
  { expression: `t == timestamp("${LAST}")`, given: { t: LAST } },
  { expression: `t + d == timestamp("9999-12-31T23:59:59.999Z")`, given: { t: '9999-12-30T23:59:59.999Z' } },
  { expression: `t - d == timestamp("${FIRST}")`, given: { t: '0001-01-02T00:00:00Z' } },
  { expression: `d - e == duration("-2562047h47m16.854775808s")`, given: { d: `-${LONGEST}` } },
  { expression: `d + e == duration("${LONGEST}")`, given: { d: '2562047h47m16.854775806s' } },
  { expression: 't - u == duration("464591h59m59.999s")' },
  { expression: 't - (t - u) == u && u + (t - u) == t' },
  { expression: 'd + e == duration("-1.2s")', given: { d: '-0.5s', e: '-0.7s' } },
  { expression: 'd - e == duration("-1.4s")', given: { d: '-0.5s', e: '0.9s' } },
  { expression: 't - e < t && t + e == t', given: { e: '0.5ms' } },
  { expression: 'dyn(d + t) == t + d' },
];

describe('arithmetic of times is exact up to the ends of the range', () => {
  it.each(exact)('$expression with $given', ({ expression, given = {} }) => {
    expect(evaluate(expression, given)).toEqual({ kind: 'true' });
  });
});
