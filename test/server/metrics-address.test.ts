import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPort } from './next-port.ts';
import { RunningService } from './running-service.ts';

const token = 'a-token-for-metrics-that-is-long-enough';
let service: RunningService;
let metrics: string;

beforeAll(async () => {
  const port = await nextPort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  service = await RunningService.start({
    RELATA_THREADS: '2',
    RELATA_METRICS_ADDRESS: `127.0.0.1:${port}`,
    RELATA_METRICS_TOKEN: token,
    RELATA_ACCESS_LOG: '4xx',
    RELATA_LOG_LEVEL: 'info',
  });
});
afterAll(() => service.remove());

/** Not by `fetch`: the tests hold its answers against what the interface declares, and these are not of it. */
async function read(headers: Record<string, string> = {}, url = metrics) {
  const [answer] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  return { status: answer.statusCode, type: answer.headers['content-type'], body: await text(answer) };
}

const authorization = `Bearer ${token}`;

test('metrics are read at their own address, with the token, and say which build runs', async () => {
  const { status, type, body } = await read({ authorization });
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(body).toContain(`relata_build_info{version="0.1.0",node="${process.versions.node}"} 1\n`);
  expect((await read()).status).toBe(401);
  expect((await read({ authorization: 'Bearer other' })).status).toBe(401);
  expect((await read({ authorization }, metrics.replace('metrics', 'healthz'))).status).toBe(404);
});

test('metrics are not beside the interface any more', async () => {
  expect((await read({ authorization }, `${service.url}/metrics`)).status).toBe(404);
  expect((await read({}, `${service.url}/healthz`)).status).toBe(200);
});

test('the access log of 4xx has refused requests, and no others', async () => {
  await read({}, `${service.url}/not-there`);
  await expect.poll(service.output).toContain('/not-there');
  expect(service.output()).not.toContain('"path":"/healthz"');
});

test('an address in use ends the start before anything is made', async () => {
  const given = { RELATA_METRICS_ADDRESS: `127.0.0.1:${service.port}` };
  await expect(RunningService.start(given)).rejects.toThrow(/is in use .* set RELATA_METRICS_ADDRESS to another port/);
});
