import { type Engine, EngineError, type Store } from '#engine';
import { isPreconditionFailure, settleRaces } from '../../platform/index.ts';
import { StoreChanges } from './store-changes.ts';

export type CommitEngine = Pick<Engine, 'read' | 'store' | 'command' | 'submit'>;

/**
 * The one way in which the service changes a store. `run` reads and gathers changes in one snapshot; they become one
 * command. It runs again, at most 100 times, where something that it has read changes before the command is applied, or
 * a unique key is taken. It may throw to stop. Without a change, nothing is committed.
 * @param at a store, or the name of one
 * @throws EngineError `unknown_store` where the organization is gone; `unavailable` where nothing can be written now
 */
export function commit<T>(engine: CommitEngine, at: Store | string, run: (changes: StoreChanges) => T): Promise<T> {
  return commitGathered(engine, () => {
    const gathered = new StoreChanges(typeof at === 'string' ? engine.store(at) : at);
    return { gathered, result: run(gathered) };
  });
}

export interface Gathered<T> {
  readonly gathered: Pick<StoreChanges, 'changes' | 'preconditions'>;
  readonly result: T;
}

/** The same for work that makes by itself what it gathers in, anew each time. */
export function commitGathered<T>(engine: CommitEngine, gather: () => Gathered<T>): Promise<T> {
  return settleRaces(() => submitted(engine, gather), isRace);
}

/** While the command is under way, none of the gathered changes is held: many wait at a time. */
function submitted<T>(engine: CommitEngine, gather: () => Gathered<T>): Promise<T> {
  const { gathered, result } = engine.read(gather);
  const { changes, preconditions } = gathered;
  if (changes.length === 0) return Promise.resolve(result);
  return engine.submit(engine.command(changes, { preconditions })).then(() => result);
}

/**
 * The same for what nobody waits for, such as times of last use. Answers whether it is on record: not where the
 * organization is gone, or nothing can be written now.
 */
export async function commitIfPossible(
  engine: CommitEngine,
  at: Store | string,
  run: (changes: StoreChanges) => void,
): Promise<boolean> {
  try {
    await commit(engine, at, run);
    return true;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return false;
  }
}

/** Also for a unique key that another command has taken meanwhile: run again, the work refuses it in its own words. */
function isRace(error: unknown): boolean {
  return isPreconditionFailure(error) || (error instanceof EngineError && error.code === 'conflict');
}

/** Commits at a time: they share one flush to the disk. */
const AT_ONCE = 100;

/**
 * Runs what commits to one store after the other, many at a time. Where one fails, the others go on.
 * @throws the first error, once all have ended
 */
export async function commitTogether<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ended = await Promise.allSettled(items.slice(from, from + AT_ONCE).map(run));
    for (const each of ended) if (each.status === 'rejected') failures.push(each.reason);
  }
  if (failures.length > 0) throw failures[0];
}
