import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { atLeast, atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { ownMegabytes } from '../server/own-megabytes.ts';
import type { FullLoad } from './full-load-line.ts';
import { middle, type Site, timesOf, voided } from './site.ts';

const IDLE = 10_000;
const SMOKE_IDLE = 50;
/** No more of them belong to one address than it has as its share. */
const ADDRESSES = 8;
/** So many are opened at once. */
const TOGETHER = 100;
const MEGABYTES_MAX = 100;
const RATE_MIN = 0.95;
const MEGABYTES_SHOWN_MIN = 0.001;

/** What connections cost that have been used and now say nothing, and what the load of a case does beside them. */
export async function idleLines(site: Site, { caseLoad }: FullLoad, name: string): Promise<void> {
  const { bench, service } = site;
  const { measured, rounds } = timesOf(bench);
  const count = bench.isSmoke ? SMOKE_IDLE : IDLE;
  const usual = { ...caseLoad, rate: 0, seconds: measured, serverPid: service.pid };
  const without: LoadResult[] = [];
  const beside: LoadResult[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await load(usual));
    const before = ownMegabytes(service.pid);
    const sockets = await openAll(service.url, count);
    beside.push(await load(usual));
    costs.push(ownMegabytes(service.pid) - before);
    await closeAll(sockets);
  }
  const [alone, least] = [middle(without), middle(beside)];
  const memory = unlessSmoke(bench, atMost(MEGABYTES_MAX));
  bench.line({
    name: 'http idle connections, 10,000, memory',
    // the first time, before there is room from connections that have gone
    value: Math.max(MEGABYTES_SHOWN_MIN, ...costs),
    unit: 'MiB',
    ...(memory === undefined ? {} : { target: memory }),
    detail: { connections: count },
  });
  const rate = unlessSmoke(bench, atLeast(RATE_MIN, 'ratio'));
  bench.line({
    name: `${name} beside idle connections`,
    value: least.requestsPerSecond,
    unit: 'requests/s',
    baseline: { name: 'without', value: alone.requestsPerSecond },
    ...(rate === undefined ? {} : { target: rate }),
    ...voided(bench, ...without, ...beside),
    detail: { connections: count, p99Micros: least.p99, p99MicrosWithout: alone.p99 },
  });
}

async function openAll(url: string, count: number): Promise<Socket[]> {
  const { port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const size = Math.min(TOGETHER, count - sockets.length);
    const group = Array.from({ length: size }, (_, place) =>
      connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${2 + (place % ADDRESSES)}` }),
    );
    await Promise.all(group.map(useOnce));
    sockets.push(...group);
  }
  return sockets;
}

async function useOnce(socket: Socket): Promise<void> {
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200 ')) throw new Error(`answered ${answer}`);
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  const lost = sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
  if (lost > 0) throw new Error(`${lost} idle connections were closed by the service`);
  for (const socket of sockets) socket.destroy();
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
}
