import { expect, test } from 'vitest';
import type { Engine, FellBehind, Followed } from '../../../engine/index.ts';
import { Schedule } from '../../../src/kernel/organizations/schedule.ts';

/** An engine of which a schedule sees only what it follows. */
function engineOf(stores: readonly string[]) {
  const told: string[] = [];
  let isBehind = false;
  const follower = {
    next: (): Followed<string> | FellBehind =>
      isBehind
        ? { isBehind: true, since: 0, oldest: 1 }
        : { isBehind: false, since: 0, changes: [...told], reached: 0 },
    advance: () => {
      told.length = 0;
    },
    restart: () => {
      isBehind = false;
      told.length = 0;
    },
  };
  const engine = { followStores: () => follower, storeNames: () => [...stores] };
  return {
    schedule: new Schedule(engine as unknown as Engine, 'org:', []), // it asks for nothing else
    touch: (store: string) => void told.push(store),
    fallBehind: () => {
      isBehind = true;
    },
  };
}

test('every store is due at first, and stays so until something else is said', () => {
  const { schedule } = engineOf(['$platform', 'org:a', 'org:b']);
  expect(schedule.due(0)).toEqual(['org:a', 'org:b']);
  schedule.set('org:a', 100);
  expect(schedule.due(50)).toEqual(['org:b']);
});

test('a store is due when its time has come, and not before', () => {
  const { schedule } = engineOf(['org:a', 'org:b', 'org:c']);
  schedule.due(0);
  schedule.set('org:a', 100);
  schedule.set('org:b', 200);
  schedule.set('org:c', Number.POSITIVE_INFINITY);
  expect([99, 100, 199, 200].map((now) => schedule.due(now))).toEqual([[], ['org:a'], ['org:a'], ['org:a', 'org:b']]);
  expect(schedule.due(Number.MAX_SAFE_INTEGER)).toEqual(['org:a', 'org:b']);
});

test('a store that a commit has touched is due at once, whatever was said before', () => {
  const { schedule, touch } = engineOf(['org:a', 'org:b']);
  schedule.due(0);
  schedule.set('org:a', 100);
  schedule.set('org:b', Number.POSITIVE_INFINITY);
  touch('org:b');
  touch('$platform');
  touch('org:new');
  expect(schedule.due(1)).toEqual(['org:b', 'org:new']);
});

test('where the log no longer tells, all are due', () => {
  const { schedule, fallBehind } = engineOf(['org:a', 'org:b']);
  schedule.due(0);
  for (const store of ['org:a', 'org:b']) schedule.set(store, Number.POSITIVE_INFINITY);
  expect(schedule.due(1)).toEqual([]);
  fallBehind();
  expect(schedule.due(2)).toEqual(['org:a', 'org:b']);
});

test('a time that is none is taken for due: nothing is forgotten for it', () => {
  const { schedule } = engineOf(['org:a']);
  schedule.due(0);
  schedule.set('org:a', Number.NaN);
  expect(schedule.due(1)).toEqual(['org:a']);
});
