import { type Engine, EngineError } from '#engine';
import { storeOf } from '../../orgs/index.ts';
import { type Clock, timeKey } from '../../platform/index.ts';
import { failureCollection } from './failure-record.ts';

/** Removes, in each organization, at most `limit` counts that no longer matter. Answers whether there may be more. */
export async function sweepFailures(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  const stores = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
  const found = await Promise.all(stores.map((store) => sweepStore(engine, store, clock.now(), limit)));
  return found.includes(true);
}

async function sweepStore(engine: Engine, store: string, now: number, limit: number): Promise<boolean> {
  try {
    const ids = engine.read(() =>
      engine.store(store).recordIndex(failureCollection).idsBelow('until', timeKey(now), limit),
    );
    if (ids.length === 0) return false;
    const place = { store, collection: failureCollection };
    await engine.submit(engine.command(ids.map((id) => ({ op: 'delete_record', ...place, id }))));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}
