import type { Questions } from '../data/data-set.ts';
import { Drive } from '../data/drive/drive.ts';
import { timedPass } from '../measure/pass.ts';
import { median, percentile } from '../measure/percentile.ts';
import { atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { type OpenedStore, openStore } from '../store/opened-store.ts';
import { type Suite, unlessSmoke } from './suite.ts';

const SIZES = [10_000, 1_000_000, 10_000_000];
const SMOKE_SIZES = [10_000, 20_000];
/** Distinct questions, as many as a drive has up to this: those of a large one do not fit into the processor's caches. */
const QUESTIONS_MAX = 200_000;
const TUPLES_PER_QUESTION = 3;
const PASSES = 5;
const WARM_CACHE_BYTES = 1024 * 2 ** 20;

const kinds = [
  { kind: 'direct', most: 1.5 },
  { kind: 'nested', most: 2 },
] as const;

function questionsOf(tuples: number): number {
  return Math.min(QUESTIONS_MAX, Math.floor(tuples / TUPLES_PER_QUESTION));
}

interface Grown {
  readonly tuples: number;
  readonly opened: OpenedStore;
  readonly questions: Questions;
  readonly medians: number[];
}

/** How much longer a check takes where there are more tuples, with every list cached: drives of three sizes, in turns. */
export const growthSuite: Suite = {
  name: 'growth',
  about: 'direct and nested checks of drives of 10,000, 1 and 10 million tuples, in turns',
  size: '10m',
  async run(bench) {
    const drives = (bench.isSmoke ? SMOKE_SIZES : SIZES).map((tuples) => ({ tuples, data: new Drive(tuples) }));
    for (const { kind, most } of kinds) {
      const sizes: Grown[] = [];
      for (const { tuples, data } of drives) {
        const opened = await openStore(await dataFolder(data), { cacheBytes: WARM_CACHE_BYTES });
        sizes.push({ tuples, opened, questions: data[kind](questionsOf(tuples)), medians: [] });
      }
      for (const { opened, questions } of sizes) await timedPass(opened.store, questions); // warm
      for (let pass = 0; pass < PASSES; pass++) {
        for (const { opened, questions, medians } of sizes) {
          const { micros } = await timedPass(opened.store, questions);
          medians.push(percentile(micros, 0.5));
        }
      }
      const [smallest, ...larger] = sizes;
      for (const { tuples, medians } of larger) {
        const target = unlessSmoke(bench, atMost(most, 'ratio'));
        bench.line({
          name: `growth ${kind}, median of ${tuples.toLocaleString('en-US')} tuples`,
          value: median(medians),
          unit: 'us',
          baseline: { name: '10,000 tuples', value: median(smallest?.medians ?? []) },
          ...(target === undefined ? {} : { target }),
          detail: { questions: questionsOf(tuples), passes: PASSES },
        });
      }
      for (const { opened } of sizes) await opened.close();
    }
  },
};
