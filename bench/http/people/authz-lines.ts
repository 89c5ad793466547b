import { join } from 'node:path';
import { median } from '../../measure/percentile.ts';
import { atLeast } from '../../report/line.ts';
import { type Bench, unlessSmoke } from '../../suites/suite.ts';
import { leastLoad, microsPerRequest, middle, tellCpu, timesOf, voided } from '../lines/site.ts';
import { writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { verifyAnswers } from '../verify-answers.ts';
import type { LoadedOrganization } from './load-people.ts';
import { baseOf, headersOf, type PeopleSite } from './people-site.ts';

const CONNECTIONS = 64;
const QUESTIONS = 1_000_000;
const SMOKE_QUESTIONS = 500;
/** Records must cost a decision next to nothing. */
const KEPT = 0.95;
const name = 'people authz/check';

/** The same questions to the organization with records and suspended users, and to the one that has tuples alone. */
export async function authzLines(site: PeopleSite): Promise<void> {
  const { bench, scratch, data, service, empty } = site;
  const { warm, measured, rounds } = timesOf(bench);
  const { bodies, isRight } = questionsOf(site);
  for (const organization of [data.people, data.bare]) {
    await verifyAnswers(checkUrl(site, organization), headersOf(organization), bodies, isRight);
  }
  await verifySuspended(site);
  const file = writeBodies(join(scratch, 'questions'), bodies);
  const ask = (organization: LoadedOrganization, seconds: number): Promise<LoadResult> =>
    load({
      url: checkUrl(site, organization),
      headers: headersOf(organization),
      bodies: file,
      connections: CONNECTIONS,
      rate: 0,
      seconds,
      serverPid: service.pid,
    });
  for (const organization of warm > 0 ? [data.people, data.bare] : []) await ask(organization, warm);
  const turns: Turn[] = [];
  for (let round = 0; round < (bench.isSmoke ? 1 : rounds * 2); round++) {
    const usual = { bodies: file, connections: CONNECTIONS, rate: 0, seconds: measured };
    const least = await leastLoad(bench, empty, { ...usual, headers: headersOf(data.people) });
    // who comes first changes: what else the machine does falls on both
    const earlier = round % 2 === 0 ? await ask(data.bare, measured) : undefined;
    const records = await ask(data.people, measured);
    turns.push({ least, records, bare: earlier ?? (await ask(data.bare, measured)) });
  }
  tell(bench, turns, bodies.length);
}

/** What was measured one after the other. */
interface Turn {
  readonly least: LoadResult;
  readonly records: LoadResult;
  readonly bare: LoadResult;
}

function tell(bench: Bench, turns: readonly Turn[], questions: number): void {
  const least = middle(turns.map((turn) => turn.least));
  const most = middle(turns.map((turn) => turn.records));
  const pair = middleBy(turns, ({ records, bare }) => records.requestsPerSecond / bare.requestsPerSecond);
  tellCpu(bench, `${name}: empty handler`, least);
  tellCpu(bench, `${name}: tuples alone`, pair.bare);
  tellCpu(bench, name, most);
  const cpu = (result: LoadResult): number => microsPerRequest(result) ?? Number.NaN;
  const unit = 'requests/s';
  const wanted = unlessSmoke(bench, atLeast(KEPT, 'ratio'));
  bench.line({
    name,
    unit,
    value: most.requestsPerSecond,
    baseline: { name: 'empty handler', value: least.requestsPerSecond },
    ...voided(bench, ...turns.flatMap(({ least: empty, records }) => [empty, records])),
    detail: { cpuRatio: cpu(least) / cpu(most), p50Micros: most.p50, p99Micros: most.p99, questions },
  });
  bench.line({
    name: `${name}, beside tuples alone`,
    unit,
    value: pair.records.requestsPerSecond,
    baseline: { name: 'tuples alone', value: pair.bare.requestsPerSecond },
    ...(wanted === undefined ? {} : { target: wanted }),
    ...voided(bench, ...turns.flatMap(({ records, bare }) => [records, bare])),
    detail: {
      cpuMicros: median(turns.map(({ records }) => cpu(records))),
      bareCpuMicros: median(turns.map(({ bare }) => cpu(bare))),
    },
  });
}

function middleBy<T>(items: readonly T[], by: (item: T) => number): T {
  return items.toSorted((one, other) => by(one) - by(other))[items.length >> 1] as T;
}

function checkUrl(site: PeopleSite, organization: LoadedOrganization): string {
  return `${baseOf(site, organization)}/authz/check`;
}

function questionsOf({ bench, people }: PeopleSite) {
  const { requests, expected } = people.questions(bench.isSmoke ? SMOKE_QUESTIONS : QUESTIONS);
  const bodies = requests.map(({ object, subject }) =>
    JSON.stringify({ permission: object.slice('permission:'.length), subject }),
  );
  const isRight = (reply: unknown, place: number): boolean =>
    (reply as { readonly allowed?: unknown }).allowed === (expected[place] === 1);
  return { bodies, isRight };
}

/** Who is blocked is denied what the tuples give, where there are records, and only there. */
async function verifySuspended(site: PeopleSite): Promise<void> {
  const { people, data } = site;
  const blocked = [...people.persons.keys()].filter((user) => people.shape.isBlocked(user));
  const bodies = blocked.map((user) => {
    const [permission] = people.permissionsHeldBy(user);
    return JSON.stringify({ permission, subject: people.userSubject(user) });
  });
  for (const [organization, allowed] of [
    [data.people, false],
    [data.bare, true],
  ] as const) {
    const isRight = (reply: unknown): boolean => (reply as { readonly allowed?: unknown }).allowed === allowed;
    await verifyAnswers(checkUrl(site, organization), headersOf(organization), bodies, isRight);
  }
}
