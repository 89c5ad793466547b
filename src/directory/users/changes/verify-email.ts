import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type OrganizationTransaction, transactAs } from '../../../kernel/transactions/index.ts';
import { type UserEntry, userActing } from '../../records/index.ts';
import { followLink, spend } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { changeUser } from './update-user.ts';
import { aboutUser, userUpdated } from './user-events.ts';

/**
 * Marks the address verified to which a link was mailed, for whoever holds it.
 * @returns the id of the user; `undefined`: there is no such link, or no longer, or the user has another address now
 */
export async function redeemEmailVerification(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  token: string,
): Promise<string | undefined> {
  const { store } = organization;
  const find = (now: number) => followLink(store, token, 'verify-email', now);
  const first = dependencies.engine.read(() => find(dependencies.clock.now()));
  if (first === undefined) return undefined;
  const actor = userActing(first.user.id);
  return transactAs(dependencies, organization, actor, facts, (transaction) => {
    const found = find(transaction.now);
    if (found === undefined) return undefined;
    const { user, link } = found;
    spend(transaction, link);
    if (user.document.emailVerified) transaction.audit(verified(user));
    verifyEmail(transaction, user);
    return user.id;
  });
}

/** Marks the address of a user verified, where it is not. */
export function verifyEmail(transaction: OrganizationTransaction, user: UserEntry): void {
  const document = { ...user.document, emailVerified: true };
  changeUser(transaction, user, document, { entries: [verified(user)], events: [userUpdated] });
}

function verified({ id }: UserEntry) {
  return aboutUser(id, 'user.updated', 'user.verify_email');
}
