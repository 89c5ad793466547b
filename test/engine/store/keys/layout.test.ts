import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeKey } from '../../../../engine/store/edge-key.ts';
import {
  expiryKey,
  nameKey,
  pack,
  passingNameKey,
  readRevision,
  recordKey,
  revisionKey,
  shapeKey,
  u32Key,
  unpack,
} from '../../../../engine/store/layout.ts';
import { runsOf } from '../../../generated/extent.ts';
import { seed } from '../../../generated/seed.ts';

const RUNS = { numRuns: runsOf({ quick: 400, whole: 2000 }), seed };
const revision = fc.oneof(
  fc.constantFrom(0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER),
  fc.nat({ max: 1000 }),
  fc.maxSafeNat(),
);
/** Parts of record keys: short ones that begin with each other, and long ones that differ late. */
const part = fc.oneof(
  fc.string({ maxLength: 4 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    'a',
    'ab',
    '\u0001',
    'ü',
    'x'.repeat(400),
    'x'.repeat(401),
    `${'x'.repeat(500)}1`,
    `${'x'.repeat(500)}2`,
  ),
);
const order = (one: number, other: number) => Math.sign(one - other);

describe('the key of a revision', () => {
  it('comes back and sorts as numbers do', () => {
    fc.assert(
      fc.property(revision, revision, (one, other) => {
        expect(readRevision(revisionKey(one))).toBe(one);
        expect(revisionKey(one).compare(revisionKey(other))).toBe(order(one, other));
      }),
      RUNS,
    );
  });
});

describe('the key of a name', () => {
  it('is the same where its bytes are used again', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 140 }),
      fc.nat({ max: 140 }).map((length) => 'x'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.nat(), fc.array(name, { maxLength: 4 }), (store, names) => {
        for (const each of names) {
          const expected = Buffer.concat([u32Key(store), Buffer.from(each, 'utf8')]);
          expect(nameKey(store, each)).toEqual(expected);
          expect(Buffer.from(passingNameKey(store, each))).toEqual(expected);
        }
      }),
      RUNS,
    );
  });
});

describe('the key of a record', () => {
  it('is another for other parts, at most as long as a key can be', () => {
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.nat({ max: 3 }), parts, fc.nat({ max: 3 }), parts, (store, ones, otherStore, others) => {
        const one = recordKey(store, ...ones);
        const isSame = store === otherStore && ones.join('\0') === others.join('\0');
        expect(one.equals(recordKey(otherStore, ...others))).toBe(isSame);
        expect(one.length).toBeLessThan(1978);
      }),
      RUNS,
    );
  });

  it('is the text of its parts where they are short', () => {
    const text = fc
      .oneof(
        fc.string({ maxLength: 140 }),
        fc.string({ unit: 'binary', maxLength: 130 }),
        fc.constantFrom('\u007f', '\u0080'),
      )
      .map((given) => given.replaceAll('\0', ''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (parts) => {
        if (parts.some((each) => Buffer.byteLength(each) > 400)) return;
        expect(recordKey(7, ...parts)).toEqual(Buffer.concat([u32Key(7), Buffer.from(parts.join('\0'))]));
      }),
      RUNS,
    );
  });

  it('begins with the key of the parts before its last', () => {
    fc.assert(
      fc.property(part, part, (first, last) => {
        const prefix = recordKey(1, first, '');
        expect(recordKey(1, first, last).subarray(0, prefix.length)).toEqual(prefix);
      }),
      RUNS,
    );
  });

  it('sorts its short last part by code points', () => {
    const short = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', ''));
    fc.assert(
      fc.property(short, short, (one, other) => {
        const expected = Math.sign(Buffer.from(one).compare(Buffer.from(other)));
        expect(Math.sign(recordKey(1, 'c', one).compare(recordKey(1, 'c', other)))).toBe(expected);
      }),
      RUNS,
    );
  });

  it.each([
    ['a', '\0'],
    ['\0', 'a'],
    ['a', `ü${'x'.repeat(500)}\0`],
  ])('has no NUL in a part', (...parts) => {
    expect(() => recordKey(1, ...parts)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('the key of an expiry', () => {
  const time = fc.oneof(fc.constantFrom(-1, 0, 2 ** 32, 2 ** 48 - 1, 2 ** 48, 1e18), fc.maxSafeNat());
  const bounded = (each: number) => Math.max(0, Math.min(each, 2 ** 48 - 1));

  it('sorts by time, before everything else', () => {
    fc.assert(
      fc.property(time, time, fc.nat(), fc.nat(), (one, other, store, node) => {
        const first = expiryKey(one, { ...edgeKey(), store, node });
        const second = expiryKey(other, { ...edgeKey(), store: node, node: store });
        expect(first.readUIntBE(0, 6)).toBe(bounded(one));
        if (bounded(one) !== bounded(other)) expect(first.compare(second)).toBe(order(one, other));
      }),
      RUNS,
    );
  });
});

describe('keys of a store', () => {
  it.each([
    { name: 'names', given: (store: number) => nameKey(store, 'doc:1') },
    { name: 'shapes', given: (store: number) => shapeKey(store, 0xffffffff, 'condition') },
    { name: 'nodes', given: (store: number) => u32Key(store, 0xffffffff) },
    { name: 'records', given: (store: number) => recordKey(store, 'notes', 'a') },
  ])('of $name begin with its number, and sort by it', ({ given }) => {
    const u32 = fc.oneof(
      fc.constantFrom(0, 1, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff),
      fc.nat({ max: 0xffffffff }),
    );
    fc.assert(
      fc.property(u32, u32, (one, other) => {
        expect(given(one).readUInt32BE(0)).toBe(one);
        expect(given(one).compare(given(other))).toBe(order(one, other));
      }),
      { ...RUNS, numRuns: runsOf({ quick: 100, whole: 300 }) },
    );
  });
});

const isWithoutProto = (value: unknown): boolean => !JSON.stringify(value).includes('__proto__');

describe('a packed document', () => {
  it('comes back as it was', () => {
    fc.assert(
      // The key `__proto__` is refused where documents come in, and renamed here.
      fc.property(fc.jsonValue().filter(isWithoutProto), (given) => {
        expect(JSON.stringify(unpack(pack(given)))).toBe(JSON.stringify(given));
      }),
      RUNS,
    );
  });

  it.each([
    ['an absent value', { a: undefined }],
    ['a time', { at: new Date(1_700_000_000_000) }],
    ['a large number', { n: Number.MAX_SAFE_INTEGER, m: -Number.MAX_SAFE_INTEGER, f: 1e300 }],
    ['bytes', { bytes: new Uint8Array([1, 2, 3]) }],
    ['names that are special in JavaScript', JSON.parse('{"constructor": 1, "toString": {"length": 2}}')],
  ])('comes back with %s', (_name, given) => {
    expect(unpack(pack(given))).toEqual(given);
  });

  it('does not change with the next one', () => {
    const first = pack({ a: 1 });
    const copy = Buffer.from(first);
    pack({ b: 'another document, longer than the first' });
    expect(first).toEqual(copy);
  });
});
