import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { checkBody, scanCheckBodies, scanCheckBody } from '../../../src/access/decisions/checks/bodies.ts';
import { bulkBody } from '../../../src/access/decisions/checks/bulk-body.ts';
import {
  relationCheckBody,
  scanRelationCheck,
  scanRelationChecks,
} from '../../../src/access/decisions/zanzibar/bodies.ts';
import { parseJson } from '../../../src/http/index.ts';
import { cpuMs } from '../../platform/cpu-ms.ts';

const MANY_MAX = 3;

interface Reader {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly scan: (text: string) => unknown;
  /** Bodies in the form that it reads. */
  readonly plain: readonly unknown[];
}

const relations = [
  { object: 'doc:1', relation: 'viewer', subject: 'user:anne' },
  { object: 'doc:a b', relation: "it's", subject: 'team:b#member' },
];
const resource = { type: 'doc', id: '1' };
const permissions = [
  { permission: 'doc:read' },
  { permission: 'doc:read', subject: 'user:anne' },
  { permission: 'doc:read', resource },
  { permission: 'doc:read', resource, subject: 'user:*' },
];
const listsOf = (items: readonly unknown[]) => items.map((item) => ({ checks: [item, items[0]] }));

const readers: readonly Reader[] = [
  { name: 'zanzibar/check', schema: relationCheckBody, scan: scanRelationCheck, plain: relations },
  { name: 'authz/check', schema: checkBody, scan: scanCheckBody, plain: permissions },
  {
    name: 'zanzibar/check-bulk',
    schema: bulkBody(MANY_MAX, ''),
    scan: scanRelationChecks(MANY_MAX),
    plain: listsOf(relations),
  },
  {
    name: 'authz/check-bulk',
    schema: bulkBody(MANY_MAX, ''),
    scan: scanCheckBodies(MANY_MAX),
    plain: listsOf(permissions),
  },
];

/** What the general way makes of a body; `undefined` where it refuses. */
function parsed(schema: z.ZodType, text: string): unknown {
  const read = parseJson(Buffer.from(text, 'latin1'), { depth: 32 });
  return read.ok ? schema.safeParse(read.value).data : undefined;
}

/** Texts near a plain one: characters put in, taken out or doubled, and pieces of it repeated. */
const nearby = (text: string) =>
  fc
    .array(
      fc.record({
        at: fc.nat(text.length),
        drop: fc.integer({ min: 0, max: 12 }),
        put: fc.oneof(
          fc.constantFrom('', ' ', '\n', '\t', '\r', '\0', '\\', '"', '\\"', '\\u0041', ',', ':', '{', '}', '[', ']'),
          fc.constantFrom('é', '\x7f', '\xa0', '\x0b', 'null', '"subject":"x",', ',"more":1', 'x'.repeat(1025)),
          fc.nat(text.length).map((from) => text.slice(from)),
        ),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((edits) => edits.reduce((now, { at, drop, put }) => now.slice(0, at) + put + now.slice(at + drop), text));

describe.each(readers)('$name', ({ schema, scan, plain }) => {
  test.each(plain)('reads %j, with and without white space', (body) => {
    for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2), ` \r\n\t${JSON.stringify(body)}  \n`]) {
      expect(scan(text)).toEqual(body);
      expect(parsed(schema, text)).toEqual(body);
    }
  });

  test('whatever it reads, parser and schema read alike', () => {
    const texts = fc.constantFrom(...plain.map((body) => JSON.stringify(body))).chain(nearby);
    fc.assert(
      fc.property(texts, (text) => {
        const read = scan(text);
        if (read !== undefined) expect(parsed(schema, text)).toEqual(read);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(['', '{}', '[]', 'null', '"text"', '{"checks":[]}', '\ufeff{}'])('leaves %j to the general way', (text) => {
    expect(scan(text)).toBeUndefined();
  });

  test('leaves to the general way what is cut short, too long or too much', () => {
    const [first] = plain;
    const whole = JSON.stringify(first);
    for (let length = 0; length < whole.length; length++) expect(scan(whole.slice(0, length))).toBeUndefined();
    expect(scan(whole.replace(/user:(anne|\*)|doc:read/, 'x'.repeat(1_025)))).toBeUndefined();
  });
});

test('a list is read up to its bound', () => {
  const scan = scanRelationChecks(MANY_MAX);
  const items = (count: number) => JSON.stringify({ checks: Array(count).fill(relations[0]) });
  expect(scan(items(MANY_MAX))).toEqual({ checks: Array(MANY_MAX).fill(relations[0]) });
  expect(scan(items(MANY_MAX + 1))).toBeUndefined();
  expect(scan(`{"checks":[${JSON.stringify(relations[0])},`)).toBeUndefined();
});

test('a long hostile body is given up in time linear to its length', () => {
  const started = cpuMs();
  for (const { scan } of readers) {
    for (const text of [
      '{'.repeat(1e6),
      `{${' '.repeat(1e6)}`,
      `{"object":"${'a'.repeat(1e6)}`,
      `{"checks":[${' '.repeat(1e6)}`,
    ]) {
      expect(scan(text)).toBeUndefined();
    }
  }
  expect(cpuMs() - started).toBeLessThan(1_000);
});
