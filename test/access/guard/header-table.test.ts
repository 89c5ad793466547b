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
    const slots = new Int32Array(1);
    expect(table.slotsOf(Int32Array.of(table.hash(key(number))), 1, slots, new Int32Array(1))).toBe(1);
    expect(table.textAt(slots[0] as number)).toBe(key(number));
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
