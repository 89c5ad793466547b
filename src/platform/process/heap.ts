import { setFlagsFromString } from 'node:v8';

/**
 * Frees what this thread no longer uses, at once: it takes some 100 ms. V8 looks through old objects only when a thread
 * has made many new ones, and a thread that did much once and little since keeps its garbage for ever.
 *
 * The way of the inspector is the one that gives back the room for new objects and empty pages, too, as where memory has
 * run out. `gc` leaves them with the heap: 64 MB in a thread that was busy once.
 */
export async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

/** After so long a thread has done what belongs to its start: each job has looked at every organization. */
const STARTED_MS = 20_000;

/** What the start has left is collected once, as a thread that has little to do keeps it. */
export function collectAfterStart(background: {
  after(job: string, delayMs: number, task: () => Promise<void>): void;
}): void {
  background.after('garbage', STARTED_MS, collectGarbage);
}

/**
 * How much garbage the old objects of a thread may gather before they are looked through: a third of what was left the
 * last time, and at first until there are 40 MB. V8 itself lets a heap grow by up to four times, which is right where one
 * thread has the machine. Here each of several would keep some hundred megabytes of answers that are long gone.
 */
const FLAGS = ['--heap-growing-percent=33', '--initial-old-space-size=40'];

/** For all threads that are started after it. */
export function boundHeapGrowth(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
