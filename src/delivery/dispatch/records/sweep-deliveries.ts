import { type SweepStep, sweepOrganizations, type WalkDependencies } from '../../../kernel/organizations/index.ts';
import { deliveryRecords } from './delivery-record.ts';

/** Removes, in each organization, deliveries that are too many: the oldest first. Those that are too old expire. */
export function sweepDeliveries(
  dependencies: WalkDependencies,
  { deliveriesPerOrganization }: { readonly deliveriesPerOrganization: number },
): SweepStep {
  return sweepOrganizations(dependencies, 'old_deliveries', (store, limit, aside) => {
    const index = deliveryRecords.index(store);
    const tooMany = index.count(undefined, '') - deliveriesPerOrganization;
    if (tooMany <= 0) return { changes: [] };
    // ids begin with the time of their event
    const ids = index.ids(undefined, '', { limit: Math.min(limit, tooMany) + aside.size });
    const removed = ids.filter((id) => !aside.has(deliveryRecords.collection, id)).slice(0, Math.min(limit, tooMany));
    return { changes: deliveryRecords.deletions(store, removed) };
  });
}
