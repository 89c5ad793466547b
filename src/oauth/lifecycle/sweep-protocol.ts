import { type Engine, EngineError } from '#engine';
import { storeOf } from '../../orgs/index.ts';
import { type Clock, timeKey } from '../../platform/index.ts';
import { requestCollection } from '../authorize/request/request-record.ts';
import { spentCollection } from '../clients/index.ts';
import { codeCollection } from '../codes/code-record.ts';
import { sweepConsents } from '../consent/forget-consents.ts';
import { deviceCollection } from '../device/device-record.ts';

/** Collections whose records have the time of their end in the index `until`. */
const ending = [spentCollection, requestCollection, codeCollection, deviceCollection] as const;

/**
 * Removes, in each organization, at most `limit` of each kind of what the protocol keeps for a time. Answers whether
 * there may be more.
 */
export async function sweepProtocol(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  let isMore = await sweepConsents(engine, limit);
  for (const store of engine.storeNames()) {
    if (store.startsWith(storeOf('')) && (await sweepStore(engine, store, clock.now(), limit))) isMore = true;
  }
  return isMore;
}

async function sweepStore(engine: Engine, store: string, now: number, limit: number): Promise<boolean> {
  try {
    const changes = engine.read(() =>
      ending.flatMap((collection) =>
        engine
          .store(store)
          .recordIndex(collection)
          .idsBelow('until', timeKey(now), limit)
          .map((id) => ({ op: 'delete_record', store, collection, id }) as const),
      ),
    );
    if (changes.length === 0) return false;
    await engine.submit(engine.command(changes));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}
