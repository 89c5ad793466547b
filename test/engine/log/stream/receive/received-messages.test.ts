import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReceivedMessages } from '../../../../../engine/log/stream/receive/received-messages.ts';
import type { Replay, Replayed, StreamMessage } from '../../../../../engine/log/stream/replay.ts';

/** A message waits as long at most, however long a commit takes. */
const WAIT_MS = 4;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('messages of nodes that send again and again share a commit, and none waits for long', async () => {
  const commits: string[] = [];
  const replay: Pick<Replay, 'apply' | 'reference'> = {
    reference: () => undefined,
    apply(messages) {
      commits.push(messages.map(({ bytes }) => Buffer.from(bytes).toString()).join(''));
      vi.advanceTimersByTime(WAIT_MS);
      return messages.map(({ bytes, sequence }): Replayed => ({ producer: bytes, number: sequence, outcomes: [] }));
    },
  };
  let answered = 0;
  const received = new ReceivedMessages({
    replay: replay as Replay, // what is used of it
    carried: { with: async (messages) => [...messages] },
    hasEnded: () => false,
    onApplied: () => answered++,
    onFailed: (error) => expect.fail(String(error)),
    onFull: () => expect.fail('there is room'),
  });
  let sequence = 0;
  const come = (name: string): void => {
    const message: StreamMessage = { sequence: ++sequence, time: 0, bytes: Buffer.from(name) };
    received.add(message);
  };
  const applied = async (): Promise<void> => {
    while (answered < sequence) await nextTurn();
  };

  for (const name of 'abc') come(name);
  await applied();
  for (const name of 'bca') {
    come(name);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }
  await applied();
  expect(commits).toEqual(['abc', 'bca']);

  for (const name of 'ca') come(name);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(commits).toHaveLength(2);
  vi.advanceTimersByTime(WAIT_MS);
  await applied();
  expect(commits.at(-1)).toBe('ca');
});
