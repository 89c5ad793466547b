import { type Change, type Engine, EngineError, type Store } from '#engine';
import { storeOf } from '../../orgs/index.ts';
import { goneClientCollection } from '../clients/index.ts';
import { consentDeletion, consentsOf } from './consent-record.ts';

/** So many clients a user can have agreed to, and no deletion leaves any behind. */
const OF_USER_MAX = 10_000;

/** What goes with a user. To be called inside a snapshot. */
export function forgetConsents(store: Store, userId: string): Change[] {
  return consentsOf(store, 'user', userId, OF_USER_MAX).map((entry) => consentDeletion(store, entry));
}

/**
 * Removes, in each organization, at most `limit` consents to clients that are gone: nobody has such an id again, so that
 * they mean nothing meanwhile. Answers whether there may be more.
 */
export async function sweepConsents(engine: Engine, limit: number): Promise<boolean> {
  let isMore = false;
  for (const name of engine.storeNames()) {
    if (name.startsWith(storeOf('')) && (await sweepStore(engine, name, limit))) isMore = true;
  }
  return isMore;
}

async function sweepStore(engine: Engine, name: string, limit: number): Promise<boolean> {
  try {
    const changes = engine.read(() => step(engine.store(name), limit));
    if (changes.length === 0) return false;
    await engine.submit(engine.command(changes));
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown_store') return false;
    throw error;
  }
}

function step(store: Store, limit: number): Change[] {
  const [id] = store.recordIndex(goneClientCollection).ids(undefined, '', { limit: 1 });
  if (id === undefined) return [];
  const left = consentsOf(store, 'client', id, limit);
  if (left.length > 0) return left.map((entry) => consentDeletion(store, entry));
  return [{ op: 'delete_record', store: store.name, collection: goneClientCollection, id }];
}
