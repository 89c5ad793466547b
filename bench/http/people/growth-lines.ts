import { median } from '../../measure/percentile.ts';
import { atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { askOnce, TIMED } from './latency-lines.ts';
import type { ListCase } from './list-case.ts';
import { clientOf, type PeopleSite } from './people-site.ts';

const GROWTH_MAX = 1.5;
const TURNS = 100;
const SMOKE_TURNS = 3;

/** An organization, with what is asked of it. */
export interface AskedSite {
  readonly site: PeopleSite;
  readonly cases: readonly ListCase[];
  readonly name: string;
}

/** How much longer one client waits for the lists of a larger organization: both are asked in turns. */
export async function growthLines(few: AskedSite, many: AskedSite): Promise<void> {
  const { bench } = many.site;
  const [fewClient, manyClient] = [clientOf(few.site), clientOf(many.site)];
  try {
    for (const [at, listCase] of many.cases.entries()) {
      const fewCase = few.cases[at] as ListCase; // the same lists, in the same order
      const [fewMillis, manyMillis]: [number[], number[]] = [[], []];
      // what was asked before is kept ready in part
      const end = TIMED + (bench.isSmoke ? SMOKE_TURNS : TURNS);
      for (let turn = TIMED; turn < end; turn++) {
        fewMillis.push(await askOnce(fewClient, fewCase, turn));
        manyMillis.push(await askOnce(manyClient, listCase, turn));
      }
      const target = unlessSmoke(bench, atMost(GROWTH_MAX, 'ratio'));
      bench.line({
        name: `${many.name} ${listCase.name}, growth`,
        unit: 'ms',
        value: median(manyMillis),
        baseline: { name: few.name, value: median(fewMillis) },
        ...(target === undefined ? {} : { target }),
      });
    }
  } finally {
    fewClient.close();
    manyClient.close();
  }
}
