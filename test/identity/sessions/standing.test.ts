import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { countAll, countStanding, standingAmong, standingIds } from '../../../src/identity/sessions/lists/standing.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

/** Pages among those that go on, where many between them have ended, wherever those stand. */

const COUNT = 13_000;
const all = Array.from({ length: COUNT }, (_, place) => String(place).padStart(6, '0'));

/** Where they are in several states. */
const stateOf = (id: string): string => (Number(id) % 13 === 0 ? 'open' : Number(id) % 3 === 0 ? 'past' : 'ended');

const put = (collection: string, id: string, state: string) =>
  ({ op: 'put_record', store: 's', record: { collection, id, document: {}, indexes: { '#state': state } } }) as const;

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
  for (let from = 0; from < COUNT; from += 1000) {
    const changes = all
      .slice(from, from + 1000)
      .flatMap((id) => [put('things', id, 'open'), put('mixed', id, stateOf(id))]);
    await scratch.engine.submit(scratch.engine.command(changes));
  }
});
afterAll(() => scratch.close());

const ended: { name: string; isGone: (place: number) => boolean }[] = [
  { name: 'none', isGone: () => false },
  { name: 'one', isGone: (place) => place === 7 },
  { name: 'every other', isGone: (place) => place % 2 === 0 },
  { name: 'the first', isGone: (place) => place < 11_000 },
  { name: 'the last', isGone: (place) => place > 2000 },
  { name: 'the middle', isGone: (place) => place > 100 && place < 12_000 },
  { name: 'two runs', isGone: (place) => (place > 5 && place < 900) || (place > 1000 && place < 12_500) },
  { name: 'all', isGone: () => true },
];

test.each(ended)('where $name have ended', ({ isGone }) => {
  const gone = new Set(all.filter((_, place) => isGone(place)));
  const live = all.filter((id) => !gone.has(id));
  const standing = { index: store.recordIndex('things'), key: 'open', gone };
  expect(countStanding(standing)).toBe(live.length);
  expect(scratch.engine.read(() => standingAmong(standing, all))).toEqual(live);
  for (const offset of [0, 1, 5, 6, 7, 99, 100, 101, 500, 1999, 2000, live.length - 3, live.length, live.length + 5]) {
    if (offset < 0) continue;
    for (const descending of [false, true]) {
      const expected = (descending ? live.toReversed() : live).slice(offset, offset + 4);
      expect(scratch.engine.read(() => standingIds(standing, { offset, limit: 4, descending }))).toEqual(expected);
    }
  }
});

test.each([0, 1, 10, 500, 3000, COUNT])('%i ids among records of several states', (count) => {
  const index = store.recordIndex('mixed');
  const gone = new Set(all.filter((id) => Number(id) % 26 === 0));
  // spread over all of them
  const ids = all.filter(
    (_, place) => Math.floor((place * count) / COUNT) !== Math.floor(((place - 1) * count) / COUNT),
  );
  for (const key of ['open', 'past', 'ended', 'other']) {
    const expected = ids.filter((id) => stateOf(id) === key && !gone.has(id));
    expect(scratch.engine.read(() => standingAmong({ index, key, gone }, ids))).toEqual(expected);
  }
  expect(scratch.engine.read(() => countAll(index))).toBe(COUNT);
});
