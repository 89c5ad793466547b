import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Heard } from '../../../../../engine/log/stream/publish/heard.ts';

it('a log was heard until the newest of the messages that were applied was sent, and not until it was applied', async () => {
  const heard = new Heard();
  expect(heard.silentMs).toBe(Number.POSITIVE_INFINITY);
  heard.applied(7);
  expect(heard.silentMs).toBe(Number.POSITIVE_INFINITY);
  heard.sent(1);
  heard.sent(2);
  await sleep(60);
  heard.sent(3);
  heard.applied(2);
  const silent = heard.silentMs;
  expect(silent).toBeGreaterThanOrEqual(59);
  heard.applied(1);
  expect(heard.silentMs).toBeGreaterThanOrEqual(silent);
  heard.applied(3);
  expect(heard.silentMs).toBeLessThan(silent);
});

it('messages that never come are not kept without end', () => {
  const heard = new Heard();
  for (let number = 1; number <= 5000; number++) heard.sent(number);
  heard.applied(5000);
  expect(heard.silentMs).toBeLessThan(1000);
});
