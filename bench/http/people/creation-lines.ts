import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FlushBaseline, flushBaseline } from '../../measure/flush-baseline.ts';
import { atLeast } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { middle, tellCpu, timesOf, voided } from '../lines/site.ts';
import { type BodyFile, writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { Client } from './client.ts';
import { baseOf, headersOf, type PeopleSite } from './people-site.ts';

const CLIENTS = 64;
const PER_SECOND_WANTED = 1_000;
/** More bodies than are sent in a second: an address is taken only once. */
const BODIES_PER_SECOND = 20_000;
const PASSWORDS_PER_SECOND = 500;
/** Nobody was created for so long: nobody is under way. */
const SETTLED_MS = 500;
/** wrk gives up after two seconds, and each hash takes a core for some 15 ms. */
const PASSWORD_CLIENTS = 8;

/** Users created by many clients at once, each of which waits until its user is on the disk. */
export async function creationLines(site: PeopleSite): Promise<void> {
  const { bench, scratch } = site;
  const { warm, measured, rounds } = timesOf(bench);
  const flush = flushBaseline(scratch, bench.isSmoke ? 20 : 1_000);
  let files = 0;
  const create = async (seconds: number, connections: number, hasPassword: boolean): Promise<LoadResult> => {
    const bodies = newUsers(site, `batch${files++}`, seconds, hasPassword);
    const before = await settledUsers(site);
    const result = await load({
      ...creation(site),
      bodies,
      connections,
      seconds,
      rate: 0,
      serverPid: site.service.pid,
    });
    await requireCreated(site, before, result, connections);
    return result;
  };
  if (warm > 0) await create(warm, CLIENTS, false);
  const results: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) results.push(await create(measured, CLIENTS, false));
  const created = creationLine(site, results, flush);
  const slow = await create(measured, PASSWORD_CLIENTS, true);
  tellCpu(bench, 'people created with a password', slow);
  bench.line({
    name: `people created with a password, ${PASSWORD_CLIENTS} clients`,
    value: slow.requestsPerSecond,
    unit: 'users/s',
    baseline: { name: 'without', value: created.requestsPerSecond },
    detail: { p50Millis: slow.p50 / 1000, p99Millis: slow.p99 / 1000 },
  });
}

function creationLine({ bench }: PeopleSite, results: readonly LoadResult[], flush: FlushBaseline): LoadResult {
  const created = middle(results);
  const target = unlessSmoke(bench, atLeast(PER_SECOND_WANTED));
  tellCpu(bench, 'people created', created);
  bench.line({
    name: `people created, ${CLIENTS} clients, each durable`,
    value: created.requestsPerSecond,
    unit: 'users/s',
    baseline: { name: 'fdatasync', value: flush.perSecond },
    ...(target === undefined ? {} : { target }),
    ...voided(bench, ...results),
    detail: { p50Millis: created.p50 / 1000, p99Millis: created.p99 / 1000, serverCores: created.serverCores },
  });
  return created;
}

function creation(site: PeopleSite) {
  const { people } = site.data;
  return { url: `${baseOf(site, people)}/admin/users`, headers: headersOf(people) };
}

function newUsers({ scratch }: PeopleSite, batch: string, seconds: number, hasPassword: boolean): BodyFile {
  const count = seconds * (hasPassword ? PASSWORDS_PER_SECOND : BODIES_PER_SECOND);
  const bodies = Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      email: `${batch}.${number}@example.org`,
      name: `New ${batch} ${number}`,
      metadata: { department: 'sales' },
      ...(hasPassword ? { password: randomBytes(18).toString('base64') } : {}),
    }),
  );
  return writeBodies(join(scratch, batch), bodies);
}

/** How many users there are once the last requests, whose clients are gone, are done. */
async function settledUsers(site: PeopleSite): Promise<number> {
  for (let known = await countUsers(site); ; ) {
    await setTimeout(SETTLED_MS);
    const found = await countUsers(site);
    if (found === known) return found;
    known = found;
  }
}

async function countUsers(site: PeopleSite): Promise<number> {
  const client = new Client(baseOf(site, site.data.people), headersOf(site.data.people));
  const { text } = await client.ask('/admin/users?limit=1');
  client.close();
  return (JSON.parse(text) as { readonly pagination: { readonly total: number } }).pagination.total;
}

/** Every answer was followed by a user who is there, and at the end each client was waiting for at most one more. */
async function requireCreated(
  site: PeopleSite,
  before: number,
  { requests }: LoadResult,
  connections: number,
): Promise<void> {
  const more = (await settledUsers(site)) - before;
  if (more >= requests && more <= requests + connections) return;
  throw new Error(`${requests} users were created, and ${more} are there`);
}
