import type { Store } from '#engine';
import type { Questions } from '../data/data-set.ts';
import type { Drive } from '../data/drive/drive.ts';
import { secondsSince, turn } from '../measure/clock.ts';
import { ratePass } from '../measure/pass.ts';
import { median } from '../measure/percentile.ts';
import type { OpenedStore } from '../store/opened-store.ts';
import type { Bench } from './suite.ts';

const BULK = 100;
const BULKS = 1_000;
/** A pass takes a third of a second: one collection of garbage moves it by half. */
const ROUNDS = 9;

/** Many checks in one call: unrelated ones, and a hundred documents for one user, which is what a page of a list asks. */
export async function bulkLines(
  bench: Bench,
  { store }: OpenedStore,
  name: string,
  data: Drive,
  mixed: Questions,
): Promise<void> {
  const count = bench.isSmoke ? 10 : BULKS;
  const cases = [
    { label: 'mixed', questions: { requests: mixed.requests.slice(0, count * BULK), expected: mixed.expected } },
    { label: 'one subject', questions: data.pages(count, BULK) },
  ];
  for (const { label, questions } of cases) {
    await bulkPass(store, questions); // warm
    const single: number[] = [];
    const bulk: number[] = [];
    for (let round = 0; round < (bench.isSmoke ? 1 : ROUNDS); round++) {
      single.push((await ratePass(store, questions)).seconds);
      bulk.push(await bulkPass(store, questions));
    }
    bench.line({
      name: `${name} bulk of ${BULK}, ${label}`,
      value: questions.requests.length / median(bulk),
      unit: 'checks/s',
      baseline: { name: 'one by one', value: questions.requests.length / median(single) },
    });
  }
}

async function bulkPass(store: Store, { requests, expected }: Questions): Promise<number> {
  const startedAt = process.hrtime.bigint();
  let wrong = 0;
  for (let from = 0; from < requests.length; from += BULK) {
    const decisions = store.checkMany(requests.slice(from, from + BULK));
    decisions.forEach(({ outcome }, place) => {
      if ((outcome === 'allowed' ? 1 : 0) !== expected[from + place]) wrong++;
    });
    await turn();
  }
  if (wrong > 0) throw new Error(`${wrong} of ${requests.length} answers in bulk are wrong`);
  return secondsSince(startedAt);
}
