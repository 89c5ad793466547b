import type { Store } from '#engine';
import { existing, invalid } from '../../../kernel/transactions/index.ts';
import { slugsOf, type UserEntry, userRecords, userSubject } from '../../records/index.ts';
import { type AssignableItem, type AssignableKind, itemsOf } from './assignable-kinds.ts';
import { transactOnUser, type UserRequest } from './user-request.ts';

interface Wish {
  readonly assigned: readonly AssignableItem[];
  /** Slugs: what is revoked need not have a record any more. */
  readonly revoked: readonly string[];
}

type WishOf = (store: Store, kind: AssignableKind, user: UserEntry) => Wish;

/** Assigns one role, group or permission. Nothing happens where the user has it already. */
export function assigning(itemId: string): WishOf {
  return (store, kind) => {
    const item = kind.named(store, itemId);
    if (item === undefined) throw invalid(kind.idName, `there is no ${kind.type} ${itemId}`);
    return { assigned: [item], revoked: [] };
  };
}

/** Revokes one. @throws ProblemError 404 where the user does not have it */
export function revoking(itemId: string): WishOf {
  return (store, kind) => ({ assigned: [], revoked: [existing(kind.named(store, itemId)).slug] });
}

/** Assigns exactly these, and revokes every other one. */
export function exactly(slugs: readonly string[]): WishOf {
  return (store, kind, user) => {
    const assigned = itemsOf(kind, store, slugs);
    const kept = new Set(assigned.map(({ slug }) => slug));
    const revoked = slugsOf(store, userSubject(user.id), kind.type).filter((slug) => !kept.has(slug));
    return { assigned, revoked };
  };
}

/** Changes what a user has of one kind: roles, groups or permissions. @returns the id of the user */
export function changeAssigned(request: UserRequest, kind: AssignableKind, wish: WishOf): Promise<string> {
  const { store } = request.caller.organization;
  return transactOnUser(request, (transaction, user) => {
    transaction.require(kind.right);
    const { assigned, revoked } = wish(store, kind, user);
    // what the user keeps, the caller need not hold
    const added = assigned.filter((each) => !each.isAssigned(transaction, user));
    for (const each of added) each.assign(transaction, user);
    for (const slug of revoked) kind.revoke(transaction, slug, user);
    if (added.length + revoked.length > 0) {
      // of two changes at once, the second one sees the first
      transaction.rely(userRecords, user);
      transaction.put(userRecords, user.id, { ...user.document, updatedAt: transaction.now });
    }
    return user.id;
  });
}
