import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from '#engine';

/** How often a commit is tried, because another one came in between: each time another thread has won. */
const TRIES_MAX = 100;
/** Threads that lose to each other wait for a random time, so that none of them always loses. */
const PAUSE_MAX_MS = 20;
/** Who waits for a turn at one record in this thread. */
const WAITING_MAX = 1000;

interface Line {
  /** Resolves when the last of them is done. */
  last: Promise<unknown>;
  waiting: number;
}

/** In this thread, by the record that they race for. */
const lines = new Map<string, Line>();

/**
 * Runs an attempt that reads, plans and commits with preconditions of its own, until no other commit came in between.
 * Attempts of this thread that have lost and want the same record take turns in order, so that at most one for each
 * thread races.
 * @param isRace whether an error says that another commit came in between
 * @throws what the attempt throws; the last lost race of 100
 */
export function settleRaces<T>(
  attempt: () => Promise<T>,
  isRace: (error: unknown) => boolean = isPreconditionFailure,
): Promise<T> {
  const lost = (error: unknown): Promise<T> => {
    if (!isRace(error)) throw error;
    const again = (): Promise<T> => attempts(attempt, isRace);
    const recordKey = recordKeyOf(error);
    return recordKey === undefined ? again() : inTurn(recordKey, error, again);
  };
  try {
    return attempt().catch(lost);
  } catch (error) {
    return Promise.reject(error).catch(lost);
  }
}

export function isPreconditionFailure(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'precondition_failed';
}

/** Those after the first. */
async function attempts<T>(attempt: () => Promise<T>, isRace: (error: unknown) => boolean): Promise<T> {
  for (let tries = 2; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRace(error) || tries >= TRIES_MAX) throw error;
      await sleep(Math.random() * Math.min(PAUSE_MAX_MS, 2 ** (tries - 1)));
    }
  }
}

async function inTurn<T>(recordKey: string, race: unknown, task: () => Promise<T>): Promise<T> {
  const line = lines.get(recordKey) ?? { last: Promise.resolve(), waiting: 0 };
  if (line.waiting >= WAITING_MAX) throw race;
  lines.set(recordKey, line);
  line.waiting++;
  const mine = line.last.then(task);
  line.last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    line.waiting--;
    if (line.waiting === 0) lines.delete(recordKey);
  }
}

/** What the lost race was for; `undefined` if the error does not say. */
function recordKeyOf(error: unknown): string | undefined {
  if (!(error instanceof EngineError)) return undefined;
  const { store, object } = error.details;
  return typeof object === 'string' ? `${String(store)}\n${object}` : undefined;
}
