import { join } from 'node:path';
import type { HttpCase } from '../http-cases.ts';
import { type BodyFile, writeBodies } from '../load/body-file.ts';
import { type Load, type LoadResult, load } from '../load/wrk.ts';
import { ORGANIZATION, type ServiceData } from '../server/service-data.ts';
import type { FullLoad } from './full-load-line.ts';
import { type Site, tellCpu, timesOf, voided } from './site.ts';

const COMMITS_PER_SECOND = 1_000;
const COMMITS_PER_SECOND_MIN = 950;
const COMMIT_CONNECTIONS = 32;
/** Writes and deletes that are repeated. */
const COMMITS = 10_000;
/** The commits begin before the checks and end after them. */
const LEAD_SECONDS = 1;

/** The same load again while another wrk has tuples written and deleted over HTTP. */
export async function commitLine(site: Site, { name, perRequest }: HttpCase, full: FullLoad): Promise<void> {
  const { bench, service } = site;
  const seconds = timesOf(bench).measured;
  const commits = loadCommits(site, {
    headers: full.caseLoad.headers,
    rate: COMMITS_PER_SECOND,
    seconds: seconds + 2 * LEAD_SECONDS,
    serverPid: undefined,
  });
  await new Promise((resolve) => setTimeout(resolve, LEAD_SECONDS * 1000));
  const busy = await load({ ...full.caseLoad, rate: 0, seconds, serverPid: service.pid });
  const committed = await commits;
  tellCpu(bench, `${name} + commits`, busy);
  const isTooFew = !bench.isSmoke && committed.requestsPerSecond < COMMITS_PER_SECOND_MIN;
  bench.line({
    name: `${name} + commits`,
    value: busy.requestsPerSecond * perRequest,
    unit: perRequest === 1 ? 'requests/s' : 'checks/s',
    baseline: { name: 'without', value: full.requestsPerSecond * perRequest },
    ...(isTooFew
      ? { isVoid: `only ${Math.round(committed.requestsPerSecond)} commits a second were reached` }
      : voided(bench, busy)),
    detail: {
      commitsPerSecond: committed.requestsPerSecond,
      commitP50Micros: committed.p50,
      commitP99Micros: committed.p99,
      wrkCores: busy.generatorCores + committed.generatorCores,
      serverCores: busy.serverCores,
    },
  });
}

/** Has tuples written and deleted over HTTP. */
export function loadCommits(
  { scratch, data, service }: Site,
  basis: Pick<Load, 'headers' | 'rate' | 'seconds' | 'serverPid'>,
): Promise<LoadResult> {
  const url = `${service.url}/t/${ORGANIZATION}/api/v1/zanzibar/tuples`;
  return load({ ...basis, url, bodies: writeCommits(scratch, data), connections: COMMIT_CONNECTIONS });
}

/** Each tuple is written by one request and deleted by the next. */
function writeCommits(scratch: string, { drive }: ServiceData): BodyFile {
  const bodies = Array.from({ length: COMMITS }, (_, place) => {
    const tuple = drive.noise((place >> 1) * 48_611);
    return JSON.stringify(place % 2 === 0 ? { writes: [tuple] } : { deletes: [tuple] });
  });
  return writeBodies(join(scratch, 'commits'), bodies);
}
