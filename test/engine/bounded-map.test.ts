import { expect, test } from 'vitest';
import { BoundedMap } from '../../engine/bounded-map.ts';

test('as many entries as it may have are kept', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2);
  expect([...map]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('one entry more empties it first', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('c', 3);
  expect([...map]).toEqual([['c', 3]]);
});

test('an entry is replaced beside the others, however full it is', () => {
  const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});
