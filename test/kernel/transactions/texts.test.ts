import { describe, expect, test } from 'vitest';
import { descriptionSchema, labelSchema, nameSchema } from '../../../src/kernel/transactions/index.ts';

const kinds = [
  { name: 'a name', schema: nameSchema, max: 200, isMultiline: false, mayBeEmpty: false, mayBeBlank: false },
  {
    name: 'a description',
    schema: descriptionSchema,
    max: 1000,
    isMultiline: true,
    mayBeEmpty: true,
    mayBeBlank: true,
  },
  { name: 'a label', schema: labelSchema, max: 128, isMultiline: false, mayBeEmpty: false, mayBeBlank: true },
];

describe.each(kinds)('$name', ({ schema, max, isMultiline, mayBeEmpty, mayBeBlank }) => {
  const isGood = (text: string) => schema.safeParse(text).success;

  test(`has at most ${max} characters, of any script`, () => {
    for (const text of ['x', 'é 漢 😀', 'x'.repeat(max)]) expect([text, isGood(text)]).toEqual([text, true]);
    expect(isGood('x'.repeat(max + 1))).toBe(false);
  });

  test('has no control characters and no half of a character', () => {
    for (const text of ['a\0b', 'a\x1bb', 'a\x7fb', 'a\ud800b']) expect([text, isGood(text)]).toEqual([text, false]);
    for (const text of ['a\nb', 'a\tb', 'a\r\nb']) expect([text, isGood(text)]).toEqual([text, isMultiline]);
  });

  test('is empty or blank only where that means something', () => {
    expect(isGood('')).toBe(mayBeEmpty);
    expect(isGood('  ')).toBe(mayBeBlank);
  });
});
