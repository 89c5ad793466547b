import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { DeadlineWheel, type Timed } from '../../../../src/http/transport/socket/connections/deadline-wheel.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';

const background = new Background({ log: silentLog });
let wheel: DeadlineWheel;
afterEach(() => wheel.stop());

interface Clocked extends Timed {
  expiredAt: number | undefined;
}

/** A wheel whose clock is turned by hand, in steps of 50 ms. */
function turned() {
  wheel = new DeadlineWheel(background);
  const start = wheel.now;
  let now = start;
  const timed = (): Clocked => {
    const made: Clocked = {
      deadline: 0,
      slot: undefined,
      due: 0,
      expiredAt: undefined,
      expire() {
        made.expiredAt = now - start;
      },
    };
    return made;
  };
  const turn = (ms: number): void => {
    for (const end = now + ms; now < end; ) {
      now += 50;
      wheel.turn(now);
    }
  };
  return { timed, turn };
}

/** Past its time by three ticks at most, and a little for the clock of the machine. */
const lateMs = 400;

test.each([0, 100, 450, 1_000, 12_700, 12_900, 60_000])('a deadline of %d ms passes in time, and once', (ms) => {
  const { timed, turn } = turned();
  const one = timed();
  wheel.set(one, ms);
  turn(ms + 2 * lateMs);
  expect(one.expiredAt).toBeGreaterThanOrEqual(ms);
  expect(one.expiredAt).toBeLessThan(ms + lateMs);
  one.expiredAt = undefined;
  turn(30_000);
  expect(one.expiredAt).toBeUndefined();
});

test('a postponed deadline passes later, an advanced one earlier, and a removed one never', () => {
  const { timed, turn } = turned();
  const [postponed, advanced, removed, endless] = [timed(), timed(), timed(), timed()];
  for (const each of [postponed, advanced, removed, endless]) wheel.set(each, 2_000);
  turn(1_000);
  wheel.postpone(postponed, 20_000);
  wheel.postpone(advanced, 300);
  wheel.remove(removed);
  endless.deadline = Number.POSITIVE_INFINITY;
  turn(40_000);
  expect(postponed.expiredAt).toBeGreaterThanOrEqual(21_000);
  expect(postponed.expiredAt).toBeLessThan(21_000 + lateMs);
  expect(advanced.expiredAt).toBeGreaterThanOrEqual(1_300);
  expect(advanced.expiredAt).toBeLessThan(1_300 + lateMs);
  expect([removed.expiredAt, endless.expiredAt]).toEqual([undefined, undefined]);
});

test('a thread that stood still sees every deadline that has passed', () => {
  const { timed } = turned();
  const all = Array.from({ length: 50 }, timed);
  for (const [place, each] of all.entries()) wheel.set(each, place * 200);
  wheel.turn(wheel.now + 100_000);
  expect(all.filter(({ expiredAt }) => expiredAt === undefined)).toEqual([]);
});

test('it rests while nobody has a deadline and nobody needs its ticks, and ticks again for the next one', async () => {
  let ticks = 0;
  let wakes = 0;
  let mayRest = false;
  wheel = new DeadlineWheel(
    background,
    () => ticks++,
    () => wakes++,
    () => mayRest,
  );
  const timed = (): Timed & { isOver: boolean } => ({
    deadline: 0,
    slot: undefined,
    due: 0,
    isOver: false,
    expire() {
      this.isOver = true;
    },
  });
  await sleep(300);
  expect({ ticks, wakes }).toEqual({ ticks: 0, wakes: 0 });
  const one = timed();
  wheel.set(one, 50);
  expect(wakes).toBe(1);
  await vi.waitUntil(() => one.isOver);
  const before = ticks;
  await vi.waitUntil(() => ticks > before + 1);
  mayRest = true;
  const next = timed();
  const removed = timed();
  wheel.set(removed, 60_000);
  wheel.set(next, 50);
  await vi.waitUntil(() => next.isOver);
  wheel.remove(removed);
  await sleep(300);
  const last = ticks;
  await sleep(300);
  expect({ ticks, wakes }).toEqual({ ticks: last, wakes: 1 });
  const again = timed();
  wheel.set(again, 50);
  expect(wakes).toBe(2);
  await vi.waitUntil(() => again.isOver);
});
