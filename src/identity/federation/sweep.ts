import type { Change, Store } from '#engine';
import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../kernel/organizations/index.ts';
import type { SetAside } from '../../platform/index.ts';
import { goneProviderRecords } from '../providers/index.ts';
import { identityRecords } from './identities/identity-record.ts';

/** Most removed providers that one step looks at. */
const GONE_MAX = 1000;

/** Removes, in each organization, at most `limit` identities whose provider is gone. Answers whether there may be more. */
export function sweepFederation(dependencies: WalkDependencies): SweepStep {
  return sweepOrganizations(dependencies, 'gone_providers', {
    plan: (store, limit, aside) => ({ changes: leftBehind(store, limit, aside).slice(0, limit) }),
  });
}

/** Of a provider, all identities first, and what says that it is gone once there are none. */
function leftBehind(store: Store, limit: number, aside: SetAside): Change[] {
  const gone = goneProviderRecords.index(store).ids(undefined, '', { limit: GONE_MAX + aside.size });
  return gone.flatMap((id): Change[] => {
    if (aside.has(goneProviderRecords.collection, id)) return [];
    const all = identityRecords.index(store).ids('provider', id, { limit: limit + aside.size });
    const identities = all.filter((each) => !aside.has(identityRecords.collection, each));
    if (identities.length > 0) return identityRecords.deletions(store, identities);
    return [goneProviderRecords.delete(store, id)];
  });
}
