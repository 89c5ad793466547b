import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NAME_LENGTH_MAX, NAME_WORDS, packOctets, packText } from '../../../engine/store/names/pack-name.ts';

const ascii = fc.string({
  unit: fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

test('a name is packed in the same way from its text and from its octets', () => {
  fc.assert(
    fc.property(ascii, fc.nat(0xffff), fc.nat(9), (name, store, before) => {
      const ofText = new Int32Array(NAME_WORDS);
      const ofOctets = new Int32Array(2 * NAME_WORDS);
      const octets = Buffer.from(`${'x'.repeat(before)}${name}yy`, 'latin1');
      const hash = packText(ofText, 0, store, name);
      expect(packOctets(ofOctets, NAME_WORDS, store, octets, before, before + name.length)).toBe(hash);
      expect(hash === 0).toBe(name.length > NAME_LENGTH_MAX);
      const words = hash === 0 ? 0 : Math.ceil(name.length / 4);
      expect(ofOctets.subarray(NAME_WORDS, NAME_WORDS + words)).toEqual(ofText.subarray(0, words));
    }),
  );
});

test('what is not ASCII is not packed', () => {
  for (const name of ['ä', 'user:é', 'abcdü', 'abcdefg\u0100'])
    expect(packText(new Int32Array(NAME_WORDS), 0, 1, name)).toBe(0);
});
