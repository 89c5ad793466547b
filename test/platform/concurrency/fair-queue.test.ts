import { describe, expect, test } from 'vitest';
import { FairQueue, type FairQueueLimits } from '../../../src/platform/concurrency/fair-queue.ts';

/** A queue of which each task ends when the test says so. */
class Tasks {
  readonly began: string[] = [];
  readonly queue: FairQueue;
  readonly #ends: (() => void)[] = [];

  constructor(limits: Partial<FairQueueLimits>) {
    this.queue = new FairQueue({ running: 1, runningOfOne: 1, waiting: 100, waitingOfOne: 100, ...limits });
  }

  add(party: string, count = 1): unknown[] {
    return Array.from({ length: count }, () =>
      this.queue.run(party, async () => {
        this.began.push(party);
        await new Promise<void>((resolve) => this.#ends.push(resolve));
      }),
    );
  }

  /** Ends the one that has run for longest, and lets the next begin. */
  async end(count = 1): Promise<void> {
    for (let n = 0; n < count; n++) {
      this.#ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe('a queue of several parties', () => {
  test('gives each its turn, however many another one has waiting', async () => {
    const tasks = new Tasks({});
    tasks.add('a', 5);
    tasks.add('b', 2);
    tasks.add('c');
    await tasks.end(8);
    expect(tasks.began.join('')).toBe('abcabaaa');
  });

  test('leaves a place to others where there are several', async () => {
    const tasks = new Tasks({ running: 3, runningOfOne: 2 });
    tasks.add('a', 5);
    expect(tasks.began.join('')).toBe('aa');
    tasks.add('b', 2);
    expect(tasks.began.join('')).toBe('aab');
    await tasks.end(7);
    expect(tasks.began.toSorted().join('')).toBe('aaaaabb');
    expect(tasks.queue.waiting).toBe(0);
  });

  test('takes no more of one party, and no more of all, than its bounds', async () => {
    const tasks = new Tasks({ waiting: 4, waitingOfOne: 2 });
    expect(tasks.add('a', 4).filter((each) => typeof each === 'string')).toEqual(['own']);
    expect(tasks.add('b', 3).filter((each) => typeof each === 'string')).toEqual(['own']);
    expect(tasks.add('c')).toEqual(['all']);
    await tasks.end(5);
    expect(tasks.began.length).toBe(5);
    expect(tasks.add('c').filter((each) => typeof each === 'string')).toEqual([]);
  });

  test('goes on after a task that failed', async () => {
    const { queue } = new Tasks({});
    const failed = queue.run('a', () => Promise.reject(new Error('failed')));
    await expect(failed).rejects.toThrow('failed');
    expect(await queue.run('a', () => Promise.resolve(7))).toBe(7);
  });
});
