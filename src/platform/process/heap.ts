import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what this thread no longer uses, at once: it takes some 100 ms. V8 looks through old objects only when a thread
 * has made many new ones, and a thread that did much once and little since keeps its garbage for ever.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  // the second time moves what is left to fewer pages
  collect();
  collect();
}

/**
 * How much garbage the old objects of a thread may gather before they are looked through: half as much as there was left the
 * last time, and at first until there are 40 MB. V8 itself lets a heap grow by up to four times, which is right where one
 * thread has the machine. Here each of several would keep some hundred megabytes of answers that are long gone.
 */
const FLAGS = ['--heap-growing-percent=50', '--initial-old-space-size=40'];

/** For all threads that are started after it. */
export function boundHeapGrowth(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
