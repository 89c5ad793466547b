import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { checkBody, fastCheckBody } from '../../../src/access/decisions/checks/bodies.ts';
import { fastRelationCheck, relationCheckBody } from '../../../src/access/decisions/zanzibar/bodies.ts';

interface Pair {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly fast: (value: unknown) => unknown;
  /** A body that both accept. */
  readonly plain: Readonly<Record<string, unknown>>;
  /** The longest parts that the schema accepts. */
  readonly longest: Readonly<Record<string, unknown>>;
}

const long = 'x'.repeat(1024);

const pairs: readonly Pair[] = [
  {
    name: 'zanzibar/check',
    schema: relationCheckBody,
    fast: fastRelationCheck,
    plain: { object: 'doc:1', relation: 'viewer', subject: 'user:anne' },
    longest: { object: long, relation: long, subject: long },
  },
  {
    name: 'authz/check',
    schema: checkBody,
    fast: fastCheckBody,
    plain: { permission: 'doc:read', resource: { type: 'doc', id: '1' }, subject: 'user:anne' },
    longest: { permission: 'doc:read', resource: { type: 'x'.repeat(254), id: long }, subject: long },
  },
];

const odd = fc.oneof(
  fc.string(),
  fc.constantFrom<unknown>(
    '',
    'a b',
    'x'.repeat(1024),
    'x'.repeat(1025),
    'x'.repeat(254),
    'x'.repeat(255),
    'x'.repeat(129),
    null,
    1,
    true,
    [],
    {},
    undefined,
  ),
  fc.jsonValue(),
);

/** The same with one of its members, or of theirs, made odd or added. */
function near(plain: Readonly<Record<string, unknown>>, more: readonly string[]): fc.Arbitrary<unknown> {
  const inner = Object.entries(plain).flatMap(([name, value]) =>
    typeof value === 'object'
      ? [near(value as Readonly<Record<string, unknown>>, more).map((each) => ({ name, each }))]
      : [],
  );
  const own = fc.record({ name: fc.constantFrom(...Object.keys(plain), ...more), each: odd });
  return fc.oneof(own, ...inner).map(({ name, each }) => ({ ...plain, [name]: each }));
}

describe.each(pairs)('$name', ({ schema, fast, plain, longest }) => {
  test('the short way takes plain bodies, unchanged', () => {
    for (const body of [plain, longest]) {
      expect(fast(body)).toBe(body);
      expect(schema.parse(body)).toEqual(body);
    }
  });

  test('whatever the short way accepts, the schema accepts unchanged', () => {
    const more = ['context', 'explain', 'resource', 'consistency', 'more'];
    const bodies = fc.oneof(
      odd,
      fc.dictionary(fc.constantFrom(...Object.keys(plain), ...more), odd),
      near(plain, more),
    );
    fc.assert(
      fc.property(bodies, (body) => {
        if (fast(body) === undefined) return;
        expect(fast(body)).toBe(body);
        expect(schema.parse(body)).toEqual(body);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([null, [], 'text', 7, { ...{}, __extra: 1 }])('%j goes the way of the schema', (body) => {
    expect(fast(body)).toBeUndefined();
  });
});
