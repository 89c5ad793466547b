import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lostDigits, parseJson, problemKinds } from '../../../../src/http/index.ts';

const limits = { depth: 8 };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON bodies', () => {
  const taken: { name: string; given: string; expect: unknown }[] = [
    { name: 'an object', given: '{"a":{"b":[1,"x",null,true]}}', expect: { a: { b: [1, 'x', null, true] } } },
    { name: 'blanks', given: ' \t\r\n{ "a" : 1 } \n', expect: { a: 1 } },
    { name: 'a text', given: '"x"', expect: 'x' },
    { name: 'a number', given: '-1.5e3', expect: -1500 },
    { name: 'text beyond ASCII', given: '{"ü":"日本 🎉"}', expect: { ü: '日本 🎉' } },
    { name: 'a whole escaped pair', given: '"\\ud83c\\udf89"', expect: '🎉' },
    { name: 'escapes', given: '{"a\\"b":"c\\\\","d":"\\u0041"}', expect: { 'a"b': 'c\\', d: 'A' } },
    { name: 'brackets and colons in text', given: '{"a":"[[[[[[[[[[{{{{::::"}', expect: { a: '[[[[[[[[[[{{{{::::' } },
    {
      name: 'the same name in different objects',
      given: '[{"a":1},{"a":{"a":2}}]',
      expect: [{ a: 1 }, { a: { a: 2 } }],
    },
    { name: 'reserved words as values', given: '{"name":"__proto__"}', expect: { name: '__proto__' } },
    { name: 'names of other members of Object', given: '{"toString":1}', expect: { toString: 1 } },
    {
      name: 'the largest safe whole numbers',
      given: '[9007199254740991,-9007199254740991]',
      expect: [2 ** 53 - 1, 1 - 2 ** 53],
    },
    { name: 'a large one that keeps its digits', given: '[9007199254740992,1e300]', expect: [2 ** 53, 1e300] },
    { name: 'a large double as JavaScript writes it', given: '[100000000000000000000]', expect: [1e20] },
    { name: 'digits in a fraction', given: '[0.12345678901234567890]', expect: [0.123_456_789_012_345_68] },
    { name: 'many digits in a text', given: '{"a":"12345678901234567890"}', expect: { a: '12345678901234567890' } },
    { name: 'the deepest nesting', given: nested(8), expect: [[[[[[[[]]]]]]]] },
  ];
  test.each(taken)('takes $name', ({ given, expect: expected }) => {
    expect(parseJson(Buffer.from(given), limits)).toEqual({ ok: true, value: expected });
  });

  const refused: { name: string; given: string | Buffer; expect: RegExp }[] = [
    { name: 'nothing', given: '', expect: /empty/ },
    { name: 'blanks alone', given: '  ', expect: /not valid JSON: it ends too early, at line 1, column 3\.$/ },
    { name: 'a broken object', given: '{"a":', expect: /JSON: it ends too early, at line 1, column 6\.$/ },
    { name: 'a comma at the end', given: '{"a":1,}', expect: /JSON: line 1, column 8\.$/ },
    { name: 'single quotes', given: "{'a':1}", expect: /JSON: line 1, column 2\.$/ },
    { name: 'a comment', given: '{"a":1/*x*/}', expect: /JSON: line 1, column 7\.$/ },
    { name: 'NaN', given: '{"a":\n NaN}', expect: /JSON: line 2, column 2\.$/ },
    { name: 'two values', given: '{} {}', expect: /JSON: line 1, column 4\.$/ },
    { name: 'an open text', given: '{"a":"b', expect: /JSON: it ends too early, at line 1, column 8\.$/ },
    { name: 'a raw line break in a text', given: '{"a":"b\nc"}', expect: /JSON: line 1, column 8\.$/ },
    { name: 'a long one', given: `["${'x'.repeat(65_536)}",]`, expect: /not valid JSON\.$/ },
    { name: 'a NUL', given: '{"a":1}\0', expect: /not valid JSON/ },
    { name: 'a lone continuation byte', given: Buffer.from([0x22, 0x80, 0x22]), expect: /UTF-8/ },
    { name: 'an overlong form', given: Buffer.from([0x22, 0xc0, 0xaf, 0x22]), expect: /UTF-8/ },
    { name: 'an encoded surrogate', given: Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), expect: /UTF-8/ },
    { name: 'Latin-1', given: Buffer.from('"ü"', 'latin1'), expect: /UTF-8/ },
    { name: 'UTF-16', given: Buffer.from('{"a":1}', 'utf16le'), expect: /not valid JSON/ },
    { name: 'a byte order mark', given: '\ufeff{"a":1}', expect: /byte order mark/ },
    { name: 'too deep an array', given: nested(9), expect: /deeper than 8/ },
    { name: 'far too deep an array', given: '['.repeat(500_000), expect: /deeper than 8/ },
    { name: 'too deep an object', given: '{"a":'.repeat(9) + 1 + '}'.repeat(9), expect: /deeper than 8/ },
    { name: 'a name twice', given: '{"a":1,"a":2}', expect: /same name twice/ },
    { name: 'a name twice, once escaped', given: '{"a":1,"\\u0061":2}', expect: /same name twice/ },
    { name: 'a name twice, deep inside', given: '[{"x":[{"a":1,"b":2,"a":1}]}]', expect: /same name twice/ },
    { name: '__proto__', given: '{"__proto__":{"admin":true}}', expect: /reserved name/ },
    { name: '__proto__ twice', given: '{"__proto__":1,"__proto__":2}', expect: /reserved name/ },
    { name: '__proto__, escaped', given: '{"\\u005f_proto__":1}', expect: /reserved name/ },
    { name: 'constructor, deep inside', given: '{"a":[{"constructor":1}]}', expect: /reserved name/ },
    { name: 'prototype', given: '{"a":{"prototype":1}}', expect: /reserved name/ },
    { name: 'half a pair', given: '{"a":"\\ud800"}', expect: /surrogate/ },
    { name: 'half a pair in a name', given: '{"\\udc00":1}', expect: /surrogate/ },
    { name: 'half a pair in a list', given: '["\\ud800x"]', expect: /surrogate/ },
    { name: 'a number past a double', given: '{"a":1e400}', expect: /too large/ },
    { name: 'one below, in a list', given: '{"a":[1,-1e309]}', expect: /too large/ },
    { name: 'one alone', given: '1e999', expect: /too large/ },
    { name: 'half a pair alone', given: '"\\udfff"', expect: /surrogate/ },
  ];
  test.each(refused)('refuses $name', ({ given, expect: expected }) => {
    const parsed = parseJson(Buffer.from(given), limits);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.problem.kind.code).toBe('malformed_json');
    expect(parsed.problem.detail).toMatch(expected);
  });

  const withoutDigits: { name: string; given: string; expect: string }[] = [
    { name: 'above', given: '{"a":9007199254740993}', expect: 'a' },
    { name: 'below', given: '{"a":-9007199254740993}', expect: 'a' },
    {
      name: 'of 64 bits',
      given: '{"user":{"metadata":{"twitter":1234567890123456789}}}',
      expect: 'user.metadata.twitter',
    },
    { name: 'of many digits', given: `{"a":1${'0'.repeat(30)}1}`, expect: 'a' },
    { name: 'in lists', given: '{"b":{"c":[1,[2,3]]},"a":[{"x":1},{"x":18446744073709551615}]}', expect: 'a[1].x' },
    { name: 'behind texts', given: '{"q\\\\":"\\",","y\\"":["{","]",9007199254740993]}', expect: 'y"[2]' },
    { name: 'alone', given: '9007199254740993', expect: '' },
  ];
  test.each(withoutDigits)('refuses a whole number that would lose digits, $name', ({ given, expect: path }) => {
    const parsed = parseJson(Buffer.from(given), limits);
    expect(parsed).toMatchObject({ ok: false, problem: { kind: problemKinds.invalid_request } });
    expect(parsed).toMatchObject({
      problem: { options: { errors: [{ path, message: expect.stringMatching(/more digits/) }] } },
    });
  });

  test('a number comes back as it was written, or is refused', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.json({ maxDepth: 2 }), (number, other) => {
        const parsed = parseJson(Buffer.from(`[[${number}]]`), limits);
        if (parsed.ok) expect(JSON.stringify(parsed.value)).toBe(`[[${number}]]`);
        else expect(Number.isSafeInteger(Number(number))).toBe(false);
        expect(lostDigits(`{"other":${other},"number":[0,9007199254740993]}`)?.path).toBe('number[1]');
      }),
    );
  });

  test('whatever JSON.stringify writes is read back', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const value: unknown = JSON.parse(text);
        const reserved = /"(__proto__|constructor|prototype)":/.test(JSON.stringify(value));
        const halves = /\p{Surrogate}/u.test(text) || /\\ud[89a-f]/i.test(text);
        if (reserved || halves || new Set(text.match(/"[^"]*":/g)).size !== (text.match(/"[^"]*":/g) ?? []).length)
          return;
        expect(parseJson(Buffer.from(text), { depth: 64 })).toEqual({ ok: true, value });
      }),
    );
  });

  test('any bytes give a value or a problem', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const parsed = parseJson(Buffer.from(bytes), limits);
        if (parsed.ok) expect(parsed.value).toEqual(JSON.parse(Buffer.from(bytes).toString('utf8')));
      }),
    );
  });
});
