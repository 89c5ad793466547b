import { percentile } from '../../measure/percentile.ts';
import { atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { cpuSecondsOf } from '../load/process-cpu.ts';
import { Client } from '../people/client.ts';
import { authorization, type ScimSite, scimBase } from './scim-site.ts';

const MEDIAN_MS = 20;
const WARM = 20;
const TIMED = 200;
const SMOKE_TIMED = 3;
/** After so long a slow page has been timed often enough. */
const SECONDS_ENOUGH = 8;
const PAGE = 100;

interface Page {
  readonly name: string;
  /** Behind the base; the number is that of the question. */
  readonly path: (turn: number) => string;
  /** All that the list has. */
  readonly total: number;
}

function pagesOf({ amounts: { listed, users, groups }, groupsBefore }: ScimSite): Page[] {
  const filtered = (text: string) => `/Users?count=${PAGE}&filter=${encodeURIComponent(text)}`;
  const deep = (turn: number) => 1 + ((turn * 7_919) % (listed - PAGE));
  return [
    { name: 'first page of users', path: () => `/Users?count=${PAGE}`, total: listed },
    { name: 'any page of users', path: (turn) => `/Users?count=${PAGE}&startIndex=${deep(turn)}`, total: listed },
    {
      name: 'sorted by userName',
      path: () => `/Users?count=${PAGE}&sortBy=userName&sortOrder=descending`,
      total: listed,
    },
    {
      name: 'userName eq',
      path: (turn) => filtered(`userName eq "person.${deep(turn)}@example.com"`),
      total: 1,
    },
    { name: 'externalId eq', path: (turn) => filtered(`externalId eq "employee-${deep(turn)}"`), total: 1 },
    { name: 'title eq', path: () => filtered('title eq "Manager"'), total: Math.ceil(users / 10) },
    {
      name: 'value path and not',
      path: () => filtered('emails[type eq "work" and value sw "person."] and not (active eq false)'),
      total: listed - Math.ceil(users / 100),
    },
    {
      name: 'groups without members',
      path: () => `/Groups?count=${PAGE}&excludedAttributes=members`,
      total: groupsBefore + groups,
    },
  ];
}

/** How long one client waits for each page, beside what it waits for an empty answer: they are asked in turns. */
export async function listLines(site: ScimSite): Promise<void> {
  const client = new Client(scimBase(site), authorization(site));
  const empty = new Client(site.empty.url, authorization(site));
  try {
    for (const page of pagesOf(site)) await pageLine(site, client, empty, page);
  } finally {
    client.close();
    empty.close();
  }
}

async function pageLine({ bench, service }: ScimSite, client: Client, empty: Client, page: Page): Promise<void> {
  const first = await askOnce(client, page, 0);
  const end = performance.now() + SECONDS_ENOUGH * 1000;
  const isEnough = (): boolean => performance.now() > end;
  for (let turn = 1; !bench.isSmoke && turn < WARM && !isEnough(); turn++) await askOnce(client, page, turn);
  const [millis, emptyMillis]: [number[], number[]] = [[], []];
  const cpuBefore = cpuSecondsOf(service.pid);
  while (millis.length < (bench.isSmoke || isEnough() ? SMOKE_TIMED : TIMED)) {
    emptyMillis.push((await empty.ask('/')).millis);
    millis.push(await askOnce(client, page, WARM + millis.length));
  }
  const cpuMillis = ((cpuSecondsOf(service.pid) - cpuBefore) * 1000) / millis.length;
  const target = unlessSmoke(bench, atMost(MEDIAN_MS));
  bench.line({
    name: `scim list, ${page.name}, median`,
    value: percentile(Float64Array.from(millis).sort(), 0.5),
    unit: 'ms',
    baseline: { name: 'empty handler', value: percentile(Float64Array.from(emptyMillis).sort(), 0.5) },
    ...(target === undefined ? {} : { target }),
    detail: {
      cpuMillis,
      firstMillis: first,
      asked: millis.length,
      p99Millis: percentile(Float64Array.from(millis).sort(), 0.99),
    },
  });
}

/** Milliseconds. Throws where the list has another length than it must have. */
async function askOnce(client: Client, { path, total }: Page, turn: number): Promise<number> {
  const { millis, status, text } = await client.ask(path(turn));
  if (status !== 200) throw new Error(`${path(turn)} answered ${status} ${text.slice(0, 300)}`);
  const list = JSON.parse(text) as { readonly totalResults: number; readonly Resources?: readonly unknown[] };
  const shown = list.Resources?.length ?? 0;
  if (list.totalResults === total && shown === Math.min(total, PAGE)) return millis;
  throw new Error(`${path(turn)} has ${shown} of ${list.totalResults}, and not of ${total}`);
}
