import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortEdges } from '../../../engine/store/write/bulk/edge-columns.ts';
import { sortNames } from '../../../engine/store/write/bulk/sort-names.ts';

describe('sortNames', () => {
  it('orders names as their bytes do', () => {
    const name = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 200 }), (names) => {
        const buffers = names.map((each) => Buffer.from(each));
        let end = 0;
        const ends = Uint32Array.from(buffers, (each) => {
          end += each.length;
          return end;
        });
        const order = Uint32Array.from(names.keys());
        sortNames({ bytes: Buffer.concat(buffers), ends }, order);
        const expected = buffers.toSorted(Buffer.compare).map((each) => each.toString());
        expect([...order].map((place) => names[place])).toEqual(expected);
      }),
    );
  });
});

describe('sortEdges', () => {
  it('orders by the columns named, and is stable', () => {
    const word = fc.oneof(fc.nat(3), fc.nat(5000), fc.integer({ min: 0, max: 0xffffffff }));
    const columns = ['object', 'rank', 'subject'] as const;
    const by = fc.subarray([...columns], { minLength: 1 }).chain((some) => fc.constant(some));
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.nat(3), word), { maxLength: 300 }), by, (rows, order) => {
        const sorted = sortEdges(
          {
            count: rows.length,
            object: Uint32Array.from(rows, ([object]) => object),
            rank: Uint32Array.from(rows, ([, rank]) => rank),
            subject: Uint32Array.from(rows, ([, , subject]) => subject),
          },
          order,
        );
        const places = order.map((column) => columns.indexOf(column) as 0 | 1 | 2);
        const expected = rows.toSorted((one, other) => {
          const place = places.find((each) => one[each] !== other[each]);
          return place === undefined ? 0 : one[place] - other[place];
        });
        const actual = rows.map((_, i) => [sorted.object[i], sorted.rank[i], sorted.subject[i]]);
        expect(actual).toEqual(expected);
      }),
    );
  });
});
