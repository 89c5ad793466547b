import { expect, test } from 'vitest';
import { Selection } from '../../../engine/evaluate/list/selection.ts';

/** One more than a small selection holds before it drops what is too large. */
const MANY = 1025;

function selected({ ids, after = -1, limit }: { ids: readonly number[]; after?: number; limit: number }): number[] {
  const selection = new Selection(after, limit);
  for (const id of ids) selection.offer(id);
  return [...selection.take()];
}

test.each([
  { name: 'all of them', given: { ids: [3, 1, 2], limit: 5 }, expect: [1, 2, 3] },
  { name: 'each once', given: { ids: [2, 1, 2, 1], limit: 2 }, expect: [1, 2] },
  { name: 'those above a bound', given: { ids: [1, 2, 3, 0], after: 1, limit: 5 }, expect: [2, 3] },
  { name: 'no more than the limit', given: { ids: [4, 3, 2, 1], limit: 2 }, expect: [1, 2] },
  {
    name: 'the smallest of very many, whatever their order',
    given: { ids: Array.from({ length: MANY }, (_, place) => MANY - place), limit: 3 },
    expect: [1, 2, 3],
  },
  {
    name: 'a larger one that comes after one that came very often',
    given: { ids: [...Array<number>(MANY).fill(7), 9], limit: 2 },
    expect: [7, 9],
  },
])('what is selected: $name', ({ given, expect: ids }) => {
  expect(selected(given)).toEqual(ids);
});

test('a source that is sorted is told when it has nothing further to offer', () => {
  const selection = new Selection(-1, 3);
  const offered = Array.from({ length: 10 * MANY }, (_, id) => id).findIndex((id) => !selection.offer(id));
  expect(offered).toBe(MANY - 1);
  expect([selection.offer(MANY), selection.offer(1)]).toEqual([false, true]);
  expect([...selection.take()]).toEqual([0, 1, 2]);
});

test('a source that can seek begins behind the bound', () => {
  expect(new Selection(4, 3).from).toBe(5);
});
