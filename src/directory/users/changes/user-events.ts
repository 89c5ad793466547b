import type { Happening } from '../../../kernel/audit/index.ts';
import type { DomainEvent } from '../../../kernel/transactions/index.ts';
import type { UserEntry } from '../../records/index.ts';
import { orgUser } from '../view/user-view.ts';

/** An audit entry about a user. What tells something about the person goes into `personal`. */
export function aboutUser(
  userId: string,
  eventType: string,
  action: string,
  details: Pick<Happening, 'metadata' | 'personal' | 'severity'> = {},
): Happening {
  return { eventType, action, targetId: userId, targetType: 'user', ...details };
}

/** An event of the catalogs with the user as it is afterwards. */
export function userEvent(
  type: string,
  user: UserEntry,
  given: { readonly roles: readonly string[]; readonly groups: readonly string[] },
): DomainEvent {
  return {
    type,
    data: { userId: user.id, email: user.document.email, user: orgUser(user, given.roles, given.groups) },
  };
}
