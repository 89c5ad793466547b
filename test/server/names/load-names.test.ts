import { expect, it } from 'vitest';
import type { Engine } from '#engine';
import { loadNames } from '../../../src/server/names/load-names.ts';

/** As many steps as asked for, with a look at what is done between them. */
function stepping(
  steps: number,
  each: (count: number) => void,
): { engine: Pick<Engine, 'nameLoader'>; done(): number } {
  let count = 0;
  const step = (): boolean => {
    each(++count);
    return count < steps;
  };
  return { engine: { nameLoader: () => step }, done: () => count };
}

it('loads names step by step, and gives way after each', async () => {
  const turns: number[] = [];
  const { engine, done } = stepping(5, (count) => setImmediate(() => turns.push(count)));
  await loadNames(engine, new AbortController().signal);
  expect(done()).toBe(5);
  expect(turns).toEqual([1, 2, 3, 4]);
});

it('loads nothing more once the service ends', async () => {
  const ended = new AbortController();
  const { engine, done } = stepping(1_000, (count) => {
    if (count === 3) ended.abort();
  });
  await loadNames(engine, ended.signal);
  expect(done()).toBe(3);
});
