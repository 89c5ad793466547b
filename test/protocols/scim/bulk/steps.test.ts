import { expect, it } from 'vitest';
import { FakeProvider, post, statuses } from './fake-provider.ts';

const users = (count: number) => Array.from({ length: count }, (_, at) => post(`u${at}`, { userName: `user${at}` }));
/** The first of each window takes longest. */
const uneven = () => new FakeProvider(({ bulkId = '' }) => 1 + 3 * (3 - (Number(bulkId.slice(1)) % 4)));

it('in steps, all operations that run are over before others begin', async () => {
  const provider = uneven();
  expect(new Set(statuses(await provider.bulk(users(10), {}, 2, () => true)))).toEqual(new Set(['201']));
  expect(provider.overBefore).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8]);
});

it('otherwise the next one begins when one is over', async () => {
  const provider = uneven();
  await provider.bulk(users(10), {}, 4, () => false);
  expect(provider.overBefore).toEqual([0, 0, 0, 0, 1, 2, 3, 4, 5, 6]);
});

it('what waits for another one is done in steps, too', async () => {
  const provider = uneven();
  const members = [{ value: 'bulkId:u1' }, { value: 'bulkId:u2' }];
  const group = post('g', { displayName: 'All', members }, '/Groups');
  const response = await provider.bulk([group, ...users(5)], {}, 2, () => true);
  expect(statuses(response)).toEqual(Array.from({ length: 6 }, () => '201'));
});

it('steps may begin and end in the middle of a request', async () => {
  const provider = uneven();
  let asked = 0;
  const response = await provider.bulk(users(40), {}, 4, () => asked++ % 7 < 3);
  expect(statuses(response)).toHaveLength(40);
  expect(provider.runningMost).toBeLessThanOrEqual(8);
});
