import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, type HttpCase } from '../http/http-cases.ts';
import { prepareLoad } from '../http/lines/full-load-line.ts';
import { type CaseLoad, microsPerRequest, middle, tellCpu, timesOf, voided } from '../http/lines/site.ts';
import { type OpenLoopResult, openLoop } from '../http/load/open-loop.ts';
import { hasWrk, type LoadResult, load } from '../http/load/wrk.ts';
import { type RunningServer, startEmptyServer, startService } from '../http/server/running-service.ts';
import { prepareServiceData, type ServiceData } from '../http/server/service-data.ts';
import { builtTransport, emptyServerLimits, runsHere } from '../http/server/transport-shape.ts';
import { atLeast, atMost } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const ASKED = ['http zanzibar/check direct', 'http zanzibar/check nested', 'http authz/check direct'];

/** A service on one version of Node.js and one transport, and a server that only answers. */
interface Version {
  readonly name: string;
  /** Whether it is only there for the others to be compared with. */
  readonly isBasis: boolean;
  readonly service: RunningServer;
  readonly empty: RunningServer;
}

/**
 * The same checks on this version of Node.js and on another one, which `RELATA_BENCH_NODE` names, in turns; and on
 * uWebSockets.js, where this version has it, which the other one is compared with then.
 */
export const nodesSuite: Suite = {
  name: 'nodes',
  about: 'checks over HTTP on this version of Node.js and on another one, beside uWebSockets.js',
  size: '1m',
  async run(bench) {
    const other = process.env.RELATA_BENCH_NODE;
    if (other === undefined) return bench.note('RELATA_BENCH_NODE names no other version: nothing is measured');
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('nodes');
    const started: Version[] = [];
    try {
      const data = await prepareServiceData(scratch, driveOf(bench, 1_000_000));
      for (const node of [process.execPath, other]) started.push(await startVersion(node, 'auto', data, scratch));
      if (await hasUws()) started.push(await startVersion(process.execPath, 'uws', data, scratch));
      for (const httpCase of casesOf(data, bench.isSmoke).filter(({ name }) => ASKED.includes(name))) {
        await measureCase(bench, { scratch, data, versions: started }, httpCase);
      }
    } finally {
      await Promise.all(started.flatMap(({ service, empty }) => [service.stop(), empty.stop()]));
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

/** Each on a copy of the data: a folder has one service. */
async function startVersion(
  node: string,
  transport: 'auto' | 'uws',
  data: ServiceData,
  scratch: string,
): Promise<Version> {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const folder = join(scratch, `data-${version}-${transport}`);
  cpSync(data.folder, folder, { recursive: true });
  const isBasis = transport === 'uws';
  return {
    name: `Node.js ${version.split('.')[0]}${isBasis ? ' with uWebSockets.js' : ''}`,
    isBasis,
    service: await startService(folder, { RELATA_TRANSPORT: transport }, node),
    empty: await startEmptyServer(transport, node),
  };
}

async function hasUws(): Promise<boolean> {
  const { openTransport } = await builtTransport();
  return runsHere(() => openTransport({ choice: 'uws', threads: 1 }, emptyServerLimits));
}

interface Versions {
  readonly scratch: string;
  readonly data: ServiceData;
  readonly versions: readonly Version[];
}

async function measureCase(bench: Bench, { scratch, data, versions }: Versions, httpCase: HttpCase): Promise<void> {
  const { name, target } = httpCase;
  const { warm, measured, rounds } = timesOf(bench);
  const loads: { version: Version; usual: CaseLoad; full: LoadResult[]; least: LoadResult[] }[] = [];
  for (const version of versions) {
    const { caseLoad: usual } = await prepareLoad({ scratch, data, service: version.service }, httpCase);
    loads.push({ version, usual, full: [], least: [] });
  }
  for (let round = warm > 0 ? -1 : 0; round < rounds; round++) {
    const seconds = round < 0 ? warm : measured;
    for (const { version, usual, full, least } of loads) {
      const { service, empty } = version;
      const leastNow = await load({ ...usual, url: `${empty.url}/`, rate: 0, seconds, serverPid: empty.pid });
      const fullNow = await load({ ...usual, rate: 0, seconds, serverPid: service.pid });
      if (round < 0) continue;
      least.push(leastNow);
      full.push(fullNow);
    }
  }
  for (const { version, full, least } of loads) {
    const [most, bare] = [middle(full), middle(least)];
    tellCpu(bench, `${name} on ${version.name}`, most);
    const wanted = version.isBasis ? undefined : unlessSmoke(bench, target);
    bench.line({
      name: `${name} on ${version.name}`,
      value: most.requestsPerSecond,
      unit: 'requests/s',
      baseline: { name: 'empty handler', value: bare.requestsPerSecond },
      ...(wanted === undefined ? {} : { target: wanted }),
      ...voided(bench, ...full, ...least),
    });
    const [micros, bareMicros] = [microsPerRequest(most), microsPerRequest(bare)];
    if (micros === undefined || bareMicros === undefined) continue;
    // says the same where the generator, and not the server, was the limit
    bench.line({
      name: `${name} on ${version.name}, processor time of an empty answer`,
      value: bareMicros,
      unit: 'us',
      baseline: { name: 'of the check', value: micros },
      ...(wanted === undefined ? {} : { target: wanted }),
    });
  }
  await compareLines(bench, name, loads);
}

/**
 * The other version beside uWebSockets.js on this one, or beside this one's own transport where that does not run: as many
 * requests, and answers that are no later at half of the slower one's rate.
 */
async function compareLines(
  bench: Bench,
  name: string,
  loads: readonly { readonly version: Version; readonly usual: CaseLoad; readonly full: readonly LoadResult[] }[],
): Promise<void> {
  const [own, other, basis = own] = loads;
  if (other === undefined || basis === undefined) throw new Error('there are two versions at least');
  const [rate, least] = [other, basis].map(({ full }) => middle(full).requestsPerSecond) as [number, number];
  const perSecond = Math.max(1, Math.round(Math.min(rate, least) / 2));
  const { measured: seconds } = timesOf(bench);
  const halfOf = ({ usual, version }: typeof other): Promise<OpenLoopResult> =>
    openLoop({ ...usual, rate: perSecond, seconds, serverPid: version.service.pid });
  const half = await halfOf(other);
  const leastHalf = await halfOf(basis);
  const targets = { rate: unlessSmoke(bench, atLeast(1, 'ratio')), late: unlessSmoke(bench, atMost(1, 'ratio')) };
  bench.line({
    name: `${name} on ${other.version.name}, beside ${basis.version.name}`,
    value: rate,
    unit: 'requests/s',
    baseline: { name: basis.version.name, value: least },
    ...(targets.rate === undefined ? {} : { target: targets.rate }),
    ...voided(bench, ...other.full, ...basis.full),
  });
  bench.line({
    name: `${name} on ${other.version.name} at half load, p99`,
    value: half.p99 / 1000,
    unit: 'ms',
    baseline: { name: basis.version.name, value: Math.max(1, leastHalf.p99) / 1000 },
    ...(targets.late === undefined ? {} : { target: targets.late }),
    ...voided(bench, half, leastHalf),
    detail: { perSecond },
  });
}
