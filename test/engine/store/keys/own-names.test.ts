import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OwnNames } from '../../../../engine/store/names/own-names.ts';
import { seed } from '../../../generated/seed.ts';

/** Few hashes, so that names share their places; some are alike in the bits that decide the place alone. */
const hash = fc.constantFrom(1, 2, 0x10001, 0x20001, 0x30001, 0x40001, 0x50001, -1, 0x7fffffff);
const name = fc
  .record({
    hash,
    store: fc.integer({ min: 1, max: 2 }),
    length: fc.integer({ min: 0, max: 12 }),
    words: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 3, maxLength: 3 }),
  })
  .map((each) => ({ ...each, words: each.words.slice(0, Math.ceil(each.length / 4)) }));

describe('the names that a thread keeps for itself', () => {
  it('are answered as they were added or not at all, and the last one that was added always', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 60 }), (added) => {
        const names = new OwnNames();
        const known = new Map<string, number>();
        for (const [index, each] of added.entries()) {
          const { store, words, length } = each;
          const packed = Int32Array.from(words);
          // as the second of two names stands
          const behind = Int32Array.of(5, 6, ...words);
          const key = JSON.stringify(each);
          const found = names.get(each.hash, store, packed, 0, length);
          expect([0, known.get(key)]).toContain(found);
          if (found !== 0) continue;
          const node = 0xfeffffff - index;
          names.add(each.hash, store, packed, length, node);
          known.set(key, node);
          expect(names.get(each.hash, store, behind, 2, length)).toBe(node);
        }
      }),
      { numRuns: 300, seed },
    );
  });

  it('are kept, four of one place, and a fifth takes the place of one of them', () => {
    const names = new OwnNames();
    const packed = Int32Array.of(7);
    const hashes = Array.from({ length: 5 }, (_, i) => ((i + 1) << 16) | 5);
    const found = () => hashes.filter((each) => names.get(each, 1, packed, 0, 4) !== 0).length;
    for (const [index, each] of hashes.entries()) {
      names.add(each, 1, packed, 4, index + 1);
      expect(found()).toBe(Math.min(index + 1, 4));
    }
  });
});
