import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { countStanding, standingIds } from '../../../src/identity/sessions/lists/standing.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

/** Pages among those that go on, where many between them have ended, wherever those stand. */

const COUNT = 13_000;
const all = Array.from({ length: COUNT }, (_, place) => String(place).padStart(6, '0'));

let scratch: ScratchEngine;
let store: Store;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  store = await scratch.engine.createStore('s');
  for (let from = 0; from < COUNT; from += 1000) {
    const changes = all.slice(from, from + 1000).map((id) => {
      const record = { collection: 'things', id, document: {}, indexes: { '#state': 'open' } };
      return { op: 'put_record', store: 's', record } as const;
    });
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
  for (const offset of [0, 1, 5, 6, 7, 99, 100, 101, 500, 1999, 2000, live.length - 3, live.length, live.length + 5]) {
    if (offset < 0) continue;
    for (const descending of [false, true]) {
      const expected = (descending ? live.toReversed() : live).slice(offset, offset + 4);
      expect(scratch.engine.read(() => standingIds(standing, { offset, limit: 4, descending }))).toEqual(expected);
    }
  }
});
