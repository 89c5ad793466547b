import type { Line } from '../../report/line.ts';
import type { Bench } from '../../suites/suite.ts';
import type { BodyFile } from '../load/body-file.ts';
import { type Load, type LoadResult, load } from '../load/wrk.ts';
import type { Peer } from '../peers/peer.ts';
import type { RunningServer } from '../server/running-service.ts';
import type { ServiceData } from '../server/service-data.ts';

/** What the lines over HTTP are measured on. */
export interface Site {
  readonly bench: Bench;
  readonly scratch: string;
  readonly data: ServiceData;
  readonly service: RunningServer;
  /** Only answers, on the same transport. */
  readonly empty: RunningServer;
  readonly peers: readonly Peer[];
}

/** What of a load stays the same while a case is measured. */
export interface CaseLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: BodyFile;
  readonly connections: number;
}

let seen: LoadResult | undefined;

/** The same load on the server that only answers. Where no number means anything, once is enough for all lines. */
export async function leastLoad(
  bench: Bench,
  empty: RunningServer,
  usual: Omit<Load, 'url' | 'serverPid'>,
): Promise<LoadResult> {
  if (bench.isSmoke && seen !== undefined) return seen;
  seen = await load({ ...usual, url: `${empty.url}/`, serverPid: empty.pid });
  return seen;
}

/** Seconds of one load, and how often it is repeated. */
export function timesOf(bench: Bench): { readonly warm: number; readonly measured: number; readonly rounds: number } {
  return bench.isSmoke ? { warm: 0, measured: 1, rounds: 1 } : { warm: 5, measured: 4, rounds: 3 };
}

/** A result of wrk, or of a generator whose processor time says nothing. */
type Told = Pick<LoadResult, 'serverCores' | 'requestsPerSecond'> & { readonly generatorCores?: number };

export function tellCpu(bench: Bench, name: string, result: Told): void {
  const { generatorCores, serverCores, requestsPerSecond } = result;
  const shown = (cores: number): string => (Number.isNaN(cores) ? 'an unknown share' : `${Math.round(cores * 100)} %`);
  const rate = Math.round(requestsPerSecond).toLocaleString('en-US');
  const cost = (microsPerRequest(result) ?? Number.NaN).toFixed(1);
  const wrk = generatorCores === undefined ? '' : `wrk used ${shown(generatorCores)} of a core, `;
  bench.note(`${name}: ${rate} requests/s; ${wrk}the server ${shown(serverCores)} (${cost} us a request)`);
}

/** CPU time of the server for one request: says the same whether or not the server had a core to itself. */
export function microsPerRequest({ serverCores, requestsPerSecond }: Told): number | undefined {
  return Number.isNaN(serverCores) ? undefined : (serverCores * 1e6) / requestsPerSecond;
}

export function voided(bench: Bench, ...results: readonly Pick<LoadResult, 'isVoid'>[]): Pick<Line, 'isVoid'> {
  const reason = bench.isSmoke ? undefined : results.find(({ isVoid }) => isVoid !== undefined)?.isVoid;
  return reason === undefined ? {} : { isVoid: reason };
}

/** The one with the median rate. */
export function middle(results: readonly LoadResult[]): LoadResult {
  const sorted = results.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  return sorted[sorted.length >> 1] as LoadResult;
}
