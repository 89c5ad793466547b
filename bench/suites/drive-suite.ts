import { Drive } from '../data/drive/drive.ts';
import { lmdbBaseline } from '../measure/lmdb-baseline.ts';
import { atLeast, atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { openStore } from '../store/opened-store.ts';
import { bulkLines } from './bulk-lines.ts';
import { checkLines } from './check-lines.ts';
import { coldLine } from './cold-line.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const QUESTIONS = 1_000_000;
const SMOKE = { tuples: 20_000, questions: 2_000 };

/**
 * The cache that keeps every list which a million distinct questions read. With the 128 MiB of the default, which a
 * line of its own shows, the larger drive would be measured half cold.
 */
const WARM_CACHE_BYTES = 1024 * 2 ** 20;

export function driveOf(bench: Bench, tuples: number): Drive {
  return new Drive(bench.isSmoke ? SMOKE.tuples : tuples);
}

export function driveSuite(size: '1m' | '10m', tuples: number, nestedMicrosMax: number): Suite {
  return {
    name: `drive-${size}`,
    about: `${tuples.toLocaleString('en-US')} tuples of documents, folders eight deep and groups four deep`,
    size,
    async run(bench) {
      const data = driveOf(bench, tuples);
      const name = `drive ${size.toUpperCase()}`;
      const count = bench.isSmoke ? SMOKE.questions : QUESTIONS;
      const folder = await dataFolder(data);
      const lmdb = await lmdbBaseline(folder);
      const direct = data.direct(count);
      const nested = data.nested(count);
      const warm = await openStore(folder, { cacheBytes: WARM_CACHE_BYTES });
      await checkLines(bench, warm, lmdb, {
        name: `${name} direct`,
        data,
        questions: direct,
        rateTarget: unlessSmoke(bench, atLeast(2_000_000)),
      });
      await checkLines(bench, warm, lmdb, {
        name: `${name} nested`,
        data,
        questions: nested,
        medianTarget: unlessSmoke(bench, atMost(nestedMicrosMax)),
      });
      await bulkLines(bench, warm, name, data, nested);
      await warm.close();
      const cold = [
        { name: `${name} direct`, questions: direct, target: unlessSmoke(bench, atMost(8)) },
        { name: `${name} nested`, questions: nested, target: unlessSmoke(bench, atMost(25, 'ratio')) },
      ];
      for (const check of cold) await coldLine(bench, folder, lmdb, check);
      const usual = await openStore(folder);
      await checkLines(bench, usual, lmdb, { name: `${name} nested, default cache`, data, questions: nested });
      await usual.close();
    },
  };
}
