import { expect, test } from 'vitest';
import { visibleText } from '../../src/platform/index.ts';

const table = [
  { name: 'plain text', given: 'Read the plan, then <b>write</b>.', expect: 'Read the plan, then <b>write</b>.' },
  { name: 'line breaks and tabs', given: 'a\n\tb\r\nc', expect: 'a\n\tb\nc' },
  { name: 'a carriage return alone', given: 'a\rb', expect: 'a[U+000D]b' },
  { name: 'text turned around', given: 'pay \u202Eeno\u202C', expect: 'pay [U+202E]eno[U+202C]' },
  { name: 'isolates and marks', given: '\u2066a\u2069\u200F', expect: '[U+2066]a[U+2069][U+200F]' },
  { name: 'spaces of no width', given: 'do\u200Bcs\uFEFF\u2060', expect: 'do[U+200B]cs[U+FEFF][U+2060]' },
  { name: 'a joiner between Latin letters', given: 'do\u200Dcs', expect: 'do[U+200D]cs' },
  { name: 'a soft hyphen and a null', given: 'a\u00ADb\u0000', expect: 'a[U+00AD]b[U+0000]' },
  { name: 'letters that are blank', given: '\u3164\u2800\u115F', expect: '[U+3164][U+2800][U+115F]' },
  { name: 'text hidden in tags', given: 'a\u{E0041}\u{E007F}', expect: 'a[U+E0041][U+E007F]' },
  { name: 'bytes hidden in selectors', given: 'a\uFE00\u{E0100}', expect: 'a[U+FE00][U+E0100]' },
  { name: 'separators of lines', given: 'a\u2028b\u2029', expect: 'a[U+2028]b[U+2029]' },
  { name: 'a private character', given: '\uE000', expect: '[U+E000]' },
  { name: 'Hebrew and Arabic as they are', given: 'שלום سلام', expect: 'שלום سلام' },
  { name: 'a Persian word', given: 'می\u200Cخواهم', expect: 'می\u200Cخواهم' },
  { name: 'a joiner at the end of a word', given: 'می\u200C', expect: 'می[U+200C]' },
  { name: 'a family, and a hand with its colour', given: '👩‍👧 ✌🏽 ❤️ 1️⃣', expect: '👩‍👧 ✌🏽 ❤️ 1️⃣' },
  { name: 'a selector after a digit', given: '1\uFE0F0', expect: '1[U+FE0F]0' },
];

test.each(table)('people see $name', ({ given, expect: expected }) => {
  expect(visibleText(given)).toBe(expected);
});

test('nothing is lost, and long text takes no long time', () => {
  const long = '\u202E\u200D👩'.repeat(100_000);
  expect(visibleText(long)).toBe('[U+202E][U+200D]👩'.repeat(100_000));
});
