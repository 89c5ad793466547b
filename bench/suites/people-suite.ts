import { rmSync } from 'node:fs';
import { People } from '../data/people/people.ts';
import { FEW_PEOPLE, PEOPLE } from '../data/people/people-shape.ts';
import { hasWrk } from '../http/load/wrk.ts';
import { authzLines } from '../http/people/authz-lines.ts';
import { creationLines } from '../http/people/creation-lines.ts';
import { latencyLines } from '../http/people/latency-lines.ts';
import { type Amounts, loadPeople } from '../http/people/load-people.ts';
import { otherCases } from '../http/people/other-cases.ts';
import type { PeopleSite } from '../http/people/people-site.ts';
import { userCases } from '../http/people/user-cases.ts';
import { startEmptyServer, startService } from '../http/server/running-service.ts';
import { scratchFolder } from '../store/data-folder.ts';
import type { Bench, Suite } from './suite.ts';

const AMOUNTS: Amounts = { auditEntries: 200_000, sessions: 200_000, tokens: 100_000 };
const FEW: Amounts = { auditEntries: 2_000, sessions: 600, tokens: 300 };

/** The administration of an organization of 100,000 people. */
export const peopleSuite: Suite = {
  name: 'people',
  about: 'an organization of 100,000 users: its lists, new users, and checks beside its records',
  async run(bench) {
    const scratch = scratchFolder('people');
    try {
      await withSite(bench, scratch, measureAll);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(site: PeopleSite): Promise<void> {
  const { bench, people, amounts } = site;
  await latencyLines(site, [...userCases(people), ...otherCases(people, amounts, bench.isSmoke)]);
  if (!hasWrk()) return bench.note('wrk is not installed: no checks and no new users are measured');
  await authzLines(site);
  await creationLines(site);
}

async function withSite(bench: Bench, scratch: string, task: (site: PeopleSite) => Promise<void>): Promise<void> {
  const people = new People(bench.isSmoke ? FEW_PEOPLE : PEOPLE);
  const amounts = bench.isSmoke ? FEW : AMOUNTS;
  const data = await loadPeople(scratch, people, amounts, (text) => bench.note(text));
  const [service, empty] = await Promise.all([startService(data.folder), startEmptyServer()]);
  try {
    await task({ bench, scratch, people, amounts, data, service, empty });
  } finally {
    await Promise.all([service.stop(), empty.stop()]);
  }
}
