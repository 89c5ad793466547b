import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { middle, tellCpu, voided } from '../http/lines/site.ts';
import { writeBodies } from '../http/load/body-file.ts';
import { cpuSecondsOf } from '../http/load/process-cpu.ts';
import { hasWrk, type LoadResult, loadScripted } from '../http/load/wrk.ts';
import { askEach, createFor } from '../http/organizations/asking.ts';
import { type LoadedOrganization, organizationsFolder } from '../http/organizations/load-organizations.ts';
import { wholeRequests } from '../http/organizations/questions.ts';
import { ownMegabytes } from '../http/server/own-megabytes.ts';
import { type RunningServer, startService } from '../http/server/running-service.ts';
import { median } from '../measure/percentile.ts';
import { atLeast, atMost, type Line, type Target } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { serviceFolder } from '../store/service-folder.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const ORGANIZATIONS = Number(process.env.RELATA_BENCH_ORGANIZATIONS ?? 10_000);
const FEW_ORGANIZATIONS = 40;
const QUESTIONS = 200_000;
const CONNECTIONS = 16;
const CREATORS = 64;
const WARM_SECONDS = 5;
const TURNS = 9;
/** After so long every job has looked at each organization. */
const LOOKED_MS = 25_000;
/**
 * And the last uses are written down, which they are at most once a minute, and V8 has looked through the heap of who
 * answered once more, which takes a second of processor.
 */
const WRITTEN_MS = 120_000;
/** One tick of the kernel's clock, by which processor time is told. */
const TICK_SECONDS = 0.01;
const PLATFORM_KEY = 'rlt_platform_a_key_of_the_benchmark_000000000000';

interface Site {
  readonly bench: Bench;
  readonly scratch: string;
  readonly service: RunningServer;
  readonly organizations: readonly LoadedOrganization[];
}

/** A service for very many organizations, of which nearly all sleep. */
export const organizationsSuite: Suite = {
  name: 'organizations',
  about: '10,000 organizations with models of their own: idle, asked once, asked at random, created',
  async run(bench) {
    const scratch = scratchFolder('organizations');
    try {
      await measureAll(bench, scratch);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(bench: Bench, scratch: string): Promise<void> {
  const count = bench.isSmoke ? FEW_ORGANIZATIONS : ORGANIZATIONS;
  const { folder, organizations } = await serviceFolder(
    scratch,
    organizationsFolder(count, (text) => bench.note(text)),
  );
  const startedAt = performance.now();
  const service = await startService(folder, { RELATA_PLATFORM_KEY: PLATFORM_KEY });
  const site = { bench, scratch, service, organizations };
  try {
    tell(site, 'start', (performance.now() - startedAt) / 1000, 's', atMost(5));
    await idleLine(site, 'idle', LOOKED_MS);
    const before = ownMegabytes(service.pid);
    await askEach(service.url, organizations);
    const after = ownMegabytes(service.pid);
    tell(site, 'RssAnon, each was asked once', after, 'MiB', atMost(300), { name: 'before', value: before });
    if (hasWrk()) await checkLines(site);
    else bench.note('wrk is not installed: no checks are measured');
    await idleLine(site, 'idle after checks', WRITTEN_MS);
    const { created, perSecond } = await createFor(service.url, PLATFORM_KEY, CREATORS, bench.isSmoke ? 1 : 8);
    tell(site, `created, ${CREATORS} clients, each durable`, perSecond, 'organizations/s', atLeast(300), undefined, {
      created,
    });
    tell(site, 'RssAnon, at the end', ownMegabytes(service.pid), 'MiB', undefined, { name: 'before', value: before });
  } finally {
    await service.stop();
  }
}

async function idleLine(site: Site, name: string, settleMs: number): Promise<void> {
  const { bench, service } = site;
  await setTimeout(bench.isSmoke ? 100 : settleMs);
  // V8 looks through a heap now and then, which takes 0.2 s of processor at once: most often in the first minute
  const seconds = bench.isSmoke ? 0.2 : 60;
  const before = cpuSecondsOf(service.pid);
  const startedAt = performance.now();
  await setTimeout(seconds * 1000);
  const used = Math.max(TICK_SECONDS, cpuSecondsOf(service.pid) - before);
  tell(site, name, (used / (performance.now() - startedAt)) * 100_000, '% of a core', atMost(1));
}

/** In turns: all questions of one organization, and each of another one. */
async function checkLines(site: Site): Promise<void> {
  const { bench, scratch, service, organizations } = site;
  const questions = bench.isSmoke ? 200 : QUESTIONS;
  const host = new URL(service.url).host;
  const one = writeBodies(join(scratch, 'one'), wholeRequests(host, organizations.slice(0, 1), questions));
  const all = writeBodies(join(scratch, 'all'), wholeRequests(host, organizations, questions));
  const ask = (file: typeof one, seconds: number): Promise<LoadResult> => {
    const basis = { url: service.url, headers: {}, connections: CONNECTIONS, seconds, serverPid: service.pid };
    return loadScripted(basis, 'cycle.lua', [file.path, String(file.width), '0', 'whole']);
  };
  // short turns, and many: what else the machine does lasts for seconds
  const seconds = bench.isSmoke ? 1 : 2;
  if (!bench.isSmoke) for (const file of [one, all]) await ask(file, WARM_SECONDS);
  const turns: { readonly ofOne: LoadResult; readonly ofAll: LoadResult }[] = [];
  for (let round = 0; round < (bench.isSmoke ? 1 : TURNS); round++) {
    turns.push({ ofOne: await ask(one, seconds), ofAll: await ask(all, seconds) });
  }
  const ofOne = middle(turns.map((turn) => turn.ofOne));
  const ofAll = middle(turns.map((turn) => turn.ofAll));
  tellCpu(bench, 'checks in one organization', ofOne);
  tellCpu(bench, 'checks in all organizations', ofAll);
  for (const [name, at, most] of [
    ['median', 'p50', 1.5],
    ['p99', 'p99', 2],
  ] as const) {
    const target = unlessSmoke(bench, atMost(most, 'ratio'));
    // of each figure the middle over the turns: that of one turn alone, p99 above all, tells of the machine
    bench.line({
      name: `organizations, check in a random one, ${name}`,
      value: median(turns.map((turn) => turn.ofAll[at])),
      unit: 'us',
      baseline: { name: 'in one', value: median(turns.map((turn) => turn.ofOne[at])) },
      ...(target === undefined ? {} : { target }),
      ...voided(bench, ofOne, ofAll),
      detail: { requestsPerSecond: ofAll.requestsPerSecond, ofOnePerSecond: ofOne.requestsPerSecond },
    });
  }
}

function tell(
  { bench, organizations }: Pick<Site, 'bench' | 'organizations'>,
  name: string,
  value: number,
  unit: string,
  wanted: Target | undefined,
  baseline?: Line['baseline'],
  detail: Line['detail'] = {},
): void {
  const target = wanted === undefined ? undefined : unlessSmoke(bench, wanted);
  bench.line({
    name: `organizations, ${name}`,
    value,
    unit,
    ...(baseline === undefined ? {} : { baseline }),
    ...(target === undefined ? {} : { target }),
    detail: { organizations: organizations.length, ...detail },
  });
}
