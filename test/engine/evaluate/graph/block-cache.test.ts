import { expect, it } from 'vitest';
import { BlockCache } from '../../../../engine/evaluate/graph/block-cache.ts';
import { randomNumbers } from '../../shuffle.ts';

const STORE = 7;
const SLOT_BYTES = 64;
const LISTS = 20_000;
/** Half of it is room for all lists, behind some steps of growth. */
const ROOMY = LISTS * SLOT_BYTES * 8;

function add(cache: BlockCache, node: number, list: readonly number[]): void {
  cache.add(STORE, node, 0, Int32Array.from([list.length, ...list]), 0);
}

function find(cache: BlockCache, node: number): readonly number[] | undefined {
  const at = cache.find(STORE, node, 0);
  if (at === 0) return undefined;
  return [...cache.data.subarray(at + 1, at + 1 + (cache.data[at] as number))];
}

it.each([1, 2, 3])('keeps what a map would while it grows, asked or not (seed %i)', (seed) => {
  const random = randomNumbers(seed);
  const cache = new BlockCache(ROOMY);
  const expected = new Map<number, readonly number[]>();
  for (let node = 1; node <= LISTS; node++) {
    // short ones in their slots, and longer ones behind
    const list = Array.from({ length: random() % 18 }, (_, place) => node + place);
    add(cache, node, list);
    expected.set(node, list);
    const other = 1 + (random() % node);
    if (random() % 4 === 0) {
      cache.remove(STORE, other, 0);
      expected.delete(other);
    }
    expect(find(cache, other)).toEqual(expected.get(other));
  }
  for (let node = 1; node <= LISTS; node++) expect(find(cache, node), `list ${node}`).toEqual(expected.get(node));
});

it('never answers a list that was removed or replaced while another arena held it', () => {
  const cache = new BlockCache(ROOMY);
  const last = new Map<number, readonly number[] | undefined>();
  for (let node = 1; node <= LISTS; node++) {
    add(cache, node, [node]);
    last.set(node, [node]);
    const before = Math.ceil(node / 2);
    if (node % 3 === 0) {
      cache.remove(STORE, before, 0);
      add(cache, before, [node, node]);
      last.set(before, [node, node]);
    } else if (node % 3 === 1) {
      cache.remove(STORE, before, 0);
      last.set(before, undefined);
    }
  }
  for (const [node, list] of last) expect(find(cache, node), `list ${node}`).toEqual(list);
});

it('lets go of what was not asked for once it is full', () => {
  const cache = new BlockCache(LISTS * SLOT_BYTES);
  for (let node = 1; node <= LISTS; node++) {
    add(cache, node, [node]);
    expect(find(cache, 1)).toEqual([1]);
  }
  const kept = Array.from({ length: LISTS }, (_, place) => find(cache, place + 1)).filter((list) => list !== undefined);
  expect(kept.length).toBeLessThan(LISTS);
});
