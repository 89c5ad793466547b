import { type Change, type Engine, EngineError, type Store } from '#engine';
import { storeOf } from '../orgs/index.ts';
import { type Clock, timeKey } from '../platform/index.ts';
import { goneCollection } from '../social/index.ts';
import { arrivalCollection, attemptCollection, proofCollection } from './flow/attempt-record.ts';
import { dropIdentity, identityCollection } from './identities/identity-record.ts';

const expiring = [attemptCollection, arrivalCollection, proofCollection];

/**
 * Removes, in each organization, at most `limit` records of attempts that are over, and of identities whose provider is
 * gone. Answers whether there may be more.
 */
export async function sweepFederation(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  let isMore = false;
  for (const name of engine.storeNames()) {
    if (name.startsWith(storeOf('')) && (await sweepStore(engine, name, clock.now(), limit))) isMore = true;
  }
  return isMore;
}

async function sweepStore(engine: Engine, name: string, now: number, limit: number): Promise<boolean> {
  try {
    const changes = engine.read(() => {
      const store = engine.store(name);
      return [...expired(store, now, limit), ...leftBehind(store, limit)].slice(0, limit);
    });
    if (changes.length === 0) return false;
    await engine.submit(engine.command(changes));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}

function expired(store: Store, now: number, limit: number): Change[] {
  return expiring.flatMap((collection) => {
    const ids = store.recordIndex(collection).idsBelow('expires', timeKey(now), limit);
    return ids.map((id): Change => ({ op: 'delete_record', store: store.name, collection, id }));
  });
}

/** Of a provider, all identities first, and what says that it is gone once there are none. */
function leftBehind(store: Store, limit: number): Change[] {
  return store.records.list(goneCollection).flatMap(({ id }): Change[] => {
    const identities = store.recordIndex(identityCollection).ids('provider', id, { limit });
    if (identities.length > 0) return identities.map((each) => dropIdentity(store, each));
    return [{ op: 'delete_record', store: store.name, collection: goneCollection, id }];
  });
}
