import type { Change, Store } from '#engine';
import { endedRecords, type SweepStep, sweepOrganizations, type WalkParts } from '../orgs/index.ts';
import type { SetAside } from '../platform/index.ts';
import { goneCollection } from '../social/index.ts';
import { arrivalCollection, attemptCollection, proofCollection } from './flow/attempt-record.ts';
import { dropIdentity, identityCollection } from './identities/identity-record.ts';

const ending = [attemptCollection, arrivalCollection, proofCollection];
/** Most removed providers that one step looks at. */
const GONE_MAX = 1000;

/**
 * Removes, in each organization, at most `limit` records of attempts that are over, and of identities whose provider is
 * gone. Answers whether there may be more.
 */
export function sweepFederation(parts: WalkParts): SweepStep {
  return sweepOrganizations(parts, 'federation', (store, limit, aside) => {
    const over = endedRecords(store, ending, { index: 'expires', now: parts.clock.now(), limit, aside });
    return { changes: [...over, ...leftBehind(store, limit, aside)].slice(0, limit) };
  });
}

/** Of a provider, all identities first, and what says that it is gone once there are none. */
function leftBehind(store: Store, limit: number, aside: SetAside): Change[] {
  const gone = store.recordIndex(goneCollection).ids(undefined, '', { limit: GONE_MAX + aside.size });
  return gone.flatMap((id): Change[] => {
    if (aside.has(goneCollection, id)) return [];
    const all = store.recordIndex(identityCollection).ids('provider', id, { limit: limit + aside.size });
    const identities = all.filter((each) => !aside.has(identityCollection, each));
    if (identities.length > 0) return identities.map((each) => dropIdentity(store, each));
    return [{ op: 'delete_record', store: store.name, collection: goneCollection, id }];
  });
}
