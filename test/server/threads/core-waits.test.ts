import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { AnsweringThreads } from '../../../src/server/threads/answering/answering-threads.ts';
import { CoreWaits } from '../../../src/server/threads/answering/core-waits.ts';

const tells = existsSync('/proc/thread-self/schedstat');

function spin(forMs: number): void {
  for (const end = performance.now() + forMs; performance.now() < end; ) Math.random();
}

describe.skipIf(!tells)('how long a thread waits for a core (skipped where the system does not tell)', () => {
  it('is seen where others want its core, and counts for little where it has little to do', async () => {
    const threads = new AnsweringThreads(AnsweringThreads.allocate());
    threads.enter();
    const waits = new CoreWaits(threads);
    expect(threads.ids()).toHaveLength(1);
    const others = Array.from(
      { length: 3 * availableParallelism() },
      () => new Worker('for (;;) Math.random();', { eval: true }),
    );
    try {
      await setTimeout(500);
      waits.pressure();
      spin(1500);
      expect(waits.pressure()).toBeGreaterThan(0.2);
      await setTimeout(1000);
      expect(waits.pressure()).toBeLessThan(0.1);
    } finally {
      await Promise.all(others.map((other) => other.terminate()));
    }
  });

  it('is nothing where no thread answers requests, or the one that did has ended', () => {
    const memory = AnsweringThreads.allocate();
    const threads = new AnsweringThreads(memory);
    expect(new CoreWaits(threads).pressure()).toBe(0);
    new Int32Array(memory)[0] = 2 ** 30;
    const waits = new CoreWaits(threads);
    waits.pressure();
    spin(20);
    expect(threads.ids()).toEqual([2 ** 30]);
    expect(waits.pressure()).toBe(0);
  });
});
