import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '../../../src/http/index.ts';
import { formReader, formText } from '../../../src/http/input/form-text.ts';
import { parseForm } from '../../../src/http/input/parse-query.ts';

const schema = z.object({
  name: formText(8).describe('a name'),
  code: formText(4),
  resource: z.union([formText(8), z.array(z.string())]).describe('of another kind'),
});

const countMax = 4;

const read = formReader(schema);

/** What the general way makes of a form; `refused` where it does not take it. */
function parsed(form: string): unknown {
  const parameters = parseForm(Buffer.from(form, 'latin1'), countMax);
  const result = parameters instanceof Problem ? undefined : schema.safeParse(parameters);
  return result?.success ? result.data : 'refused';
}

const name = fc.constantFrom('name', 'code', 'resource', 'other', 'n%61me', '__proto__', '');
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'B7', '+', '%20', '%C3%BC', '%F0%9F%8E%89') },
  { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '=', '\xfc', 'abcd') },
);
const value = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const pair = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('name', 'code'), value).map((parts) => parts.join('=')) },
  { weight: 1, arbitrary: fc.tuple(name, value).map((parts) => parts.join('=')) },
  { weight: 1, arbitrary: name },
);
const forms = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));

test('the reader takes only what parsing and the schema take, as the same values', () => {
  let taken = 0;
  const agrees = (form: string): void => {
    const answer = read?.(form, countMax);
    if (answer === undefined) return;
    taken++;
    expect({ ...answer }).toEqual(parsed(form));
  };
  fc.assert(fc.property(forms, agrees), { numRuns: 2_000 });
  expect(taken).toBeGreaterThan(100);
});

const usual = [
  { name: 'one parameter', form: 'name=abc', expected: { name: 'abc' } },
  { name: 'another order', form: 'code=1&name=abc', expected: { name: 'abc', code: '1' } },
  { name: 'escapes and plus signs', form: 'name=a+b%2Fc%2B', expected: { name: 'a b/c+' } },
  { name: 'characters beyond ASCII, escaped', form: 'code=%C3%BC%C3%BC%C3%BC%C3%BC', expected: { code: 'üüüü' } },
];

test.each(usual)('it takes $name', ({ form, expected }) => {
  expect(read?.(form, countMax)).toEqual(expected);
  expect(parsed(form)).toEqual(expected);
});

const left = [
  '',
  'name=',
  'name=a&',
  'name=a&name=b',
  'other=1',
  'resource=a',
  'code=12345',
  'name',
  'name=%4',
  'name=ü',
];

test.each(left)('it leaves "%s" to the schema', (form) => {
  expect(read?.(form, countMax)).toBeUndefined();
});

test('it leaves what has too many parameters to be refused', () => {
  expect(read?.('name=a&code=b', 2)).toBeDefined();
  expect(read?.('name=a&code=b', 1)).toBeUndefined();
});

test('parameters left out are there, so that forms have one shape', () => {
  expect(Object.keys(read?.('code=1', countMax) ?? {})).toEqual(['name', 'code', 'resource']);
});

const others = [
  { name: 'a required text', schema: z.object({ name: formText(8), token: z.string() }) },
  { name: 'a default', schema: z.object({ name: formText(8), kind: z.string().default('x') }) },
  { name: 'unknown names kept', schema: z.looseObject({ name: formText(8) }) },
  { name: 'a rule across parameters', schema: z.object({ name: formText(8) }).refine(({ name }) => name !== 'x') },
  { name: 'a form that may be missing', schema: z.object({ name: formText(8) }).optional() },
  { name: 'no schema', schema: undefined },
];

test.each(others)('there is no reader for $name', ({ schema: other }) => {
  expect(formReader(other)).toBeUndefined();
});

test('a text with a rule of its own is left to the schema', () => {
  const reader = formReader(z.object({ name: formText(8).refine((text) => text !== 'x'), code: formText(4) }));
  expect(reader?.('code=1', countMax)).toEqual({ code: '1' });
  expect(reader?.('name=x', countMax)).toBeUndefined();
});
