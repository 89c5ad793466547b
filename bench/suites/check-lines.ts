import type { DataSet, Questions } from '../data/data-set.ts';
import { turn } from '../measure/clock.ts';
import type { LmdbBaseline } from '../measure/lmdb-baseline.ts';
import { mapLookupsPerSecond } from '../measure/map-baseline.ts';
import { type Pass, ratePass, timedPass } from '../measure/pass.ts';
import { median, percentile } from '../measure/percentile.ts';
import type { Target } from '../report/line.ts';
import type { OpenedStore } from '../store/opened-store.ts';
import type { Bench } from './suite.ts';

export interface CheckCase {
  readonly name: string;
  readonly data: DataSet;
  readonly questions: Questions;
  readonly rateTarget?: Target | undefined;
  readonly medianTarget?: Target | undefined;
}

interface Figures {
  readonly perSecond: number;
  readonly medianMicros: number;
  readonly p99Micros: number;
  /** Share of adjacency lists that were found in the cache. */
  readonly hitRate: number;
  readonly hash: string;
}

const ROUNDS = 3;
/** After so long no further round is begun. */
const SECONDS_ENOUGH = 10;
const COMMITS_PER_SECOND = 1_000;
/** The rate that must be reached for the second line to say what it claims. */
const COMMITS_PER_SECOND_MIN = 950;
const SECONDS_WITH_COMMITS = 3;

/** Three lines with the adjacency lists warm, and the same three with commits going on. */
export async function checkLines(
  bench: Bench,
  opened: OpenedStore,
  lmdb: LmdbBaseline,
  check: CheckCase,
): Promise<void> {
  const { name, questions } = check;
  bench.note(`${name}: ${questions.requests.length.toLocaleString('en-US')} questions`);
  const mapPerSecond = mapLookupsPerSecond(questions);
  await ratePass(opened.store, questions);
  const quiet = await measure(opened, questions, ROUNDS, 0);
  const detail = { hitRate: quiet.hitRate, hash: quiet.hash, questions: questions.requests.length };
  bench.line({
    name,
    value: quiet.perSecond,
    unit: 'checks/s',
    baseline: { name: '2 Map gets', value: mapPerSecond },
    ...(check.rateTarget === undefined ? {} : { target: check.rateTarget }),
    detail,
  });
  bench.line({
    name: `${name}, median`,
    value: quiet.medianMicros,
    unit: 'us',
    baseline: { name: 'lmdb get', value: lmdb.getMicros },
    ...(check.medianTarget === undefined ? {} : { target: check.medianTarget }),
  });
  bench.line({
    name: `${name}, p99`,
    value: quiet.p99Micros,
    unit: 'us',
    baseline: { name: 'lmdb get', value: lmdb.getMicros },
  });
  await linesWithCommits(bench, opened, check, quiet);
}

async function linesWithCommits(bench: Bench, opened: OpenedStore, check: CheckCase, quiet: Figures): Promise<void> {
  const committer = await opened.commitMeanwhile(check.data, COMMITS_PER_SECOND);
  const revision = opened.store.revision();
  while (opened.store.revision() === revision) await turn();
  const busy = await measure(opened, check.questions, 1, bench.isSmoke ? 0.2 : SECONDS_WITH_COMMITS);
  const { commits, seconds } = await committer.stop();
  const reached = commits / seconds;
  const name = `${check.name} + commits`;
  const isVoid =
    bench.isSmoke || reached >= COMMITS_PER_SECOND_MIN
      ? {}
      : { isVoid: `only ${Math.round(reached)} commits a second were reached` };
  const detail = { commitsPerSecond: reached, hitRate: busy.hitRate, hash: busy.hash };
  bench.line({
    name,
    value: busy.perSecond,
    unit: 'checks/s',
    baseline: { name: 'without', value: quiet.perSecond },
    detail,
    ...isVoid,
  });
  bench.line({
    name: `${name}, median`,
    value: busy.medianMicros,
    unit: 'us',
    baseline: { name: 'without', value: quiet.medianMicros },
    ...isVoid,
  });
  bench.line({
    name: `${name}, p99`,
    value: busy.p99Micros,
    unit: 'us',
    baseline: { name: 'without', value: quiet.p99Micros },
    ...isVoid,
  });
}

/** Passes without a clock for the rate, the median of them; then one pass with it for the times. */
async function measure(
  { engine, store }: OpenedStore,
  questions: Questions,
  roundsMin: number,
  secondsMin: number,
): Promise<Figures> {
  const passes: Pass[] = [];
  const before = engine.cacheCounts();
  let seconds = 0;
  while ((passes.length < roundsMin && seconds < SECONDS_ENOUGH) || seconds < secondsMin) {
    const pass = await ratePass(store, questions);
    passes.push(pass);
    seconds += pass.seconds;
  }
  const after = engine.cacheCounts();
  const timed = await timedPass(store, questions);
  const hits = after.hits - before.hits;
  return {
    perSecond: questions.requests.length / median(passes.map((pass) => pass.seconds)),
    medianMicros: percentile(timed.micros, 0.5),
    p99Micros: percentile(timed.micros, 0.99),
    hitRate: hits / Math.max(1, hits + after.misses - before.misses),
    hash: timed.hash,
  };
}
