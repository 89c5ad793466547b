import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { percentile } from '../../measure/percentile.ts';
import type { OpenLoop, OpenLoopReport } from '../../threads/open-loop-client.ts';
import { ProcessCpu } from './process-cpu.ts';
import type { Load, LoadResult } from './wrk.ts';

/** What comes of a load at a rate. Its generator never sleeps: how busy it was says nothing. */
export type OpenLoopResult = Omit<LoadResult, 'generatorCores'>;

/** With fewer answers than this share of what was due, the generator or the machine was the limit. */
const REACHED = 0.97;
const YOUNG_OBJECTS_MB = 64;

/**
 * Sends requests at random times, so many a second on average. Times are from when a request was due, so that one that
 * waits for a free connection counts that too. Throws where a request was refused or got no answer.
 */
export async function openLoop({
  url,
  headers,
  bodies,
  connections,
  rate,
  seconds,
  serverPid,
}: Load): Promise<OpenLoopResult> {
  const { host, hostname, port, pathname } = new URL(url);
  const named = { host, ...headers, 'content-length': bodies.width };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
  const workerData: OpenLoop = {
    hostname,
    port: Number(port),
    head: `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`,
    bodies,
    connections,
    perSecond: rate,
    seconds,
  };
  const client = new Worker(new URL('../../threads/open-loop-client.js', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OBJECTS_MB },
  });
  const server = serverPid === undefined ? undefined : new ProcessCpu(serverPid);
  const [{ times, seconds: counted }] = (await once(client, 'message')) as [OpenLoopReport];
  const serverCores = server?.stop(seconds * 0.8) ?? Number.NaN;
  await client.terminate();
  times.sort();
  const requestsPerSecond = times.length / counted;
  return {
    requests: times.length,
    requestsPerSecond,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    p999: percentile(times, 0.999),
    serverCores,
    ...(requestsPerSecond < rate * REACHED
      ? { isVoid: `${Math.round(requestsPerSecond)} of ${rate} requests a second were answered` }
      : {}),
  };
}
