import { median, percentile } from '../../measure/percentile.ts';
import { atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { cpuSecondsOf } from '../load/process-cpu.ts';
import { Client } from './client.ts';
import { isExpected, type ListCase } from './list-case.ts';
import { clientOf, headersOf, type PeopleSite } from './people-site.ts';

const MEDIAN_MS = 20;
const P99_MS = 60;
/** So many answers of each list. */
export const TIMED = 300;
const SMOKE_TIMED = 5;
/** After so long a slow line has been timed often enough. */
const SECONDS_ENOUGH = 8;
const CLIENTS = 16;
const CLIENTS_MEDIAN_MS = 100;
/** Answers that each of many clients waits for. */
const ASKED_EACH = 10;

/**
 * How long one client waits for each list, from the first answer after the start on, beside what it waits for an empty
 * answer: they are asked in turns.
 */
export async function latencyLines(site: PeopleSite, cases: readonly ListCase[]): Promise<void> {
  const client = clientOf(site);
  const empty = new Client(site.empty.url, headersOf(site.data.people));
  try {
    for (const listCase of cases) await latencyLine(site, client, empty, listCase);
  } finally {
    client.close();
    empty.close();
  }
}

async function latencyLine(site: PeopleSite, client: Client, empty: Client, listCase: ListCase): Promise<void> {
  const { bench, service, title } = site;
  const first = await askOnce(client, listCase, 0);
  const millis: number[] = [first];
  const emptyMillis: number[] = [];
  const cpuBefore = cpuSecondsOf(service.pid);
  const startedAt = performance.now();
  while (millis.length < (bench.isSmoke ? SMOKE_TIMED : TIMED)) {
    emptyMillis.push((await empty.ask('/')).millis);
    millis.push(await askOnce(client, listCase, millis.length));
    if (performance.now() - startedAt > SECONDS_ENOUGH * 1000) break;
  }
  const cpuMillis = ((cpuSecondsOf(service.pid) - cpuBefore) * 1000) / (millis.length - 1);
  const sorted = Float64Array.from(millis).sort();
  const least = Float64Array.from(emptyMillis).sort();
  const detail = { cpuMillis, firstMillis: first, asked: millis.length };
  bench.note(`${listCase.name}: ${cpuMillis.toFixed(2)} ms of a processor each, the first one ${first.toFixed(0)} ms`);
  for (const [name, share, most] of [
    ['median', 0.5, MEDIAN_MS],
    ['p99', 0.99, P99_MS],
  ] as const) {
    const target = unlessSmoke(bench, atMost(most));
    bench.line({
      name: `${title} ${listCase.name}, ${name}`,
      unit: 'ms',
      value: percentile(sorted, share),
      baseline: { name: 'empty handler', value: percentile(least, share) },
      ...(target === undefined ? {} : { target }),
      detail,
    });
  }
}

/** The same lists, asked by many clients at once: the worst of their medians. */
export async function manyClientsLine(site: PeopleSite, cases: readonly ListCase[]): Promise<void> {
  const { bench, title } = site;
  const clients = Array.from({ length: CLIENTS }, () => clientOf(site));
  const asked = bench.isSmoke ? 1 : ASKED_EACH;
  let worst = { name: '', millis: 0 };
  try {
    for (const listCase of cases) {
      const all = await Promise.all(
        clients.map(async (client, place) => {
          const millis: number[] = [];
          for (let turn = 0; turn < asked; turn++) millis.push(await askOnce(client, listCase, place * asked + turn));
          return millis;
        }),
      );
      const millis = median(all.flat());
      bench.note(`${listCase.name}, ${CLIENTS} clients: ${millis.toFixed(0)} ms`);
      if (millis > worst.millis) worst = { name: listCase.name, millis };
    }
  } finally {
    for (const client of clients) client.close();
  }
  const target = unlessSmoke(bench, atMost(CLIENTS_MEDIAN_MS));
  bench.line({
    name: `${title} lists, ${CLIENTS} clients at once, slowest median`,
    unit: 'ms',
    value: worst.millis,
    ...(target === undefined ? {} : { target }),
    detail: { slowest: worst.name },
  });
}

/** Milliseconds. Throws where anything else came back than the generator knows. */
export async function askOnce(client: Client, { name, turn }: ListCase, number: number): Promise<number> {
  const { path, expected } = turn(number);
  const { millis, status, text } = await client.ask(path);
  if (status === 200 && isExpected(text, expected)) return millis;
  throw new Error(`${name}: ${path} answered ${status} ${text.slice(0, 600)}`);
}
