import { systemActor } from '../../kernel/audit/index.ts';
import type { Caller, Organization } from '../../kernel/organizations/index.ts';
import { type AdminDependencies, commitPlanAs, Transaction } from '../../kernel/transactions/index.ts';
import type { EndReason } from './channel.ts';
import type { Subscription } from './served.ts';

/** Turns a subscription off, and tells administrators of it; does nothing where it is off or gone. */
export async function endSubscription(
  dependencies: AdminDependencies,
  subscription: Subscription,
  reason: EndReason,
): Promise<void> {
  const { organization } = subscription;
  const isEnded = await commitPlanAs(dependencies, organization, systemActor, undefined, (now) => {
    const transaction = new Transaction(dependencies, service(organization), now);
    return transaction.plan(subscription.end(transaction, reason));
  });
  if (isEnded) await subscription.ended(reason);
}

/** The service itself, which asks nobody. */
function service(organization: Organization): Caller {
  return { organization, subject: undefined, seesRights: false, may: () => true, isStillValid: () => true };
}
