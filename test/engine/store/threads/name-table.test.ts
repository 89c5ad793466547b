import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { NameTable } from '../../../../engine/store/name-table.ts';

const NAMES_THREAD = new URL('./names.mjs', import.meta.url);
const THREADS = 3;
const NAMES = 20_000;
const ROUNDS = 200_000;

describe('a name table that several threads fill at once', () => {
  it.each([
    { name: 'with room for few names', given: 2 ** 14 },
    { name: 'that comes to its last level', given: 2 ** 19 },
    { name: 'with room for all', given: 2 ** 23 },
  ])('is never wrong: $name', { timeout: 180_000 }, async ({ given }) => {
    const shared = NameTable.allocate(given);
    const reports = await Promise.all(
      Array.from({ length: THREADS }, async (_, seed) => {
        const worker = new Worker(NAMES_THREAD, { workerData: { shared, names: NAMES, rounds: ROUNDS, seed } });
        const [report] = await once(worker, 'message');
        return report as { found: number; wrong: string[] };
      }),
    );
    for (const { found, wrong } of reports) {
      expect(wrong).toEqual([]);
      expect(found).toBeGreaterThan(ROUNDS / 100);
    }
  });
});
