import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { Receiver } from './transmitter-world.ts';

let provider: ClockedProvider;
beforeAll(async () => {
  provider = await ClockedProvider.start('waiting');
});
afterAll(() => provider.service.stop());

test('of the requests of one organization 50 wait for an event: the others leave room for those of others', async () => {
  const receiver = await Receiver.open(provider);
  const id = await receiver.stream();
  let answered = 0;
  const polls = Array.from({ length: 55 }, async () => {
    const { status } = await receiver.poll(id, { returnImmediately: false });
    answered++;
    return status;
  });
  await expect.poll(() => answered, { timeout: 8000 }).toBeGreaterThan(4);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(answered).toBe(5);
  // an event ends the waits
  expect((await receiver.call('POST', '/verify', { stream_id: id })).status).toBe(204);
  expect(new Set(await Promise.all(polls))).toEqual(new Set([200]));
}, 120_000);
