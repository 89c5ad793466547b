import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, type HttpCase } from '../http/http-cases.ts';
import { prepareLoad } from '../http/lines/full-load-line.ts';
import { type CaseLoad, microsPerRequest, middle, tellCpu, timesOf, voided } from '../http/lines/site.ts';
import { hasWrk, type LoadResult, load } from '../http/load/wrk.ts';
import { type RunningServer, startEmptyServer, startService } from '../http/server/running-service.ts';
import { prepareServiceData, type ServiceData } from '../http/server/service-data.ts';
import { atLeast, atMost } from '../report/line.ts';
import { scratchFolder } from '../store/data-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const ASKED = ['http zanzibar/check direct', 'http zanzibar/check nested', 'http authz/check direct'];

/** One version of Node.js with a service and a server that only answers, each on the transport that runs there. */
interface Version {
  readonly name: string;
  readonly service: RunningServer;
  readonly empty: RunningServer;
}

/** The same checks on this version of Node.js and on another one, which `RELATA_BENCH_NODE` names, in turns. */
export const nodesSuite: Suite = {
  name: 'nodes',
  about: 'checks over HTTP on this version of Node.js and on another one',
  size: '1m',
  async run(bench) {
    const other = process.env.RELATA_BENCH_NODE;
    if (other === undefined) return bench.note('RELATA_BENCH_NODE names no other version: nothing is measured');
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('nodes');
    const started: Version[] = [];
    try {
      const data = await prepareServiceData(scratch, driveOf(bench, 1_000_000));
      for (const node of [process.execPath, other]) started.push(await startVersion(node, data, scratch));
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
async function startVersion(node: string, data: ServiceData, scratch: string): Promise<Version> {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  const folder = join(scratch, `data-${version}`);
  cpSync(data.folder, folder, { recursive: true });
  const name = `Node.js ${version.split('.')[0]}`;
  return { name, service: await startService(folder, {}, node), empty: await startEmptyServer('auto', node) };
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
    const wanted = unlessSmoke(bench, target);
    bench.line({
      name: `${name} on ${version.name}`,
      value: most.requestsPerSecond,
      unit: 'requests/s',
      baseline: { name: 'empty handler', value: bare.requestsPerSecond },
      ...(wanted === undefined ? {} : { target: wanted }),
      ...voided(bench, ...full, ...least),
      detail: { serverMicros: microsPerRequest(most) ?? 'unknown', emptyMicros: microsPerRequest(bare) ?? 'unknown' },
    });
  }
  await compareLines(bench, name, loads);
}

/** The other version beside this one: as many requests, and answers that are no later at half of the slower one's rate. */
async function compareLines(
  bench: Bench,
  name: string,
  loads: readonly { readonly version: Version; readonly usual: CaseLoad; readonly full: readonly LoadResult[] }[],
): Promise<void> {
  const rates = loads.map(({ full }) => middle(full).requestsPerSecond);
  const halves: LoadResult[] = [];
  const rate = Math.max(1, Math.round(Math.min(...rates) / 2));
  const { measured: seconds } = timesOf(bench);
  for (const { version, usual } of loads) {
    halves.push(await load({ ...usual, rate, seconds, serverPid: version.service.pid }));
  }
  const [own, other] = loads.map(({ version }) => version.name);
  const targets = { rate: unlessSmoke(bench, atLeast(1, 'ratio')), late: unlessSmoke(bench, atMost(1, 'ratio')) };
  bench.line({
    name: `${name} on ${other}, beside ${own}`,
    value: rates[1] ?? Number.NaN,
    unit: 'requests/s',
    baseline: { name: own ?? '', value: rates[0] ?? Number.NaN },
    ...(targets.rate === undefined ? {} : { target: targets.rate }),
    ...voided(bench, ...loads.flatMap(({ full }) => full)),
  });
  bench.line({
    name: `${name} on ${other} at half load, p99`,
    value: (halves[1]?.p99 ?? Number.NaN) / 1000,
    unit: 'ms',
    baseline: { name: own ?? '', value: Math.max(1, halves[0]?.p99 ?? Number.NaN) / 1000 },
    ...(targets.late === undefined ? {} : { target: targets.late }),
    ...voided(bench, ...halves),
    detail: { perSecond: rate },
  });
}
