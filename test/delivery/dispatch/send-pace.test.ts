import { expect, it } from 'vitest';
import { SendPace } from '../../../src/delivery/dispatch/sending/send-pace.ts';

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Wants to begin as much as it can. Answers how much began in a turn. */
function sender(pressure: { now: number }) {
  const pace = new SendPace(() => pressure.now);
  let begun = 0;
  let waiting = 0;
  const turn = async () => {
    begun = 0;
    pace.turn();
    while (begun + waiting < 2_500) {
      waiting++;
      void pace.take().then(() => {
        begun++;
        waiting--;
      });
    }
    await soon();
    return begun;
  };
  return { turn };
}

it('nothing is held back while requests have a core', async () => {
  const { turn } = sender({ now: 0 });
  expect(await turn()).toBe(2_500);
  expect(await turn()).toBe(2_500);
});

it('ever less begins while requests wait for a core, and some always', async () => {
  const { turn } = sender({ now: 0.5 });
  const turns: number[] = [];
  for (let count = 0; count < 30; count++) turns.push(await turn());
  expect(turns).toEqual([...turns].sort((a, b) => b - a));
  expect(turns.at(-1)).toBe(10);
});

it('all that waits begins, in its order, once requests wait no longer', async () => {
  const pressure = { now: 0.5 };
  const { turn } = sender(pressure);
  for (let count = 0; count < 30; count++) await turn();
  pressure.now = 0;
  const turns: number[] = [];
  for (let count = 0; count < 30; count++) turns.push(await turn());
  expect(turns.indexOf(Math.max(...turns))).toBeGreaterThan(10);
  expect(turns.at(-1)).toBe(2_500);
  const order: number[] = [];
  pressure.now = 0.5;
  const pace = new SendPace(() => pressure.now);
  pace.turn();
  for (let number = 0; number < 60; number++) void pace.take().then(() => order.push(number));
  for (let count = 0; count < 5; count++) {
    pace.turn();
    await soon();
  }
  expect(order).toEqual(Array.from({ length: 60 }, (_, number) => number));
});

it('at the end nothing is held back', async () => {
  const pace = new SendPace(() => 0.5);
  pace.turn();
  let begun = 0;
  for (let number = 0; number < 60; number++) void pace.take().then(() => begun++);
  await soon();
  expect(begun).toBe(10);
  pace.stop();
  await soon();
  expect(begun).toBe(60);
});
