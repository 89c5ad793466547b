import { expect, it } from 'vitest';
import { Courtesy } from '../../../src/server/threads/tasks/courtesy.ts';

it('is due as soon as a request waits for a core, and for ten seconds after the last one', () => {
  let pressure = 0;
  const courtesy = new Courtesy(() => pressure);
  expect(courtesy.isDue).toBe(false);
  courtesy.turn();
  expect(courtesy.isDue).toBe(false);
  pressure = 0.02;
  courtesy.turn();
  expect(courtesy.isDue).toBe(true);
  pressure = 0.005;
  for (let turn = 0; turn < 99; turn++) courtesy.turn();
  expect(courtesy.isDue).toBe(true);
  courtesy.turn();
  expect(courtesy.isDue).toBe(false);
});
