import { type LoadResult, load } from '../load/wrk.ts';
import { type RunningServer, startEmptyServer } from '../server/running-service.ts';
import { builtTransport, emptyServerLimits, runsHere, type TransportKind } from '../server/transport-shape.ts';
import type { FullLoad } from './full-load-line.ts';
import { microsPerRequest, middle, type Site, tellCpu, timesOf, voided } from './site.ts';

const KINDS: readonly TransportKind[] = ['socket', 'uws'];
/** What the other one is compared with, where it runs. */
const BASELINE = 'uws';

/** The load of a case on servers that only answer, one for each transport that runs on this version of Node.js. */
export async function transportLines({ bench }: Site, { caseLoad }: FullLoad): Promise<void> {
  const { openTransport } = await builtTransport();
  const kinds = KINDS.filter((kind) => runsHere(() => openTransport({ choice: kind, threads: 1 }, emptyServerLimits)));
  const { warm, measured, rounds } = timesOf(bench);
  const servers = new Map<TransportKind, RunningServer>();
  const results = new Map<TransportKind, LoadResult[]>(kinds.map((kind) => [kind, []]));
  try {
    for (const kind of kinds) servers.set(kind, await startEmptyServer(kind));
    // in turns, so that what else the machine does falls on all
    for (let round = warm > 0 ? -1 : 0; round < rounds; round++) {
      for (const [kind, { url, pid }] of servers) {
        const result = await load({ ...caseLoad, url: `${url}/`, rate: 0, seconds: measured, serverPid: pid });
        if (round >= 0) results.get(kind)?.push(result);
      }
    }
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
  }
  const others = results.get(BASELINE);
  const other = others === undefined ? undefined : middle(others);
  for (const [kind, all] of results) {
    const result = middle(all);
    tellCpu(bench, `http empty answer over ${kind}`, result);
    if (kind === BASELINE) continue;
    bench.line({
      name: `http empty answer over ${kind}`,
      value: result.requestsPerSecond,
      unit: 'requests/s',
      ...(other === undefined ? {} : { baseline: { name: 'uWebSockets.js', value: other.requestsPerSecond } }),
      ...voided(bench, ...all, ...(others ?? [])),
      detail: {
        serverMicros: microsPerRequest(result) ?? 'unknown',
        ...(other === undefined ? {} : { serverMicrosOfUws: microsPerRequest(other) ?? 'unknown' }),
        p50Micros: result.p50,
        p99Micros: result.p99,
      },
    });
  }
}
