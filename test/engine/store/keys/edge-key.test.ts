import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EdgeKey, edgeKeyEncoder, scanned } from '../../../../engine/store/edge-key.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { runsOf } from '../../../generated/extent.ts';
import { seed } from '../../../generated/seed.ts';

const BASE = 7;
const SIZES = [4, 8, 10, 12, 16] as const;

/** Few values, so that parts are often equal, and the ends of each range. */
const u32 = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff),
  fc.nat({ max: 300 }),
  fc.nat({ max: 0xffffffff }),
);
const u16 = fc.oneof(fc.constantFrom(0, 1, 0x7fff, 0x8000, 0xffff), fc.nat({ max: 300 }));
const key: fc.Arbitrary<EdgeKey> = fc.tuple(u32, u32, u16, u16, u32).map(([store, node, first, second, other]) => ({
  store,
  node,
  kinds: ((first << 16) | second) >>> 0,
  other,
  size: 16,
}));

/** The parts in the order of the layout. */
const dependencies = ({ store, node, kinds, other }: EdgeKey) => [store, node, kinds >>> 16, kinds & 0xffff, other];

function encode(given: EdgeKey): Buffer {
  const target = Buffer.alloc(64, 0xaa);
  const end = edgeKeyEncoder.writeKey(given, target, BASE);
  expect(target.subarray(end).every((byte) => byte === 0xaa)).toBe(true);
  return target.subarray(BASE, end);
}

function compareDependencies(one: EdgeKey, other: EdgeKey): number {
  const others = dependencies(other);
  const difference = dependencies(one)
    .map((part, i) => part - (others[i] as number))
    .find((each) => each !== 0);
  return Math.sign(difference ?? 0);
}

const RUNS = { numRuns: runsOf({ quick: 1000, whole: 5000 }), seed };

describe('the key of a tuple', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(key, (given) => {
        const bytes = encode(given);
        expect(bytes).toHaveLength(16);
        edgeKeyEncoder.readKey(Buffer.concat([Buffer.alloc(BASE), bytes]), BASE);
        expect(dependencies(scanned)).toEqual(dependencies(given));
      }),
      RUNS,
    );
  });

  it('sorts as its dependencies do', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        expect(encode(one).compare(encode(other))).toBe(compareDependencies(one, other));
      }),
      RUNS,
    );
  });

  it('begins with each of its prefixes, and with no other', () => {
    fc.assert(
      fc.property(key, key, (one, other) => {
        for (const size of SIZES) {
          const prefix = encode({ ...one, size });
          expect(prefix).toHaveLength(size);
          expect(encode(one).subarray(0, size)).toEqual(prefix);
          const isBelow = encode(other).subarray(0, size).equals(prefix);
          const byteCount = [4, 4, 2, 2, 4];
          let bytes = 0;
          const isEqual = dependencies(one).every((part, i) => {
            bytes += byteCount[i] as number;
            return bytes > size || part === dependencies(other)[i];
          });
          expect(isBelow).toBe(isEqual);
        }
      }),
      { ...RUNS, numRuns: 500 },
    );
  });

  it('is found, scanned in order and removed through the table', async () => {
    const path = mkdtempSync(join(tmpdir(), 'relata-keys-'));
    const { root, forward } = openTables({ path });
    try {
      fc.assert(
        fc.property(
          fc.uniqueArray(key, { minLength: 1, maxLength: 40, selector: (each) => dependencies(each).join() }),
          (keys) => {
            const sorted = keys.toSorted(compareDependencies);
            root.transactionSync(() => {
              for (const each of keys) expect(forward.putSync(each, Buffer.alloc(0), { noOverwrite: true })).toBe(true);
              for (const each of keys)
                expect(forward.putSync(each, Buffer.alloc(0), { noOverwrite: true })).toBe(false);
            });
            const first = sorted[0] as EdgeKey;
            const found: number[][] = [];
            for (const _ of forward.getKeys({ start: { ...first, size: 4 } })) found.push(dependencies(scanned));
            expect(found).toEqual(sorted.map(dependencies));
            root.transactionSync(() => {
              for (const each of keys) expect(forward.removeSync(each)).toBe(true);
              for (const each of keys) expect(forward.removeSync(each)).toBe(false);
            });
          },
        ),
        { numRuns: 50, seed },
      );
    } finally {
      await root.close();
      rmSync(path, { recursive: true, force: true });
    }
  });
});
