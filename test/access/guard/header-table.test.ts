import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeaderTable } from '../../../src/access/guard/headers/header-table.ts';

const key = (number: number): string => `ApiKey rlt_${String(number).padStart(40, '0')}`;

test('what was added is found, and nothing else, whatever the texts are', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 60 }), { maxLength: 40 }), fc.string(), (texts, other) => {
      const table = new HeaderTable<string>(1_000_000);
      expect(table.get(other)).toBeUndefined();
      for (const text of texts) table.add(text, `of ${text}`, 1);
      const kept = texts.filter((text) => table.get(text) !== undefined);
      for (const text of kept) expect(table.get(text)).toBe(`of ${text}`);
      // forty hardly meet in one place of eight
      expect(kept.length).toBeGreaterThan(texts.length - 8);
      if (!texts.includes(other)) expect(table.get(other)).toBeUndefined();
    }),
  );
});

/** As a request is foreseen: by octets that stand among others. */
function foundByOctets<V>(table: HeaderTable<V>, text: string, wanted = text): V | undefined {
  const octets = Buffer.from(`Authorization: ${text}\r\n\r\n`, 'latin1');
  const from = octets.indexOf(text, 0, 'latin1');
  const slots = new Int32Array(1);
  const found = table.slotsOf(Int32Array.of(table.hash(wanted)), 1, slots, new Int32Array(1));
  return found === 0 ? undefined : table.at(slots[0] as number, octets, from, from + text.length);
}

/** What a header can have, in the lengths around those that have a row. */
const header = fc
  .array(fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    minLength: 1,
    maxLength: 70,
  })
  .map((octets) => String.fromCharCode(...octets));

test('by octets the same is found, where the text has a row', () => {
  fc.assert(
    fc.property(fc.uniqueArray(header, { maxLength: 40 }), header, (texts, other) => {
      const table = new HeaderTable<string>(1_000_000);
      for (const text of texts) table.add(text, text, 1);
      for (const text of texts) {
        const octets = Buffer.from(`x${text}y`, 'latin1');
        const hash = table.hashAt(octets, 1, octets.length - 1);
        expect(hash).toBe(text.length < 12 ? 0 : table.hash(text));
        const hasRow = text.length >= 12 && text.length <= 64;
        expect(foundByOctets(table, text)).toBe(hasRow ? table.get(text) : undefined);
        // whatever a slot is said to be of, another text is not found there
        if (other !== text) expect(foundByOctets(table, other, text)).toBeUndefined();
      }
    }),
  );
});

test('a text that differs in one octet, or is longer or shorter by one, is another one', () => {
  for (let length = 12; length <= 65; length++) {
    const table = new HeaderTable<number>(1_000);
    const text = `ApiKey ${'k'.repeat(length - 7)}`;
    table.add(text, length, 1);
    expect(foundByOctets(table, text)).toBe(length <= 64 ? length : undefined);
    for (let place = 0; place < length; place++) {
      expect(foundByOctets(table, `${text.slice(0, place)}X${text.slice(place + 1)}`, text)).toBeUndefined();
    }
    for (const near of [text.slice(0, -1), text.slice(1), `${text}k`, `A${text}`, `${text}\0`]) {
      expect(foundByOctets(table, near, text)).toBeUndefined();
    }
  }
});

test('what was dropped is no longer found by octets, and what took its place is', () => {
  const table = new HeaderTable<number>(10);
  table.add(key(1), 1, 10);
  expect(foundByOctets(table, key(1))).toBe(1);
  table.add(key(2), 2, 10);
  expect(foundByOctets(table, key(1))).toBeUndefined();
  expect(foundByOctets(table, key(2))).toBe(2);
});

test('texts with characters that are no octets have no row', () => {
  const table = new HeaderTable<number>(1_000);
  const text = 'ApiKey a key with \u0141, which is no octet';
  table.add(text, 1, 1);
  expect(table.get(text)).toBe(1);
  expect(foundByOctets(table, text.replace('\u0141', 'A'), text)).toBeUndefined();
});

test('texts that end alike are told apart', () => {
  const table = new HeaderTable<number>(1_000);
  const texts = Array.from({ length: 8 }, (_, place) => `${place} with the same last characters, all of them`);
  for (const [place, text] of texts.entries()) table.add(text, place, 1);
  for (const [place, text] of texts.entries()) expect(table.get(text)).toBe(place);
  table.add('9 with the same last characters, all of them', 9, 1);
  expect(table.get('9 with the same last characters, all of them')).toBe(9);
  expect(texts.filter((text) => table.get(text) !== undefined)).toHaveLength(7);
});

test('ten thousand texts are nearly all kept', () => {
  const table = new HeaderTable<number>(10_000);
  for (let number = 0; number < 10_000; number++) table.add(key(number), number, 1);
  let kept = 0;
  for (let number = 0; number < 10_000; number++) {
    const found = table.get(key(number));
    expect([number, undefined]).toContain(found);
    if (found === undefined) continue;
    kept++;
    expect(foundByOctets(table, key(number))).toBe(number);
  }
  expect(kept).toBeGreaterThan(9_900);
});

test('it holds no more than its weight, and always the last one', () => {
  const table = new HeaderTable<number>(100);
  for (let number = 0; number < 1_000; number++) {
    table.add(key(number), number, 10);
    expect(table.get(key(number))).toBe(number);
  }
  let kept = 0;
  for (let number = 0; number < 1_000; number++) if (table.get(key(number)) !== undefined) kept++;
  expect(kept).toBeLessThanOrEqual(10);
  table.add('heavy', 1, 1_000);
  expect(table.get('heavy')).toBe(1);
  expect(table.get(key(999))).toBeUndefined();
});
