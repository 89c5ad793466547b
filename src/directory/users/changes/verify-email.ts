import type { Store } from '#engine';
import { type AuditEvent, type RequestFacts, subjectActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { commitPlanAs, type Plan } from '../../../kernel/transactions/index.ts';
import { getUser, type UserEntry, userSubject } from '../../records/index.ts';
import { findLink, spend } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { planChange } from './update-user.ts';
import { aboutUser, userUpdated } from './user-events.ts';

/**
 * Marks the address verified to which a link was mailed, for whoever holds it. `undefined`: there is no such link, or
 * no longer, or the user has another address now.
 */
export async function redeemEmailVerification(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  token: string,
): Promise<UserEntry | undefined> {
  const { store } = organization;
  const find = (now: number) => {
    const link = findLink(store, token, 'verify-email', now);
    const user = link && getUser(store, link.document.userId);
    return user !== undefined && user.document.email === link?.document.email ? { link, user } : undefined;
  };
  const first = dependencies.engine.read(() => find(dependencies.clock.now()));
  if (first === undefined) return undefined;
  const actor = subjectActor(userSubject(first.user.id));
  return commitPlanAs(dependencies, organization, actor, facts, (now) => {
    const found = find(now);
    if (found === undefined) return { changes: [], entries: [], result: undefined };
    const { user, link } = found;
    const plan = planVerified(store, user, now);
    const { change, spent } = spend(store, link);
    return {
      ...plan,
      changes: [...plan.changes, change],
      preconditions: [...(plan.preconditions ?? []), spent],
      entries: verified(user),
    };
  });
}

/** Marks the address of a user verified, where it is not. */
export function planVerified(store: Store, user: UserEntry, now: number): Plan<UserEntry> {
  const document = { ...user.document, emailVerified: true };
  return planChange(store, user, document, now, { entries: verified(user), events: [userUpdated] });
}

function verified({ id }: UserEntry): AuditEvent[] {
  return [aboutUser(id, 'user.updated', 'user.verify_email')];
}
