import type { Change, Engine, Store } from '#engine';
import { endedRecords, sweepOrganizations } from '../orgs/index.ts';
import type { Clock } from '../platform/index.ts';
import { goneCollection } from '../social/index.ts';
import { arrivalCollection, attemptCollection, proofCollection } from './flow/attempt-record.ts';
import { dropIdentity, identityCollection } from './identities/identity-record.ts';

const ending = [attemptCollection, arrivalCollection, proofCollection];

/**
 * Removes, in each organization, at most `limit` records of attempts that are over, and of identities whose provider is
 * gone. Answers whether there may be more.
 */
export function sweepFederation(engine: Engine, clock: Clock, limit: number): Promise<boolean> {
  return sweepOrganizations(engine, (store) => {
    const over = endedRecords(store, ending, 'expires', clock.now(), limit);
    return { changes: [...over, ...leftBehind(store, limit)].slice(0, limit) };
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
