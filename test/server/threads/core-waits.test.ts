import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { AnsweringThreads } from '../../../src/server/threads/answering/answering-threads.ts';
import { type CoreTimes, CoreWaits } from '../../../src/server/threads/answering/core-waits.ts';

const tells = existsSync('/proc/thread-self/schedstat');

function spin(forMs: number): void {
  for (const end = performance.now() + forMs; performance.now() < end; ) Math.random();
}

describe('how long a thread waits for a core', () => {
  const cases = [
    { name: 'nothing where it always has one', ran: 1, waited: 0, pressure: 0 },
    { name: 'what it waits where it is busy', ran: 0.6, waited: 0.4, pressure: 0.4 },
    { name: 'what it waits where it hardly gets any', ran: 0.01, waited: 0.99, pressure: 0.99 },
    { name: 'a part of it where it has little to do', ran: 0.05, waited: 0.05, pressure: 0.025 },
    { name: 'next to nothing where it has next to nothing to do', ran: 0.01, waited: 0.01, pressure: 0.001 },
  ];
  it.each(cases)('counts as $name', ({ ran, waited, pressure }) => {
    let nowMs = 1000;
    let times: CoreTimes = { run: 7, waited: 11 };
    const waits = new CoreWaits(
      { ids: () => [1] },
      () => times,
      () => nowMs,
    );
    expect(waits.pressure()).toBe(0);
    nowMs += 500;
    times = { run: times.run + ran * 5e8, waited: times.waited + waited * 5e8 };
    expect(waits.pressure()).toBeCloseTo(pressure, 6);
    nowMs += 500;
    expect(waits.pressure(), 'it is counted once').toBe(0);
  });

  it('counts for the thread that waits most', () => {
    let nowMs = 0;
    let waited = 0;
    const of = (id: number): CoreTimes => ({ run: nowMs * 5e5, waited: id === 2 ? waited : 0 });
    const waits = new CoreWaits({ ids: () => [1, 2, 3] }, of, () => nowMs);
    waits.pressure();
    nowMs = 100;
    waited = 5e7;
    expect(waits.pressure()).toBeCloseTo(0.5, 6);
  });
});

describe.skipIf(!tells)('as the system tells it (skipped where it does not)', () => {
  it('is seen where others want its core', async () => {
    const threads = new AnsweringThreads(AnsweringThreads.allocate());
    threads.enter();
    const waits = new CoreWaits(threads);
    expect(threads.ids()).toHaveLength(1);
    const others = Array.from(
      { length: 3 * availableParallelism() },
      () => new Worker('for (;;) Math.random();', { eval: true }),
    );
    try {
      const contended = expect.poll(() => {
        waits.pressure();
        spin(500);
        return waits.pressure();
      });
      await contended.toBeGreaterThan(0.2);
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
