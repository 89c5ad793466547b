import { expect, it } from 'vitest';
import { killWhileDelivering } from './kill-while-delivering.ts';

it('events arrive at least once and in order, however often the service is killed', async () => {
  const { made, arrived, idsOfOne } = await killWhileDelivering(5, 700);
  expect(made.length).toBeGreaterThanOrEqual(700);
  for (const users of arrived) expect(users).toEqual(made);
  expect(idsOfOne).toBe(1);
}, 300_000);
