import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../store/log/stream-progress.ts';
import { cutBehind, notFollowed, SET_BACK_TRIES } from '../history-errors.ts';
import type { MessageStream } from '../message-stream.ts';

/**
 * Looks whether the stream still has what was applied here, and what comes after it.
 * @throws EngineError `corrupt`, with what to do
 */
export async function requireSameHistory(
  stream: Pick<MessageStream, 'ends' | 'message'>,
  progress: Progress,
  retryMs: number,
): Promise<void> {
  const { sequence } = progress;
  let ends = await stream.ends();
  for (let tries = 1; ends.last < sequence && tries < SET_BACK_TRIES; tries++) {
    await sleep(retryMs, undefined, { ref: false });
    ends = await stream.ends();
  }
  if (ends.last < sequence) throw notFollowed(`it ends at message ${ends.last}`, progress);
  if (ends.first > sequence + 1) {
    throw cutBehind(ends.first, sequence);
  }
  if (sequence === 0 || sequence < ends.first) return;
  const bytes = await stream.message(sequence);
  const digest = bytes === undefined ? undefined : hash('sha256', bytes, 'buffer');
  if (digest === undefined || !progress.digest.equals(digest)) {
    throw notFollowed(`its message ${sequence} is another one`, progress);
  }
}
