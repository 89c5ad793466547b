import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Problem, queryBoolean, queryInteger, queryList } from '../../../src/http/index.ts';
import { acceptsType } from '../../../src/http/input/content-type.ts';
import { fieldErrors } from '../../../src/http/input/field-errors.ts';
import { issueText, queryIssueText } from '../../../src/http/input/issue-text.ts';
import { parseForm, parseParameters } from '../../../src/http/input/parse-query.ts';

describe('parameters', () => {
  const taken = [
    { name: 'nothing', given: '', expect: {} },
    { name: 'pairs', given: 'a=1&b=2', expect: { a: '1', b: '2' } },
    { name: 'escapes and plus signs', given: 'q=a+b%20c%2B&%C3%BC=%F0%9F%8E%89', expect: { q: 'a b c+', ü: '🎉' } },
    { name: 'repeated ones as a list', given: 'a=1&a=2&a=3', expect: { a: ['1', '2', '3'] } },
    { name: 'no value', given: 'a&b=', expect: { a: '', b: '' } },
    { name: 'more equals signs', given: 'a=b=c', expect: { a: 'b=c' } },
    { name: 'empty pairs', given: '&&a=1&', expect: { a: '1' } },
  ];
  test.each(taken)('reads $name', ({ given, expect: expected }) => {
    const parameters = parseParameters(given, 8);
    expect(Object.getPrototypeOf(parameters)).toBeNull();
    expect({ ...parameters }).toEqual(expected);
  });

  const refused = [
    { name: 'a broken escape', given: 'a=%zz', expect: 'malformed_url' },
    { name: 'half an escape', given: 'a=%4', expect: 'malformed_url' },
    { name: 'bytes that are not UTF-8', given: 'a=%ff', expect: 'malformed_url' },
    { name: 'an overlong form', given: 'a=%c0%af', expect: 'malformed_url' },
    { name: 'a broken name', given: '%=1', expect: 'malformed_url' },
    { name: 'a reserved name', given: '__proto__=1', expect: 'invalid_request' },
    { name: 'a reserved name, escaped', given: '%5F_proto__=1', expect: 'invalid_request' },
    { name: 'too many', given: 'a&'.repeat(9), expect: 'invalid_request' },
  ];
  test.each(refused)('refuses $name', ({ given, expect: expected }) => {
    const problem = parseParameters(given, 8);
    expect(problem instanceof Problem ? problem.kind.code : '').toBe(expected);
  });

  test('a form is read the same way, from UTF-8', () => {
    expect({ ...parseForm(Buffer.from('a=%20'), 8) }).toEqual({ a: ' ' });
    for (const body of [Buffer.from([0x61, 0x3d, 0xff]), Buffer.from('a=%zz')]) {
      const problem = parseForm(body, 8);
      expect(problem instanceof Problem ? problem.kind.code : '').toBe('malformed_form');
    }
  });
});

describe('schemas for queries', () => {
  const limit = queryInteger({ min: 1, max: 100, default: 20 });
  const table = [
    { name: 'a default', given: [limit, undefined], expect: 20 },
    { name: 'a number', given: [limit, '7'], expect: 7 },
    { name: 'a number past the bound', given: [limit, '101'], expect: 'refused' },
    { name: 'zero', given: [limit, '0'], expect: 'refused' },
    { name: 'a sign', given: [limit, '+7'], expect: 'refused' },
    { name: 'a fraction', given: [limit, '7.0'], expect: 'refused' },
    { name: 'an exponent', given: [limit, '1e1'], expect: 'refused' },
    { name: 'blanks', given: [limit, ' 7'], expect: 'refused' },
    { name: 'no text', given: [limit, ''], expect: 'refused' },
    { name: 'twice', given: [limit, ['7', '8']], expect: 'refused' },
    { name: 'true', given: [queryBoolean, 'true'], expect: true },
    { name: 'false', given: [queryBoolean, 'false'], expect: false },
    { name: 'neither', given: [queryBoolean, '1'], expect: 'refused' },
    { name: 'a list by commas', given: [queryList(3), 'a,b'], expect: ['a', 'b'] },
    { name: 'a list by repetition', given: [queryList(3), ['a', 'b']], expect: ['a', 'b'] },
    { name: 'too long a list', given: [queryList(1), 'a,b'], expect: 'refused' },
  ] as const;
  test.each(table)('$name', ({ given: [schema, value], expect: expected }) => {
    const result = (schema as z.ZodType).safeParse(value);
    expect(result.success ? result.data : 'refused').toEqual(expected);
  });
});

describe('the type of a body', () => {
  const types = ['application/json', 'application/scim+json'];
  const table = [
    { name: 'exact', given: 'application/json', expect: true },
    { name: 'another of the list', given: 'application/scim+json', expect: true },
    { name: 'capitals and blanks', given: ' Application/JSON ; charset=UTF-8', expect: true },
    { name: 'a quoted character set', given: 'application/json;charset="utf-8"', expect: true },
    { name: 'another parameter', given: 'application/json; profile=x', expect: true },
    { name: 'another character set', given: 'application/json; charset=latin1', expect: false },
    { name: 'a longer type', given: 'application/jsonp', expect: false },
    { name: 'a form', given: 'application/x-www-form-urlencoded', expect: false },
    { name: 'text', given: 'text/plain', expect: false },
    { name: 'two types', given: 'application/json, text/plain', expect: false },
    { name: 'none', given: '', expect: false },
  ];
  test.each(table)('$name', ({ given, expect: expected }) => {
    expect(acceptsType(given, types)).toBe(expected);
  });
});

describe('faults of the input', () => {
  const tuple = z.strictObject({ object: z.string().max(5), n: z.int() });
  const schema = z.strictObject({ checks: z.array(tuple), subject: z.union([z.string(), tuple]).optional() });
  const table = [
    {
      name: 'a place in a list',
      given: {
        checks: [
          { object: 'a', n: 1 },
          { object: 7, n: 1 },
        ],
      },
      expect: [{ path: 'checks[1].object', message: 'must be a string' }],
    },
    {
      name: 'an unknown name',
      given: { checks: [], other: 1 },
      expect: [{ path: 'other', message: 'is not known here' }],
    },
    { name: 'all of it', given: 7, expect: [{ path: '', message: 'must be an object' }] },
    {
      name: 'the alternative that got furthest',
      given: { checks: [], subject: { object: 'a', n: 'x' } },
      expect: [{ path: 'subject.n', message: 'must be a number' }],
    },
    {
      name: 'no alternative',
      given: { checks: [], subject: 7 },
      expect: [{ path: 'subject', message: 'must be a string or an object' }],
    },
  ];
  test.each(table)('name $name', ({ given, expect: expected }) => {
    const { error } = schema.safeParse(given, { error: issueText });
    expect(error && fieldErrors(error, 'body', 10, schema)).toEqual(expected);
  });

  const one = z.strictObject({
    text: z.string().min(1).max(3),
    list: z.array(z.string()).min(2).max(3),
    number: z.int().min(1).max(5),
    choice: z.enum(['x', 'y']),
    sure: z.literal(true),
    maybe: z.union([z.string(), z.boolean()]),
    bag: z.record(z.string(), z.unknown()),
    time: z.iso.datetime({ offset: true }),
  });
  const good = { text: 'a', list: ['a', 'b'], number: 1, choice: 'x', sure: true, maybe: true, bag: {} };
  const time = '2026-01-31T08:00:00Z';
  const words: [given: object, path: string, message: string][] = [
    [{}, 'time', 'is required'],
    [{ time: 'soon' }, 'time', 'must be a time such as 2030-01-31T08:00:00Z'],
    [{ time, text: '' }, 'text', 'must not be empty'],
    [{ time, text: 'long' }, 'text', 'must have at most 3 characters'],
    [{ time, list: ['a'] }, 'list', 'must have at least 2 items'],
    [{ time, list: 'a' }, 'list', 'must be a list'],
    [{ time, number: 0 }, 'number', 'must be at least 1'],
    [{ time, number: 6 }, 'number', 'must be at most 5'],
    [{ time, number: 1.5 }, 'number', 'must be a whole number'],
    [{ time, choice: 'z' }, 'choice', 'must be one of x, y'],
    [{ time, choice: undefined }, 'choice', 'is required'],
    [{ time, sure: false }, 'sure', 'must be true'],
    [{ time, maybe: 5 }, 'maybe', 'must be a string or a boolean'],
    [{ time, maybe: undefined }, 'maybe', 'is required'],
    [{ time, bag: [] }, 'bag', 'must be an object'],
  ];
  test.each(words)('%j is told as %s %s', (given, path, message) => {
    const { error } = one.safeParse({ ...good, ...given }, { error: issueText });
    expect(error && fieldErrors(error, 'body', 10, one)).toEqual([{ path, message }]);
  });

  test('are told one for each place', () => {
    const twice = z.strictObject({ text: z.string().max(1, 'is long').max(2, 'is very long') });
    const { error } = twice.safeParse({ text: 'abc' });
    expect(error && fieldErrors(error, 'body', 10, twice)).toEqual([{ path: 'text', message: 'is long' }]);
  });

  test.each([
    [{ user: 'user:anne' }, 'user', 'did you mean subject?'],
    [{ subjct: 'user:anne' }, 'subjct', 'did you mean subject?'],
    [{ sbuject: 'user:anne' }, 'sbuject', 'did you mean subject?'],
    [{ resource: 'doc:1' }, 'resource', 'did you mean object?'],
    [{ items: [{ action: 'read' }] }, 'items[0].action', 'did you mean permission?'],
    [{ tag: { nmae: 'x' } }, 'tag.nmae', 'did you mean name?'],
    [{ bag: { one: { nam: 'x' } } }, 'bag.one.nam', 'did you mean name?'],
    [{ something: 1 }, 'something', undefined],
    [{ __proto_: 1, constructo: 1 }, '__proto_', undefined],
  ])('of an unknown field, %j, say which was meant', (given, path, meant) => {
    const item = z.strictObject({ permission: z.string() });
    const named = z.strictObject({ name: z.string() });
    const body = z
      .strictObject({
        subject: z.string().optional(),
        object: z.union([z.string(), z.strictObject({ type: z.string() })]).optional(),
        items: z.array(z.union([item, named])).default([]),
        tag: named.nullable().optional(),
        bag: z.record(z.string(), named).optional(),
      })
      .transform((each) => each);
    const { error } = body.safeParse(given, { error: issueText });
    const found = error && fieldErrors(error, 'body', 10, body).find((each) => each.path === path);
    expect(found?.message).toBe(meant === undefined ? 'is not known here' : `is not known here: ${meant}`);
  });

  test('are bounded in number and length', () => {
    const { error } = schema.safeParse({ checks: Array.from({ length: 100 }, () => ({})), ['x'.repeat(5_000)]: 1 });
    const errors = error ? fieldErrors(error, 'body', 10, schema) : [];
    expect(errors).toHaveLength(10);
    expect(Math.max(...errors.map(({ path }) => path.length))).toBeLessThan(300);
  });

  test('of a query, say that a parameter came twice', () => {
    const { error } = z.object({ q: z.string() }).safeParse({ q: ['a', 'b'] }, { error: queryIssueText });
    expect(error && fieldErrors(error, 'query', 10, z.object({}))).toEqual([
      { path: 'query.q', message: 'must be given once' },
    ]);
  });

  test('say where outside of the body', () => {
    const { error } = z.object({ limit: z.string() }).safeParse({});
    expect(error && fieldErrors(error, 'query', 10, z.object({}))[0]?.path).toBe('query.limit');
  });
});
