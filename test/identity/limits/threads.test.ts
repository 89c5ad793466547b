import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningService } from '../../server/running-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.start({
    RELATA_THREADS: '2',
    RELATA_LIMIT_RATE_ORDINARY: '20',
    RELATA_LIMIT_RATE_REFUSED: '15',
  });
});
afterAll(() => service.remove());

const minuteOf = (time: number) => Math.floor(time / 60_000);

/** Asks within one minute, by which counts are: again where it ended meanwhile. */
async function inOneMinute<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = Date.now();
    const answer = await ask();
    const now = Date.now();
    if (minuteOf(now) === minuteOf(began)) return answer;
    await sleep(60_050 - (now % 60_000));
  }
}

/** Each over a connection of its own, so that the kernel deals them out among the threads. */
function statuses(count: number, path: string, key: string): Promise<number[]> {
  const agent = new Agent({ keepAlive: false });
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const sent = request(service.url + path, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject).end();
    });
  return Promise.all(Array.from({ length: count }, ask));
}

const counted = (all: readonly number[], status: number) => all.filter((each) => each === status).length;

const path = '/orgs/threads/api/v1/admin/api-keys';
/** One that comes first, since threads that meet at a key's first request may count one too few. */
const first = 1;

test('all threads count together what a credential asks', { timeout: 300_000 }, async () => {
  const org = await service.organization('threads');
  const { key } = await org.newKey({ permissions: ['settings.manage'] });
  const answers = await inOneMinute(async () => [
    ...(await statuses(first, path, key)),
    ...(await statuses(99, path, key)),
  ]);
  expect([counted(answers, 200), counted(answers, 429)]).toEqual([20, 80]);
});

test('all threads count together who guesses', { timeout: 300_000 }, async () => {
  const guess = 'rlt_admin_000000000000000000000000000000';
  const answers = await inOneMinute(async () => [
    ...(await statuses(first, path, guess)),
    ...(await statuses(99, path, guess)),
  ]);
  expect(counted(answers, 401) + counted(answers, 429)).toBe(100);
  // two threads may look up one each at the same moment
  expect(counted(answers, 401)).toBeGreaterThanOrEqual(15);
  expect(counted(answers, 401)).toBeLessThanOrEqual(17);
});
