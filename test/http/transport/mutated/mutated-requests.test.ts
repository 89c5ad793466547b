import { expect, test } from 'vitest';
import { runsOf } from '../../../generated/extent.ts';
import { seed } from '../../../generated/seed.ts';
import { compareReaders } from './compare-readers.ts';

const REQUESTS = runsOf({ quick: 20_000, whole: 100_000 });

test(`${REQUESTS} mutated requests are to node:http what they are to the transport over sockets (seed ${seed})`, async () => {
  const { connections, taken, refused, differences } = await compareReaders(seed, (sent) => sent >= REQUESTS);
  expect(differences).toEqual([]);
  expect(connections).toBe(REQUESTS);
  // neither side is empty: a good part is taken, and a good part refused
  expect(taken).toBeGreaterThan(REQUESTS / 4);
  expect(refused).toBeGreaterThan(REQUESTS / 4);
});
