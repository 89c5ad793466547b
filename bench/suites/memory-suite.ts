import { fork } from 'node:child_process';
import { once } from 'node:events';
import { atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { driveOf } from './drive-suite.ts';
import type { MemoryReport, MemorySettings } from './memory-process.ts';
import { type Suite, unlessSmoke } from './suite.ts';

const GIBIBYTE = 2 ** 30;

/** The threads of a service with two cores, over the larger drive, until their caches are full. */
export const memorySuite: Suite = {
  name: 'memory',
  about: 'anonymous memory of two acceptors and two pool threads over 10,000,000 tuples, caches full',
  size: '10m',
  async run(bench) {
    const data = driveOf(bench, 10_000_000);
    const { users, documents } = data.shape;
    const settings: MemorySettings = { path: await dataFolder(data), users, documents, isSmoke: bench.isSmoke };
    bench.note('filling the caches of four threads');
    const { idle, highest, full, threads } = await measureApart(settings);
    const target = unlessSmoke(bench, atMost(1.2));
    bench.line({
      name: 'RssAnon, two acceptors and two pool threads, highest',
      value: highest / GIBIBYTE,
      unit: 'GiB',
      baseline: { name: 'caches empty', value: idle / GIBIBYTE },
      ...(target === undefined ? {} : { target }),
      detail: {
        fullGiB: full / GIBIBYTE,
        misses: threads.map(({ misses }) => misses).join(' '),
        arrayMiB: threads.map(({ arrayBytes }) => Math.round(arrayBytes / 2 ** 20)).join(' '),
        heapMiB: threads.map(({ heapBytes }) => Math.round(heapBytes / 2 ** 20)).join(' '),
      },
    });
  },
};

/** In a process that has nothing else in its memory. */
async function measureApart(settings: MemorySettings): Promise<MemoryReport> {
  const child = fork(new URL('./memory-process.js', import.meta.url), [JSON.stringify(settings)]);
  let report: MemoryReport | undefined;
  child.once('message', (message: MemoryReport) => {
    report = message;
  });
  // An exit can be seen before the last message; the end of the channel cannot.
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (report === undefined) throw new Error(`the process that was to be measured ended with ${code}`);
  return report;
}
