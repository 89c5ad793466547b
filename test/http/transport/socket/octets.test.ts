import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSame, textOf } from '../../../../src/http/transport/socket/requests/octets.ts';

test('octets are a text of as many characters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(100), (values, one, other) => {
      const octets = Buffer.from(values);
      const from = Math.min(one, other, octets.length);
      const to = Math.min(Math.max(one, other), octets.length);
      const text = String.fromCharCode(...octets.subarray(from, to));
      expect(textOf(octets, from, to)).toBe(text);
      expect(isSame(octets, from, text)).toBe(true);
    }),
  );
});

test('another text is not the same', () => {
  const octets = Buffer.from('application/json');
  for (const text of ['Application/json', 'application/jsonx', 'application/xml', 'pplication/json']) {
    expect(isSame(octets, 0, text)).toBe(false);
  }
  expect(isSame(octets, 12, 'json')).toBe(true);
});
