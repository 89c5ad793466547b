import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { createReplayMemory, ReplayCache, Tries } from '../../../src/identity/limits/index.ts';

const START = 1_800_000_000_000;
const MINUTE = 60_000;
const built = new URL('../../../dist/src/identity/limits/index.js', import.meta.url);

describe('what may be used once', () => {
  test('is told so to the first, and to others until its time is over', () => {
    const table = new ReplayCache(createReplayMemory(1000, START));
    expect(table.spend('a', START + MINUTE, START)).toBe('first');
    expect(table.spend('a', START + MINUTE, START + 30_000)).toBe('again');
    expect(table.spend('b', START + MINUTE, START + 30_000)).toBe('first');
    expect(table.spend('a', START + 3 * MINUTE, START + MINUTE + 2000)).toBe('first');
  });

  test('is the same in whatever thread, as the memory is one', () => {
    const memory = createReplayMemory(1000, START);
    expect(new ReplayCache(memory).spend('a', START + MINUTE, START)).toBe('first');
    expect(new ReplayCache(memory).spend('a', START + MINUTE, START)).toBe('again');
    expect(new ReplayCache(memory).startedAt).toBe(START);
  });

  test('is given back', () => {
    const table = new ReplayCache(createReplayMemory(1000, START));
    table.spend('a', START + MINUTE, START);
    table.restore('a', START);
    table.restore('never', START);
    expect(table.spend('a', START + MINUTE, START)).toBe('first');
  });

  test('never gives way: where there is no room, nothing is accepted', () => {
    const table = new ReplayCache(createReplayMemory(16, START));
    const answers = Array.from({ length: 20 }, (_, place) => table.spend(`${place}`, START + MINUTE, START));
    expect(answers.filter((answer) => answer === 'first')).toHaveLength(16);
    expect(answers.slice(16)).toEqual(['full', 'full', 'full', 'full']);
    expect(table.spend('0', START + MINUTE, START)).toBe('again');
    expect(table.spend('17', START + 3 * MINUTE, START + MINUTE + 2000)).toBe('first');
  });

  test('is accepted of nobody where a thread has ended in the midst of it: others wait for a while', () => {
    const memory = createReplayMemory(16, START);
    // as it stands while a thread looks at the one group of slots
    new Int32Array(memory).fill(1, 4, 5);
    const began = performance.now();
    expect(new ReplayCache(memory).spend('a', START + MINUTE, START)).toBe('full');
    expect(performance.now() - began).toBeGreaterThan(50);
  });

  test('of two threads that come at once, one is the first', async () => {
    const memory = createReplayMemory(65_536, START);
    const code = `
      import { parentPort, workerData } from 'node:worker_threads';
      const { ReplayCache } = await import(workerData.module);
      const table = new ReplayCache(workerData.memory);
      const gate = new Int32Array(workerData.gate);
      Atomics.add(gate, 0, 1);
      while (Atomics.load(gate, 0) < workerData.threads) Atomics.wait(gate, 1, 0, 1);
      let first = 0;
      for (let key = 0; key < workerData.keys; key++) {
        if (table.spend('key ' + key, ${START + MINUTE}, ${START}) === 'first') first++;
      }
      parentPort.postMessage(first);
    `;
    const keys = 20_000;
    const threads = 3;
    const gate = new SharedArrayBuffer(8);
    const workerData = { memory, gate, keys, threads, module: built.href };
    const counts = Array.from({ length: threads }, () => {
      const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), { workerData });
      return new Promise<number>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
      });
    });
    const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(keys);
  });
});

describe('tries', () => {
  test('are five of each name, and those that were right are none', () => {
    const tries = new Tries(new ReplayCache(createReplayMemory(1000, START)), 'test');
    for (let round = 0; round < 8; round++) tries.take(['anne', '192.0.2.1'], START)?.();
    for (let round = 0; round < 5; round++) expect(tries.take(['anne', `192.0.2.${round}`], START)).toBeDefined();
    expect(tries.take(['anne', '192.0.2.9'], START)).toBeUndefined();
    // and nothing was taken of the other name
    for (let round = 0; round < 5; round++) expect(tries.take(['192.0.2.9'], START)).toBeDefined();
    expect(tries.take(['192.0.2.9'], START)).toBeUndefined();
    expect(tries.take(['anne'], START + 10 * MINUTE + 2000)).toBeDefined();
  });
});
