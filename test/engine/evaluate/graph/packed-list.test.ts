import { expect, it } from 'vitest';
import { hasNode } from '../../../../engine/evaluate/graph/packed-list.ts';
import { randomNumbers } from '../../shuffle.ts';

const KINDS = 7;
const LENGTHS = [0, 1, 2, 15, 16, 17, 18, 33, 64, 255];

it.each(LENGTHS)('finds the nodes of a group of %i, and no others', (length) => {
  const random = randomNumbers(length);
  const nodes = new Set<number>();
  // ids are unsigned, and words of the array are signed
  while (nodes.size < length) nodes.add((random() >>> 1) * 2);
  const sorted = [...nodes].sort((a, b) => a - b);
  // another group on each side, which must not be looked into
  const data = Int32Array.from([99, KINDS, 1, 1, KINDS + 1, length, ...sorted, KINDS + 2, 1, 3]);
  expect(sorted.filter((node) => hasNode(data, 4, node))).toEqual(sorted);
  const others = [1, 3, ...sorted.flatMap((node) => [node - 1, node + 1])].filter((node) => node >= 0);
  expect(others.filter((node) => hasNode(data, 4, node))).toEqual([]);
});
