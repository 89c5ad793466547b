import type { Questions } from '../data/data-set.ts';
import { firstOf, withoutFirst, withoutRepetition } from '../data/questions.ts';
import type { LmdbBaseline } from '../measure/lmdb-baseline.ts';
import { timedPass } from '../measure/pass.ts';
import { percentile } from '../measure/percentile.ts';
import type { Target } from '../report/line.ts';
import { openStore } from '../store/opened-store.ts';
import type { Bench } from './suite.ts';

/** Room for some eighty adjacency lists and no more names than a question has: nothing is found again. */
const NO_CACHE = { cacheBytes: 4096, nameBytes: 4096 };
const QUESTIONS = 10_000;
/** One in so many is asked before the others are measured: by then the code is compiled for an engine that keeps nothing. */
const WARMING_SHARE = 6;

/**
 * One line with nothing cached: an engine that was just opened and keeps next to nothing, and questions in which no
 * object and no subject comes twice, nor among those that warm the code. The pages of the data are in the operating
 * system's memory.
 */
export async function coldLine(
  bench: Bench,
  folder: string,
  lmdb: LmdbBaseline,
  check: { readonly name: string; readonly questions: Questions; readonly target: Target | undefined },
): Promise<void> {
  const all = withoutRepetition(check.questions, Math.ceil((QUESTIONS * WARMING_SHARE) / (WARMING_SHARE - 1)));
  const warming = firstOf(all, Math.floor(all.requests.length / WARMING_SHARE));
  const questions = withoutFirst(all, warming.requests.length);
  const opened = await openStore(folder, NO_CACHE);
  await timedPass(opened.store, warming);
  const { micros, hash } = await timedPass(opened.store, questions);
  const { hits, misses } = opened.engine.cacheCounts();
  await opened.close();
  bench.line({
    name: `${check.name}, nothing cached, median`,
    value: percentile(micros, 0.5),
    unit: 'us',
    baseline: { name: 'lmdb get', value: lmdb.getMicros },
    ...(check.target === undefined ? {} : { target: check.target }),
    detail: {
      p99Micros: percentile(micros, 0.99),
      hitRate: hits / (hits + misses),
      questions: questions.requests.length,
      hash,
    },
  });
}
