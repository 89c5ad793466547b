import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Progress } from '../../../store/log/stream-progress.ts';
import { besideSetBack, cutBehind, notFollowed, SET_BACK_TRIES } from '../history-errors.ts';
import type { MessageStream, SideStream, StreamEnds } from '../message-stream.ts';
import type { Replay } from '../replay.ts';

/**
 * Looks whether the streams still have what was applied here, and the log what comes after it.
 * @throws EngineError `corrupt`, with what to do
 */
export async function requireSameHistory(
  stream: Pick<MessageStream, 'ends' | 'message' | 'beside'>,
  replay: Pick<Replay, 'progress' | 'uses'>,
  retryMs: number,
): Promise<void> {
  const { progress } = replay;
  const { sequence } = progress;
  const ends = await endsFrom(sequence, () => stream.ends(), retryMs, await stream.ends());
  if (ends.last < sequence) throw notFollowed(`it ends at message ${ends.last}`, progress);
  if (ends.first > sequence + 1) {
    throw cutBehind(ends.first, sequence);
  }
  if (sequence > 0 && sequence >= ends.first) {
    const bytes = await stream.message(sequence);
    const digest = bytes === undefined ? undefined : hash('sha256', bytes, 'buffer');
    if (digest === undefined || !progress.digest.equals(digest)) {
      throw notFollowed(`its message ${sequence} is another one`, progress);
    }
  }
  await requireSameBeside(stream, replay, retryMs);
}

/** How far data have come. */
export interface AppliedData {
  readonly progress: Pick<Progress, 'sequence'>;
  /** Of each side stream: the highest message that was applied. */
  readonly uses: { readonly allCarried: ReadonlyMap<number, number> };
}

/**
 * Looks whether the side streams still have what was applied from them here, as far as they answer.
 * @param seen where streams ended just now: they are asked again only where that is too early
 * @throws EngineError `corrupt`, with what to do
 */
export async function requireSameBeside(
  stream: Pick<MessageStream, 'beside'>,
  applied: AppliedData,
  retryMs: number,
  seen: ReadonlyMap<number, StreamEnds | undefined> = new Map(),
): Promise<void> {
  await Promise.all(
    [...applied.uses.allCarried].map(async ([number, carried]) => {
      const ask = () => endsOrNothing(stream.beside(number));
      const ends = await endsFrom(carried, ask, retryMs, seen.has(number) ? seen.get(number) : await ask());
      if (ends !== undefined && ends.last < carried) {
        throw besideSetBack({ stream: number, sequence: carried, last: ends.last }, applied.progress);
      }
    }),
  );
}

/** What stands in a stream: asked for again as long as it ends before a message that it had. */
async function endsFrom<Ends extends StreamEnds | undefined>(
  sequence: number,
  ask: () => Promise<Ends>,
  retryMs: number,
  first: Ends,
): Promise<Ends> {
  let ends = first;
  for (let tries = 1; ends !== undefined && ends.last < sequence && tries < SET_BACK_TRIES; tries++) {
    await sleep(retryMs, undefined, { ref: false });
    ends = await ask();
  }
  return ends;
}

/** Undefined where it does not answer: then nothing is known of it, and the log goes on without it. */
function endsOrNothing(stream: Pick<SideStream, 'ends'>): Promise<StreamEnds | undefined> {
  return stream.ends().catch(() => undefined);
}
