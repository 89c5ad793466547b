import { type Engine, EngineError } from '#engine';
import { storeOf } from '../orgs/index.ts';
import { type Clock, timeKey } from '../platform/index.ts';
import { codeCollection } from './codes/code-record.ts';
import { spentCollection } from './webauthn/challenge.ts';

/** Removes, in each organization, at most `limit` codes and spent challenges that nobody needs any longer. */
export async function sweepFactorCodes(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  const stores = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
  const found = await Promise.all(
    stores.flatMap((store) =>
      [codeCollection, spentCollection].map((each) => sweepCollection(engine, store, each, clock.now(), limit)),
    ),
  );
  return found.includes(true);
}

async function sweepCollection(
  engine: Engine,
  store: string,
  collection: string,
  now: number,
  limit: number,
): Promise<boolean> {
  try {
    const ids = engine.read(() => engine.store(store).recordIndex(collection).idsBelow('until', timeKey(now), limit));
    if (ids.length === 0) return false;
    await engine.submit(engine.command(ids.map((id) => ({ op: 'delete_record', store, collection, id }))));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}
