import { expect, it } from 'vitest';
import { runsOf } from '../../generated/extent.ts';
import { killWhileDelivering } from './kill-while-delivering.ts';

const KILLS = runsOf({ quick: 2, whole: 5 });
const EVENTS = 140 * KILLS;

it('events arrive at least once and in order, however often the service is killed', async () => {
  const { made, arrived, idsOfOne } = await killWhileDelivering(KILLS, EVENTS);
  expect(made.length).toBeGreaterThanOrEqual(EVENTS);
  for (const users of arrived) expect(users).toEqual(made);
  expect(idsOfOne).toBe(1);
}, 300_000);
