import type { Change, Precondition, Store } from '#engine';
import { type AuditMaker, auditedAs, systemActor } from '../../../kernel/audit/index.ts';
import {
  type OrganizationDirectory,
  type SweepPlan,
  type SweepStep,
  slugOf,
  sweepOrganizations,
  type WalkDependencies,
} from '../../../kernel/organizations/index.ts';
import type { Log, SetAside } from '../../../platform/index.ts';
import { deliveryRecords } from './delivery-record.ts';
import { readAside } from './read-aside.ts';
import { subscriptionStateRecords } from './subscription-state.ts';

export interface DeliverySweepDependencies extends WalkDependencies {
  readonly audit: AuditMaker;
  readonly directory: Pick<OrganizationDirectory, 'find'>;
  readonly log: Pick<Log, 'warn'>;
  readonly limits: { readonly deliveriesPerOrganization: number };
  /** Counts deliveries that are never made. */
  readonly missed: (count: number) => void;
}

/** Values of an index that are read in one go. */
const VALUES_PAGE = 1000;
/** Subscriptions that one entry of the audit log names; it has the number of all. */
const NAMED_MAX = 50;

/**
 * Removes, in each organization, deliveries that are too many: those that have ended first, the oldest of them. Where all
 * are pending, the oldest are never made: their subscriptions count them as failed, and the audit log says so. Those that
 * are too old expire.
 */
export function sweepDeliveries(dependencies: DeliverySweepDependencies): SweepStep {
  const { limits } = dependencies;
  const plan = (store: Store, limit: number, aside: SetAside): SweepPlan => {
    const tooMany = deliveryRecords.index(store).count(undefined, '') - limits.deliveriesPerOrganization;
    if (tooMany <= 0) return { changes: [] };
    const most = Math.min(limit, tooMany);
    const ended = oldestEnded(store, most, aside);
    return ended.length > 0
      ? { changes: deliveryRecords.deletions(store, ended) }
      : missing(dependencies, store, most, aside);
  };
  return sweepOrganizations(dependencies, 'old_deliveries', { plan });
}

/** Ids begin with the time of their event. There may be more than are answered, but none between them. */
function oldestEnded(store: Store, most: number, aside: SetAside): string[] {
  const index = deliveryRecords.index(store);
  const limit = most + aside.size;
  let found: string[] = [];
  for (const outcome of outcomesIn(store)) {
    if (!outcome.endsWith(' pending'))
      found = [...found, ...index.ids('#outcome', outcome, { limit })].sort().slice(0, limit);
  }
  return found.filter((id) => !aside.has(deliveryRecords.collection, id)).slice(0, most);
}

/** Of each subscription that has deliveries. */
function* outcomesIn(store: Store): Generator<string> {
  const index = deliveryRecords.index(store);
  for (let after: string | undefined; ; ) {
    const page = index.keys('#outcome', { after, limit: VALUES_PAGE });
    yield* page;
    after = page.at(-1);
    if (after === undefined) return;
  }
}

/** All that are left are pending. */
function missing(dependencies: DeliverySweepDependencies, store: Store, most: number, aside: SetAside): SweepPlan {
  const removed: string[] = [];
  const counts = new Map<string, number>();
  for (const id of deliveryRecords.index(store).ids(undefined, '', { limit: most + aside.size })) {
    const entry = removed.length < most ? readAside(aside, deliveryRecords, store, id) : undefined;
    if (entry === undefined) continue;
    const { subscription } = entry.document;
    removed.push(id);
    counts.set(subscription, (counts.get(subscription) ?? 0) + 1);
  }
  const counted = countedAsFailed(store, counts, aside);
  return {
    changes: [...deliveryRecords.deletions(store, removed), ...counted.changes, ...told(dependencies, store, counts)],
    preconditions: counted.preconditions,
    onCommitted() {
      dependencies.missed(removed.length);
      for (const [subscription, count] of counts) {
        dependencies.log.warn(
          { organization: slugOf(store.name), subscription, count },
          'deliveries were too many to be kept and made',
        );
      }
    },
  };
}

type Counts = ReadonlyMap<string, number>;

function countedAsFailed(store: Store, counts: Counts, aside: SetAside) {
  const changes: Change[] = [];
  const preconditions: Precondition[] = [];
  for (const [key, count] of counts) {
    // one that is gone has no state
    const state = readAside(aside, subscriptionStateRecords, store, key);
    if (state === undefined) continue;
    changes.push(
      subscriptionStateRecords.put(store, key, { ...state.document, failed: state.document.failed + count }),
    );
    preconditions.push(subscriptionStateRecords.same(store, state));
  }
  return { changes, preconditions };
}

function told({ audit, directory }: DeliverySweepDependencies, store: Store, counts: Counts): Change[] {
  const organization = directory.find(slugOf(store.name));
  if (organization === undefined || counts.size === 0) return [];
  const sum = [...counts.values()].reduce((all, count) => all + count, 0);
  const subscriptions = Object.fromEntries([...counts].slice(0, NAMED_MAX));
  return auditedAs(audit, organization, systemActor, undefined, {
    eventType: 'admin.action',
    action: 'delivery.drop',
    severity: 'warning',
    result: 'failure',
    metadata: { count: sum, ofSubscriptions: counts.size, subscriptions },
  });
}
