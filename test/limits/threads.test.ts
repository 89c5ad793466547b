import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RunningService } from '../server/running-service.ts';

let service: RunningService;

beforeAll(async () => {
  service = await RunningService.start({
    RELATA_THREADS: '2',
    RELATA_LIMIT_RATE_ORDINARY: '20',
    RELATA_LIMIT_RATE_REFUSED: '15',
  });
});
afterAll(() => service.remove());

// counts are by the minute, and a test that is cut by its end would see two of them
beforeEach(async () => {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await sleep(left + 50);
});

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

test('all threads count together what a credential asks', async () => {
  const org = await service.organization('threads');
  const answers = await statuses(100, '/orgs/threads/api/v1/admin/api-keys', org.key);
  expect([counted(answers, 200), counted(answers, 429)]).toEqual([20, 80]);
});

test('all threads count together who guesses', async () => {
  const answers = await statuses(
    100,
    '/orgs/threads/api/v1/admin/api-keys',
    'rlt_admin_000000000000000000000000000000',
  );
  expect(counted(answers, 401) + counted(answers, 429)).toBe(100);
  // two threads may look up one each at the same moment
  expect(counted(answers, 401)).toBeGreaterThanOrEqual(15);
  expect(counted(answers, 401)).toBeLessThanOrEqual(17);
});
