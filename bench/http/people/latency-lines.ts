import { percentile } from '../../measure/percentile.ts';
import { atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { cpuSecondsOf } from '../load/process-cpu.ts';
import { Client } from './client.ts';
import { isExpected, type ListCase } from './list-case.ts';
import { baseOf, headersOf, type PeopleSite } from './people-site.ts';

const MEDIAN_MS = 20;
const WARM = 20;
const TIMED = 300;
const SMOKE_TIMED = 5;
/** After so long a slow line has been timed often enough. */
const SECONDS_ENOUGH = 8;

/** How long one client waits for each list, beside what it waits for an empty answer: they are asked in turns. */
export async function latencyLines(site: PeopleSite, cases: readonly ListCase[]): Promise<void> {
  const client = new Client(baseOf(site, site.data.people), headersOf(site.data.people));
  const empty = new Client(site.empty.url, headersOf(site.data.people));
  try {
    for (const listCase of cases) await latencyLine(site, client, empty, listCase);
  } finally {
    client.close();
    empty.close();
  }
}

async function latencyLine(site: PeopleSite, client: Client, empty: Client, listCase: ListCase): Promise<void> {
  const { bench, service } = site;
  const first = await askOnce(client, listCase, 0);
  for (let turn = 1; !bench.isSmoke && turn < WARM; turn++) await askOnce(client, listCase, turn);
  const millis: number[] = [];
  const emptyMillis: number[] = [];
  const cpuBefore = cpuSecondsOf(service.pid);
  const startedAt = performance.now();
  while (millis.length < (bench.isSmoke ? SMOKE_TIMED : TIMED)) {
    emptyMillis.push((await empty.ask('/')).millis);
    millis.push(await askOnce(client, listCase, WARM + millis.length));
    if (performance.now() - startedAt > SECONDS_ENOUGH * 1000) break;
  }
  const cpuMillis = ((cpuSecondsOf(service.pid) - cpuBefore) * 1000) / millis.length;
  const sorted = Float64Array.from(millis).sort();
  const least = Float64Array.from(emptyMillis).sort();
  const target = unlessSmoke(bench, atMost(MEDIAN_MS));
  const detail = { cpuMillis, firstMillis: first, asked: millis.length };
  const line = { unit: 'ms', detail };
  bench.note(`${listCase.name}: ${cpuMillis.toFixed(2)} ms of a processor each, the first one ${first.toFixed(0)} ms`);
  bench.line({
    ...line,
    name: `people ${listCase.name}, median`,
    value: percentile(sorted, 0.5),
    baseline: { name: 'empty handler', value: percentile(least, 0.5) },
    ...(target === undefined ? {} : { target }),
  });
  bench.line({
    ...line,
    name: `people ${listCase.name}, p99`,
    value: percentile(sorted, 0.99),
    baseline: { name: 'empty handler', value: percentile(least, 0.99) },
  });
}

/** Milliseconds. Throws where anything else came back than the generator knows. */
async function askOnce(client: Client, { name, turn }: ListCase, number: number): Promise<number> {
  const { path, expected } = turn(number);
  const { millis, status, text } = await client.ask(path);
  if (status === 200 && isExpected(text, expected)) return millis;
  throw new Error(`${name}: ${path} answered ${status} ${text.slice(0, 600)}`);
}
