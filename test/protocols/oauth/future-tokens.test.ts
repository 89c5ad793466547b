import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClockedProvider } from './in-process.ts';

const MINUTE = 60_000;

let provider: ClockedProvider;

beforeEach(async () => {
  provider = await ClockedProvider.start('clocks');
});
afterEach(() => provider.service.stop());

test.each([
  { name: 'four minutes ahead is good', ahead: 4 * MINUTE, expect: false },
  { name: 'six minutes ahead is refused until its time has come', ahead: 6 * MINUTE, expect: true },
])('a token that was issued $name', async ({ ahead, expect: expected }) => {
  const client = await provider.client(['a']);
  const { clock } = provider.service;
  clock.advance(ahead);
  const token = await provider.token(client);
  clock.advance(-ahead);
  expect((await provider.status(token)) === 401).toBe(expected);
  clock.advance(2 * MINUTE);
  expect(await provider.status(token)).not.toBe(401);
});
