import type { Questions } from '../data/data-set.ts';
import { withoutRepetition } from '../data/questions.ts';
import type { LmdbBaseline } from '../measure/lmdb-baseline.ts';
import { timedPass } from '../measure/pass.ts';
import { percentile } from '../measure/percentile.ts';
import type { Target } from '../report/line.ts';
import { openStore } from '../store/opened-store.ts';
import type { Bench } from './suite.ts';

/** Room for some eighty adjacency lists and no more names than a question has: nothing is found again. */
const NO_CACHE = { cacheBytes: 4096, nameBytes: 4096 };
const QUESTIONS = 10_000;

/**
 * One line with nothing cached: an engine that was just opened and keeps next to nothing, and questions in which no
 * object and no subject comes twice. The code is warm, and the pages of the data are in the operating system's memory.
 */
export async function coldLine(
  bench: Bench,
  folder: string,
  lmdb: LmdbBaseline,
  check: { readonly name: string; readonly questions: Questions; readonly target: Target | undefined },
): Promise<void> {
  const questions = withoutRepetition(check.questions, QUESTIONS);
  const opened = await openStore(folder, NO_CACHE);
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
