import { type Change, type Engine, EngineError, type Precondition, type Store } from '#engine';
import { timeKey } from '../platform/index.ts';
import { storeOf } from './organization.ts';

export interface SweepStep {
  readonly changes: readonly Change[];
  readonly preconditions?: readonly Precondition[];
}

/**
 * Commits in each organization what `step` finds to be done there, which runs inside `Engine.read`. Nothing may depend
 * on when: what has ended is refused before it goes. Answers whether there may be more to do.
 */
export async function sweepOrganizations(engine: Engine, step: (store: Store) => SweepStep): Promise<boolean> {
  const stores = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
  const found = await Promise.all(stores.map((name) => sweepStore(engine, name, step)));
  return found.includes(true);
}

async function sweepStore(engine: Engine, name: string, step: (store: Store) => SweepStep): Promise<boolean> {
  try {
    const { changes, preconditions = [] } = engine.read(() => step(engine.store(name)));
    if (changes.length === 0) return false;
    await engine.submit(engine.command(changes, { preconditions }));
    return true;
  } catch (error) {
    const isRace = error instanceof EngineError && error.code === 'precondition_failed';
    // deleted since it was listed
    const isGone = error instanceof EngineError && error.code === 'unknown_store';
    if (!isRace && !isGone) throw error;
    return isRace;
  }
}

/** Deletions of at most `limit` records of each collection whose time in the index of this name has come. */
export function endedRecords(
  store: Store,
  collections: readonly string[],
  index: string,
  now: number,
  limit: number,
): Change[] {
  return collections.flatMap((collection) =>
    store
      .recordIndex(collection)
      .idsBelow(index, timeKey(now), limit)
      .map((id): Change => ({ op: 'delete_record', store: store.name, collection, id })),
  );
}
