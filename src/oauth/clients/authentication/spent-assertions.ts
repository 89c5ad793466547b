import { type Engine, EngineError } from '#engine';
import { storeOf } from '../../../orgs/index.ts';
import { type Clock, digestOf, timeKey } from '../../../platform/index.ts';
import type { ProvedAssertion } from './assertion.ts';

/** Collection of an organization's store: assertions that were used, until they would be refused by their age. */
export const spentCollection = 'spent_assertions';

/** Uses an assertion up, on disk and across threads. False where it was used before. */
export async function spendAssertion(
  engine: Engine,
  store: string,
  clientId: string,
  { jti, until }: ProvedAssertion,
): Promise<boolean> {
  const id = digestOf(`${clientId}\n${jti}`);
  const place = { store, collection: spentCollection };
  const record = { collection: spentCollection, id, document: {}, indexes: { until: timeKey(until) } };
  try {
    await engine.submit(
      engine.command([{ op: 'put_record', store, record }], {
        preconditions: [{ require: 'record_absent', ...place, id }],
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'precondition_failed') return false;
    throw error;
  }
}

/** Removes, in each organization, at most `limit` that have expired. Answers whether there may be more. */
export async function sweepAssertions(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  let isMore = false;
  for (const store of engine.storeNames()) {
    if (store.startsWith(storeOf('')) && (await sweepStore(engine, store, clock.now(), limit))) isMore = true;
  }
  return isMore;
}

async function sweepStore(engine: Engine, store: string, now: number, limit: number): Promise<boolean> {
  try {
    const ids = engine.read(() =>
      engine.store(store).recordIndex(spentCollection).idsBelow('until', timeKey(now), limit),
    );
    if (ids.length === 0) return false;
    const place = { store, collection: spentCollection };
    await engine.submit(engine.command(ids.map((id) => ({ op: 'delete_record', ...place, id }))));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}
