import type { HttpCase } from '../http-cases.ts';
import { openLoop } from '../load/open-loop.ts';
import type { FullLoad } from './full-load-line.ts';
import { type Site, tellCpu, timesOf, voided } from './site.ts';

/** Enough that one is free whenever a request is due. */
const CONNECTIONS = 64;
const PERCENTILES = [
  ['p50', 'p50'],
  ['p99', 'p99'],
  ['p99.9', 'p999'],
] as const;

/** How long answers take at half of the rate that the service can do. */
export async function halfLoadLines(site: Site, { name }: HttpCase, full: FullLoad): Promise<void> {
  const { bench, service, empty } = site;
  const rate = Math.max(1, Math.round(full.requestsPerSecond / 2));
  const usual = { ...full.caseLoad, connections: CONNECTIONS, rate, seconds: timesOf(bench).measured };
  const least = await openLoop({ ...usual, url: `${empty.url}/`, serverPid: empty.pid });
  const half = await openLoop({ ...usual, serverPid: service.pid });
  tellCpu(bench, `${name} at half load`, half);
  const detail = { perSecond: half.requestsPerSecond, wantedPerSecond: rate };
  for (const [shown, key] of PERCENTILES) {
    bench.line({
      name: `${name} at half load, ${shown}`,
      value: half[key] / 1000,
      unit: 'ms',
      baseline: { name: 'empty handler', value: Math.max(least[key], 1) / 1000 },
      ...voided(bench, half, least),
      detail,
    });
  }
}
