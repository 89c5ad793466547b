import { loadavg } from 'node:os';
import { flushBaseline } from '../../measure/flush-baseline.ts';
import { atLeast, atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { cpuSecondsOf } from '../load/process-cpu.ts';
import { ownMegabytes } from '../server/own-megabytes.ts';
import { newGroup, newUser, replaced, type Sent, sendBulk } from './bulk-requests.ts';
import { CheckLoad, type CheckTimes } from './check-times.ts';
import { countOf, type ScimSite } from './scim-site.ts';

const PER_SECOND_WANTED = 2_000;
const P99_TIMES = 1.5;
/** One in so many users is changed, or deactivated. */
const CHANGED = 10;
const DEACTIVATED = 100;
/** With some hundred members each, a thousand groups would be too much for one body. */
const GROUPS_PER_REQUEST = 50;
/** Memory is looked at after each of so many parts of the users, and after each later step. */
const PARTS = 10;
/** Most that it may be after more users, by what it was at most after the first half of them. */
const GROWN_MAX = 1.1;

/** Users and groups provisioned by Bulk while checks are answered; all of them are counted afterwards. */
export async function provisioningLines(site: ScimSite): Promise<void> {
  const { bench, scratch, service, amounts } = site;
  const checks = new CheckLoad(site);
  const usual = await checks.usual();
  const flush = flushBaseline(scratch, bench.isSmoke ? 20 : 1_000);
  const cpuBefore = cpuSecondsOf(service.pid);
  const { result, times } = await checks.during(() => provision(site));
  const cpu = cpuSecondsOf(service.pid) - cpuBefore;
  const { steps, memory } = result;
  const total = steps.reduce((sum, { count }) => sum + count, 0);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const target = unlessSmoke(bench, atLeast(PER_SECOND_WANTED));
  const load = loadavg()[0]?.toFixed(1) ?? '';
  bench.note(`load average ${load}; ${((cpu * 1e6) / total).toFixed(0)} us of a processor each, checks included`);
  const baseline = { name: 'fdatasync', value: flush.perSecond };
  const line = { unit: 'operations/s', baseline, detail: { load } };
  bench.line({ ...line, name: 'scim bulk, all', value: total / seconds, ...(target === undefined ? {} : { target }) });
  for (const { name, count, seconds } of steps)
    bench.line({ ...line, name: `scim bulk, ${name}`, value: count / seconds });
  checkLines(site, times, usual);
  const grownMax = unlessSmoke(bench, atMost(GROWN_MAX, 'ratio'));
  bench.line({
    name: `scim RssAnon, highest of all after the first ${Math.floor(amounts.users / 2)} users`,
    value: Math.max(...memory.slice(PARTS / 2)),
    unit: 'MiB',
    baseline: { name: 'highest before', value: Math.max(...memory.slice(0, PARTS / 2)) },
    ...(grownMax === undefined ? {} : { target: grownMax }),
    detail: { each: memory.map(Math.round).join(' ') },
  });
  await requireCounts(site);
}

function checkLines({ bench }: ScimSite, times: CheckTimes, usual: CheckTimes): void {
  const target = unlessSmoke(bench, atMost(P99_TIMES, 'ratio'));
  const detail = { rounds: times.rounds };
  for (const key of ['p50', 'p99'] as const) {
    bench.line({
      name: `scim checks during bulk, ${key}`,
      value: times[key],
      unit: 'ms',
      baseline: { name: 'without', value: usual[key] },
      ...(target === undefined || key === 'p50' ? {} : { target }),
      detail,
    });
  }
}

interface Step {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

async function provision(site: ScimSite) {
  const { service, amounts } = site;
  const memory: number[] = [];
  const send = async (...sent: Parameters<typeof sendBulk>): Promise<Sent> => {
    const done = await sendBulk(...sent);
    memory.push(ownMegabytes(service.pid));
    return done;
  };
  const made: Sent[] = [];
  for (let part = 0; part < PARTS; part++) {
    const [from, to] = [part, part + 1].map((each) => Math.floor((amounts.users * each) / PARTS)) as [number, number];
    made.push(await send(site, users(from, to)));
  }
  const ids = made.flatMap((each) => each.ids);
  const perGroup = Math.floor(ids.length / amounts.groups);
  const groups = Array.from({ length: amounts.groups }, (_, n) =>
    newGroup(n, ids.slice(n * perGroup, (n + 1) * perGroup)),
  );
  const grouped = await send(site, groups, GROUPS_PER_REQUEST);
  const changed = everyOne(ids, CHANGED).map((id) => replaced(id, 'title', 'Manager'));
  const deactivated = everyOne(ids, DEACTIVATED).map((id) => replaced(id, 'active', false));
  const [changes, deactivations] = [await send(site, changed), await send(site, deactivated)];
  const created = { ids, seconds: made.reduce((sum, { seconds }) => sum + seconds, 0) };
  const step = (name: string, { ids: { length: count }, seconds }: Sent): Step => ({ name, count, seconds });
  return {
    memory,
    steps: [
      step('users created', created),
      step(`groups of ${perGroup}`, grouped),
      step('users changed', changes),
      step('users deactivated', deactivations),
    ],
  };
}

function users(from: number, to: number) {
  return Array.from({ length: to - from }, (_, n) => newUser(from + n));
}

function everyOne(ids: readonly string[], one: number): string[] {
  return ids.filter((_, place) => place % one === 0);
}

/** Throws where one is missing, or is there twice. */
async function requireCounts(site: ScimSite): Promise<void> {
  const { users, groups } = site.amounts;
  const expected: readonly (readonly [path: string, count: number])[] = [
    ['/Users', users],
    ['/Groups', site.groupsBefore + groups],
    [`/Users?filter=${encodeURIComponent('title eq "Manager"')}`, Math.ceil(users / CHANGED)],
    [`/Users?filter=${encodeURIComponent('title eq "Engineer"')}`, users - Math.ceil(users / CHANGED)],
    [`/Users?filter=${encodeURIComponent('active eq false')}`, Math.ceil(users / DEACTIVATED)],
    [`/Users?filter=${encodeURIComponent('externalId sw "employee-"')}`, users],
  ];
  for (const [path, count] of expected) {
    const found = await countOf(site, path);
    if (found !== count) throw new Error(`${path}: ${found} and not ${count}`);
  }
}
