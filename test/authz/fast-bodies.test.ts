import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { checkBody, fastCheckBody } from '../../src/authz/checks/bodies.ts';
import { fastRelationCheck, relationCheckBody } from '../../src/authz/zanzibar/bodies.ts';

interface Pair {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly fast: (value: unknown) => unknown;
  /** A body that both accept. */
  readonly plain: Readonly<Record<string, unknown>>;
}

const pairs: readonly Pair[] = [
  {
    name: 'zanzibar/check',
    schema: relationCheckBody,
    fast: fastRelationCheck,
    plain: { object: 'doc:1', relation: 'viewer', subject: 'user:anne' },
  },
  {
    name: 'authz/check',
    schema: checkBody,
    fast: fastCheckBody,
    plain: { permission: 'doc:read', subject: 'user:anne' },
  },
];

const odd = fc.oneof(
  fc.string(),
  fc.constantFrom<unknown>(
    '',
    'a b',
    'x'.repeat(1024),
    'x'.repeat(1025),
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

describe.each(pairs)('$name', ({ schema, fast, plain }) => {
  test('the short way takes the plain body, unchanged', () => {
    expect(fast(plain)).toBe(plain);
    expect(schema.parse(plain)).toEqual(plain);
  });

  test('whatever the short way accepts, the schema accepts unchanged', () => {
    const names = [...Object.keys(plain), 'context', 'explain', 'resource', 'consistency', 'more'];
    const bodies = fc.oneof(
      odd,
      fc.dictionary(fc.constantFrom(...names), odd),
      fc
        .record({ name: fc.constantFrom(...names), value: odd })
        .map(({ name, value }) => ({ ...plain, [name]: value })),
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
