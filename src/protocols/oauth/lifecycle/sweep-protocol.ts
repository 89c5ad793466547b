import type { Change, Store } from '#engine';
import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import type { SetAside } from '../../../platform/index.ts';
import { goneClientRecords } from '../clients/index.ts';
import { consentRecords } from '../consent/consents.ts';

/**
 * Removes, in each organization, at most `limit` consents to clients that are gone. Answers whether there may be more.
 */
export function sweepProtocol(dependencies: WalkDependencies): SweepStep {
  return sweepOrganizations(dependencies, 'consents', {
    plan: (store, limit, aside) => ({ changes: leftConsents(store, limit, aside) }),
  });
}

/**
 * Deletions of at most `limit` consents to a client that is gone. Until then they mean nothing, because its id is never
 * given again. To be called inside a snapshot.
 */
function leftConsents(store: Store, limit: number, aside: SetAside): Change[] {
  const gone = goneClientRecords.index(store).ids(undefined, '', { limit: 1 + aside.size });
  const id = gone.find((each) => !aside.has(goneClientRecords.collection, each));
  if (id === undefined) return [];
  const all = consentRecords.index(store).ids('client', id, { limit: limit + aside.size });
  const left = all.filter((each) => !aside.has(consentRecords.collection, each));
  if (left.length > 0) return consentRecords.deletions(store, left);
  return [goneClientRecords.delete(store, id)];
}
