import { type Engine, EngineError } from '#engine';
import { storeOf } from '../../orgs/index.ts';
import { type Clock, timeKey } from '../../platform/index.ts';
import { linkCollection } from '../links/link-record.ts';
import { mailCountCollection } from '../links/mail-budget.ts';
import { flowCollection } from './flow-record.ts';

/** What has a time in its index `expires` after which it is nothing. */
const collections = [flowCollection, linkCollection, mailCountCollection];

/** Removes, in each organization, at most `limit` records of sign-ins that are over. Answers whether there may be more. */
export async function sweepSignIns(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  const stores = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
  const steps = stores.flatMap((store) =>
    collections.map((name) => sweepStore(engine, store, name, clock.now(), limit)),
  );
  return (await Promise.all(steps)).includes(true);
}

async function sweepStore(
  engine: Engine,
  store: string,
  collection: string,
  now: number,
  limit: number,
): Promise<boolean> {
  try {
    const ids = engine.read(() => engine.store(store).recordIndex(collection).idsBelow('expires', timeKey(now), limit));
    if (ids.length === 0) return false;
    await engine.submit(engine.command(ids.map((id) => ({ op: 'delete_record', store, collection, id }))));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}
