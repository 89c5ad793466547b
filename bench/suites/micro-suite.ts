import Benchmark from 'benchmark';
import { parseModel, parseTuple, TuplePacker } from '#engine';
import { HOSTING_DSL } from '../data/hosting/hosting-dsl.ts';
import type { Bench, Suite } from './suite.ts';

const TEXT = 'repository:engineering/relata#writer@team:storage-and-indexes#member';
const TUPLE = parseTuple(TEXT);
const JSON_TEXT = JSON.stringify(TUPLE);
const MODEL_JSON = JSON.stringify({ text: HOSTING_DSL.split('\n') });
/** A packer is emptied before it grows over what a commit holds. */
const PACKED_MAX = 100_000;

/** Small steps that everything else is made of, measured by benchmark.js, each beside JSON of the same content. */
export const microSuite: Suite = {
  name: 'micro',
  about: 'reading a tuple, packing a tuple, reading a model',
  run(bench) {
    const packer = new TuplePacker();
    // What comes of the work is added up, so that the compiler cannot leave it out.
    let sum = 0;
    const readTuple = (): void => {
      sum += parseTuple(TEXT).subject.length;
    };
    const packTuple = (): void => {
      packer.add(TUPLE);
      if (packer.count === PACKED_MAX) sum += packer.take().names.length;
    };
    const readModel = (): void => {
      sum += parseModel({ dsl: HOSTING_DSL }).types.size;
    };
    const readJson = (text: string) => (): void => {
      sum += Object.keys(JSON.parse(text)).length;
    };
    const tupleBaseline = perSecond(bench, 'JSON.parse of a tuple', readJson(JSON_TEXT));
    const modelBaseline = perSecond(bench, 'JSON.parse of a model', readJson(MODEL_JSON));
    const cases = [
      { name: 'read a tuple', task: readTuple, baseline: tupleBaseline },
      { name: 'pack a tuple', task: packTuple, baseline: tupleBaseline },
      { name: 'read a model', task: readModel, baseline: modelBaseline },
    ];
    for (const { name, task, baseline } of cases) {
      bench.line({
        name,
        value: perSecond(bench, name, task),
        unit: 'times/s',
        baseline: { name: 'JSON.parse', value: baseline },
      });
    }
    if (sum === 0) throw new Error('nothing was read');
    return Promise.resolve();
  },
};

function perSecond(bench: Bench, name: string, task: () => void): number {
  const benchmark = new Benchmark(name, task, {
    minSamples: bench.isSmoke ? 1 : 20,
    maxTime: bench.isSmoke ? 0.05 : 2,
  });
  const { error, hz } = benchmark.run();
  if (error !== undefined) throw error;
  return hz;
}
