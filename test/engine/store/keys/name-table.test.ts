import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../../engine/store/name-table.ts';
import { seed } from '../../../generated/seed.ts';

const SLOT_BYTES = 64;
const SMALLEST = 64 * SLOT_BYTES;

const name = fc.oneof(
  fc.nat({ max: 200 }).map((n) => `doc:${n}`),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.nat({ max: 60 }).map((length) => 'x'.repeat(length)),
  fc.constantFrom('', '\0', 'a\0', 'a', 'aaaa', 'aaaaa', 'é', 'e\u0301', '\u{1f600}', 'toString', '__proto__'),
);

describe('the name table', () => {
  it('answers the id that was added or none, for any names in a table of any size', () => {
    const pair = fc.tuple(fc.integer({ min: 1, max: 3 }), name);
    const slots = fc.constantFrom(64, 256, 4096);
    fc.assert(
      fc.property(
        slots,
        fc.array(pair, { maxLength: 500 }),
        fc.array(pair, { maxLength: 100 }),
        (count, added, asked) => {
          const table = new NameTable(NameTable.allocate(count * SLOT_BYTES));
          const known = new Map<string, number>();
          for (const [store, text] of added) {
            const key = JSON.stringify([store, text]);
            const found = table.get(store, text);
            expect(found).toBe(known.get(key) ?? 0);
            if (found !== 0) continue;
            // ids up to the top of their range
            const node = 0xfeffffff - known.size;
            table.add(store, text, node);
            known.set(key, node);
          }
          const all = [...added, ...asked];
          const nodeOf = (store: number, text: string): number => known.get(JSON.stringify([store, text])) ?? 0;
          for (const [index, [store, text]] of all.entries()) {
            expect(table.get(store, text)).toBe(nodeOf(store, text));
            const second = (all[all.length - 1 - index] as [number, string])[1];
            table.getBoth(store, text, second);
            expect([table.first, table.second]).toEqual([nodeOf(store, text), nodeOf(store, second)]);
          }
        },
      ),
      { numRuns: 200, seed },
    );
  });

  it('shows what one thread added to the others, where it fits a slot', () => {
    const shared = NameTable.allocate(4096 * SLOT_BYTES);
    const [one, other] = [new NameTable(shared), new NameTable(shared)];
    const longest = 'x'.repeat(48);
    for (const [node, text] of [longest, 'doc:1', ''].entries()) one.add(1, text, node + 1);
    expect([longest, 'doc:1', ''].map((text) => other.get(1, text))).toEqual([1, 2, 3]);
    one.add(1, 'ü', 7);
    one.add(1, 'x'.repeat(49), 8);
    expect([one.get(1, 'ü'), one.get(1, 'x'.repeat(49))]).toEqual([7, 8]);
    expect([other.get(1, 'ü'), other.get(1, 'x'.repeat(49))]).toEqual([0, 0]);
  });

  it('keeps the most recent of the names that found no slot, and is never wrong about the rest', () => {
    const table = new NameTable(NameTable.allocate(SMALLEST));
    const count = 100_000;
    for (let node = 1; node <= count; node++) table.add(1, `user:${node}`, node);
    let known = 0;
    for (let node = 1; node <= count; node++) {
      const found = table.get(1, `user:${node}`);
      if (found === 0) continue;
      expect(found).toBe(node);
      known++;
    }
    expect(table.get(1, `user:${count}`)).toBe(count);
    expect(known).toBeGreaterThan(30_000);
    // two generations of what found no slot, and the slots
    expect(known).toBeLessThanOrEqual(2 * 32_768 + 64);
  });

  it('takes the same name twice', () => {
    const shared = NameTable.allocate(SMALLEST);
    for (const table of [new NameTable(shared), new NameTable(shared)]) table.add(1, 'doc:1', 5);
    expect(new NameTable(shared).get(1, 'doc:1')).toBe(5);
  });

  it.each([0, 1, 2000, 2 ** 20, 2 ** 26])('takes no more memory than %i bytes, or a few kilobytes', (bytes) => {
    const { byteLength } = NameTable.allocate(bytes);
    expect(byteLength).toBeLessThanOrEqual(Math.max(bytes, 32 * 1024));
    expect(byteLength).toBeGreaterThan(bytes / 8);
  });

  it('touches its smallest level alone for a few names, and finds more from any thread', () => {
    const shared = NameTable.allocate(2 ** 20);
    const table = new NameTable(shared);
    const few = 200;
    for (let node = 1; node <= few; node++) table.add(1, `doc:${node}`, node);
    const smallest = 1 + 512;
    expect(new Int32Array(shared, smallest * SLOT_BYTES).every((word) => word === 0)).toBe(true);
    for (let node = 1; node <= few; node++) expect(table.get(1, `doc:${node}`)).toBe(node);
    for (let node = few + 1; node <= 2000; node++) table.add(1, `doc:${node}`, node);
    const other = new NameTable(shared);
    for (let node = 1; node <= 2000; node++) expect([0, node]).toContain(other.get(1, `doc:${node}`));
    expect(other.get(1, 'doc:2000')).toBe(2000);
    expect(other.get(1, 'doc:2001')).toBe(0);
  });
});
