import { rmSync } from 'node:fs';
import { People } from '../data/people/people.ts';
import { FEW_PEOPLE, PEOPLE } from '../data/people/people-shape.ts';
import { hasWrk } from '../http/load/wrk.ts';
import { authzLines } from '../http/people/authz-lines.ts';
import { creationLines } from '../http/people/creation-lines.ts';
import { growthLines } from '../http/people/growth-lines.ts';
import { latencyLines, manyClientsLine } from '../http/people/latency-lines.ts';
import type { ListCase } from '../http/people/list-case.ts';
import { type Amounts, type PeopleFolder, peopleFolder } from '../http/people/load-people.ts';
import { otherCases } from '../http/people/other-cases.ts';
import type { PeopleSite } from '../http/people/people-site.ts';
import { userCases } from '../http/people/user-cases.ts';
import { ownMegabytes } from '../http/server/own-megabytes.ts';
import { startEmptyServer, startService } from '../http/server/running-service.ts';
import { atLeast, atMost } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { serviceFolder } from '../store/service-folder.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const AMOUNTS: Amounts = { auditEntries: 200_000, sessions: 200_000, tokens: 100_000 };
const FEW: Amounts = { auditEntries: 2_000, sessions: 600, tokens: 300 };
const MANY_USERS = 1_000_000;
const FEW_MANY_USERS = 800;
const MORE_MEMORY_MAX = 250;
const BULK_PER_SECOND = 5_000;

/** The administration of an organization of 100,000 people. */
export const peopleSuite: Suite = {
  name: 'people',
  about: 'an organization of 100,000 users: its lists, new users, and checks beside its records',
  run: (bench) => withSite(bench, { title: 'people', users: undefined }, measureAll),
};

/** The same lists with ten times as many people, beside those of 100,000. */
export const manyPeopleSuite: Suite = {
  name: 'people-1m',
  about: 'an organization of 1,000,000 users: its lists beside those of 100,000, memory, and bytes on disk',
  async run(bench) {
    const users = bench.isSmoke ? FEW_MANY_USERS : MANY_USERS;
    await withSite(bench, { title: 'people of 100,000,', users: undefined }, async (few) => {
      await measureLists(few);
      await withSite(bench, { title: 'people of 1,000,000,', users }, async (many) => {
        await measureLists(many);
        await growthLines(
          { site: few, cases: casesOf(few), name: 'of 100,000' },
          { site: many, cases: casesOf(many), name: 'people' },
        );
      });
    });
  },
};

async function measureAll(site: PeopleSite): Promise<void> {
  const { bench } = site;
  await latencyLines(site, casesOf(site));
  if (!hasWrk()) return bench.note('wrk is not installed: no checks and no new users are measured');
  await authzLines(site);
  await creationLines(site);
}

async function measureLists(site: PeopleSite): Promise<void> {
  const { bench, title, service, data } = site;
  const before = ownMegabytes(service.pid);
  const cases = casesOf(site);
  await latencyLines(site, cases);
  await manyClientsLine(site, cases);
  const memory = unlessSmoke(bench, atMost(MORE_MEMORY_MAX));
  bench.line({
    name: `${title} RssAnon above that of the start`,
    unit: 'MiB',
    value: ownMegabytes(service.pid) - before,
    ...(memory === undefined ? {} : { target: memory }),
    detail: { before },
  });
  tellLoading(bench, title, data);
}

function tellLoading(bench: Bench, title: string, { putPerSecond, bytesPerUser }: PeopleFolder): void {
  const target = unlessSmoke(bench, atLeast(BULK_PER_SECOND));
  bench.line({
    name: `${title} records put, 10,000 a commit`,
    unit: 'users/s',
    value: putPerSecond,
    ...(target === undefined ? {} : { target }),
  });
  bench.line({ name: `${title} on disk, a record with its keys and lists`, unit: 'bytes', value: bytesPerUser });
}

function casesOf({ people, amounts, bench }: PeopleSite): ListCase[] {
  return [...userCases(people), ...otherCases(people, amounts, bench.isSmoke)];
}

interface Wanted {
  /** What lines begin with. */
  readonly title: string;
  /** As many as usual, where omitted. */
  readonly users: number | undefined;
}

async function withSite<T>(bench: Bench, { title, users }: Wanted, task: (site: PeopleSite) => Promise<T>): Promise<T> {
  const usual = bench.isSmoke ? FEW_PEOPLE : PEOPLE;
  const size = { ...usual, users: users ?? usual.users };
  const scratch = scratchFolder(`people-${size.users}`);
  try {
    const people = new People(size);
    const amounts = bench.isSmoke ? FEW : AMOUNTS;
    const wanted = await peopleFolder(people, amounts, (text) => bench.note(text));
    const data = await serviceFolder(scratch, wanted);
    const [service, empty] = await Promise.all([startService(data.folder), startEmptyServer()]);
    try {
      return await task({ bench, title, scratch, people, amounts, data, service, empty });
    } finally {
      await Promise.all([service.stop(), empty.stop()]);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
