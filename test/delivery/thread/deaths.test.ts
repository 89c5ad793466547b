import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RunningService } from '../../server/running-service.ts';
import { Receiver, until } from '../dispatch/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'relata-deaths-'));
const deaths = join(folder, 'deaths');
const environment = {
  RELATA_ALLOW_PRIVATE_URLS: '1',
  RELATA_THREADS: '1',
  RELATA_TEST_DEATHS: deaths,
  NODE_OPTIONS: `--import ${new URL('./deaths-module.mjs', import.meta.url).href}`,
};
const launcher = [process.execPath, fileURLToPath(new URL('../../server/tasks/with-tallies.mjs', import.meta.url))];

let service: RunningService;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([RunningService.start(environment, undefined, launcher), Receiver.start()]);
}, 120_000);
afterAll(async () => {
  await service.remove();
  await receiver.stop();
  rmSync(folder, { recursive: true });
});

it('a delivery thread that dies is started anew, and goes on where it was', async () => {
  const one = await service.organization('dying');
  // not at once, so that something is under way when it dies
  receiver.behaviours.set('/hook', (_, answer) => void setTimeout(() => answer.writeHead(204).end(), 5));
  const hook = await one.post('/admin/webhooks', { url: receiver.url('/hook'), events: ['user.created'] });
  expect(hook.status).toBe(201);
  const emails: string[] = [];
  const create = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const email = `user-${emails.length}@example.test`;
      expect((await one.post('/admin/users', { email })).status).toBe(201);
      emails.push(email);
    }
  };
  const lines = () => service.output().split('\n');
  const ends = () => lines().filter((line) => line.includes('the delivery thread has ended')).length;
  for (let death = 1; death <= 3; death++) {
    await create(20);
    const last = receiver.at('/hook').length;
    await until(() => receiver.at('/hook').length > last);
    appendFileSync(deaths, '\n');
    await create(10);
    await until(() => ends() === death);
  }
  await create(5);
  const arrived = () => [
    ...new Set(receiver.at('/hook').map(({ body }) => /user-\d+@example\.test/.exec(body)?.[0] ?? '')),
  ];
  await until(() => arrived().length === emails.length, 60_000);
  expect(arrived()).toEqual(emails);
  expect(service.output()).toContain('it dies');
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  const page = String((await service.call('GET', '/metrics')).body);
  expect(page).toMatch(/^relata_background_failures_total\{job="delivery_thread"\} 3$/m);
}, 120_000);
