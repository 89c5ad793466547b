import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OctetRuns } from '../../../../src/http/transport/socket/requests/octet-runs.ts';
import { classesOf, PATH, TOKEN, VALUE } from '../../../../src/http/transport/socket/requests/octets.ts';

const runs = new OctetRuns();

/** Octet by octet. */
function endOf(bit: number, octets: Uint8Array, from: number, until: number): number {
  let at = from;
  while (at < until && ((classesOf[octets[at] as number] as number) & bit) !== 0) at++;
  return at;
}

/** Mostly what fields and paths consist of, and now and then whatever there is. */
const octet = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...Buffer.from('abcXYZ-/09.~ ')) },
  { weight: 2, arbitrary: fc.constantFrom(...Buffer.from('#?:@[`{\t\r\n"')) },
  { weight: 1, arbitrary: fc.nat(255) },
);

test('runs end where they do octet by octet', () => {
  fc.assert(
    fc.property(fc.array(octet, { maxLength: 60 }), fc.nat(5), fc.nat(5), (values, from, behind) => {
      const octets = Buffer.from([...values, ...Buffer.from('aaaaaaaaaa')]);
      const until = Math.max(from, octets.length - 10 + behind);
      const found = runs.in(octets);
      expect(found.endOfValue(from, until)).toBe(endOf(VALUE, octets, from, until));
      expect(found.endOfPath(from, until)).toBe(endOf(PATH, octets, from, until));
      expect(found.endOfToken(from, until)).toBe(endOf(TOKEN, octets, from, until));
    }),
    { numRuns: 2_000 },
  );
});

test('each octet ends the runs that it does not belong to, wherever it stands', () => {
  for (let value = 0; value < 256; value++) {
    for (let place = 0; place < 9; place++) {
      const octets = Buffer.from('aaaaaaaaaaaa');
      octets[place] = value;
      const found = runs.in(octets);
      const ends = [found.endOfValue(0, 12), found.endOfPath(0, 12), found.endOfToken(0, 12)];
      expect(ends).toEqual([endOf(VALUE, octets, 0, 12), endOf(PATH, octets, 0, 12), endOf(TOKEN, octets, 0, 12)]);
    }
  }
});

test('octets in the middle of other memory are read where they stand', () => {
  const memory = Buffer.from('####abcdefgh####');
  expect(runs.in(memory.subarray(4, 12)).endOfPath(0, 8)).toBe(8);
  expect(runs.in(memory).endOfPath(4, 16)).toBe(12);
});
