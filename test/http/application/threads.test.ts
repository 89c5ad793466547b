import { existsSync } from 'node:fs';
import { get } from 'node:http';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { openTransport } from '../../../src/http/index.ts';
import { claimPort, createMetricsMemory, type MetricDefinition } from '../../../src/platform/index.ts';

const built = new URL('../../../dist/src/', import.meta.url);
const http = new URL('http/index.js', built).href;
const platform = new URL('platform/index.js', built).href;
const limits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 1_000, headerBytes: 16_384 };

const workers: Worker[] = [];

/** Never by `terminate`: a thread must close its native sockets before it ends. */
afterEach(async () => {
  const ended = workers.splice(0).map(
    (worker) =>
      new Promise((resolve) => {
        if (worker.threadId === -1) resolve(undefined);
        worker.once('exit', resolve);
        worker.postMessage('drain');
      }),
  );
  await Promise.all(ended);
});

function start(data: Record<string, unknown>): Worker {
  const worker = new Worker(new URL('./acceptor-thread.mjs', import.meta.url), {
    workerData: { http, platform, ...data },
  });
  workers.push(worker);
  return worker;
}

function message<T>(worker: Worker): Promise<T> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** A connection of its own for each request: the kernel deals out connections, not requests. */
function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

// without uWebSockets.js, threads share a port from Node.js 22.12 on
const shares =
  openTransport({ choice: 'auto', threads: 2 }, limits).sharesPort && existsSync(new URL('http/index.js', built));

describe.skipIf(!shares)('acceptor threads', () => {
  test('share one port and one page of metrics, and one drains while the other serves', async () => {
    const probe = start({});
    const { definitions } = await message<{ definitions: MetricDefinition[] }>(probe);
    const memory = createMetricsMemory(definitions, 2);
    const { port, release } = await claimPort({ host: '127.0.0.1', port: 0 });
    await release();
    const first = start({ memory, slot: 0, port });
    expect(await message(first)).toMatchObject({ port });
    const second = start({ memory, slot: 1, port });
    expect(await message(second)).toMatchObject({ port });

    const threads = new Set<string>();
    for (let i = 0; i < 100; i++) threads.add(await ask(port, '/who'));
    expect(threads.size).toBe(2);
    expect(await ask(port, '/metrics')).toContain(
      'relata_http_requests_total{method="GET",route="/who",status="2xx"} 100',
    );

    const drained = message<{ cutOff: number }>(first);
    first.postMessage('drain');
    expect(await drained).toEqual({ cutOff: 0 });
    const rest = new Set<string>();
    for (let i = 0; i < 50; i++) rest.add(await ask(port, '/who'));
    expect(rest.size).toBe(1);
    expect(await ask(port, '/metrics')).toContain(
      'relata_http_requests_total{method="GET",route="/who",status="2xx"} 150',
    );
  });
});
