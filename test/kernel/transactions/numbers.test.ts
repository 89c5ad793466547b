import { afterAll, beforeAll, expect, test } from 'vitest';
import { Numbers } from '../../../src/kernel/transactions/index.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

let scratch: ScratchEngine;

beforeAll(async () => {
  scratch = await ScratchEngine.open();
  await scratch.engine.createStore('one');
  await scratch.engine.createStore('other');
});
afterAll(() => scratch?.close());

test('numbers begin with 1, and none is left out, whichever thread asks', async () => {
  const [first, second] = [new Numbers(scratch.engine), new Numbers(scratch.engine)];
  const found = [];
  for (const numbers of [first, second, second, first]) found.push(await numbers.next('one', 'roles'));
  expect(found).toEqual([1, 2, 3, 4]);
  expect(await second.next('one', 'groups')).toBe(1);
  expect(await second.next('other', 'roles')).toBe(1);
});

test('of many that are asked for at once none is given twice, and a thread uses up what it took', async () => {
  const threads = [new Numbers(scratch.engine, 10), new Numbers(scratch.engine, 10)];
  const asked = threads.flatMap((numbers) => Array.from({ length: 20 }, () => numbers.next('one', 'users')));
  const found = await Promise.all(asked);
  expect(found.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
});
