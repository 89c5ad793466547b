import type { Store } from '#engine';
import { userGroup, userHolder } from '../../../directory/assignments/index.ts';
import { type GroupEntry, getUser, slugsOf, userIdsOf, userSubject } from '../../../directory/records/index.ts';
import { assign, revokeAll } from '../../../kernel/assignments/index.ts';
import type { Transaction } from '../../../kernel/transactions/index.ts';
import { isId } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';

/** Most members that one request may add and remove. */
const CHANGES_MAX = 20_000;
/** Ids of unknown members that an audit entry names. */
const NAMED_MAX = 100;

/** Collects the changes of a group's members by the operations of one request, in their order. */
export class MemberChanges {
  /** The whole list, where an operation has set it. */
  #list: Set<string> | undefined;
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();

  replace(ids: readonly string[]): void {
    this.#list = new Set(ids);
  }

  add(ids: readonly string[]): void {
    for (const id of ids) {
      (this.#list ?? this.#added).add(id);
      this.#removed.delete(id);
    }
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      (this.#list ?? this.#added).delete(id);
      this.#removed.add(id);
    }
  }

  /** Whether somebody is a member after the operations so far. To be called inside a snapshot. */
  has(store: Store, name: string, id: string): boolean {
    if (this.#list !== undefined) return this.#list.has(id);
    return this.#added.has(id) || (!this.#removed.has(id) && isMember(store, name, id));
  }

  /** The members after the operations so far. To be called inside a snapshot. */
  of(store: Store, name: string): ReadonlySet<string> {
    const ids = new Set(this.#list ?? userIdsOf(store, 'group', name));
    if (this.#list !== undefined) return ids;
    for (const id of this.#added) ids.add(id);
    for (const id of this.#removed) ids.delete(id);
    return ids;
  }

  /**
   * Puts them into a transaction. Members that are no users of the organization are left out, and told in the audit log.
   * The list that they were worked out from is no precondition of it: whoever changes it writes the group's record.
   * @returns whether anybody comes or goes
   * @throws ProblemError 403; 400 for too many, and for unknown members where the settings are strict
   */
  apply(transaction: Transaction, group: GroupEntry, { strict }: { readonly strict: boolean }): boolean {
    const { store } = transaction;
    const { name } = group.document;
    const before = transaction.changes.length;
    const { added, removed } = this.#difference(store, name);
    if (added.length + removed.length > CHANGES_MAX) {
      throw scimError('tooMany', `members: a request can add and remove at most ${CHANGES_MAX}.`);
    }
    const users = added.map((id) => ({ id, user: isId(id) ? getUser(store, id) : undefined }));
    const unknown = users.flatMap(({ id, user }) => (user === undefined ? [id] : []));
    if (strict && unknown.length > 0) {
      throw scimError('invalidValue', `members: there is no user ${JSON.stringify(unknown[0])}.`);
    }
    if (added.length > unknown.length) {
      assign(
        transaction,
        userGroup,
        group,
        users.flatMap(({ user }) => user ?? []),
      );
    }
    if (removed.length > 0) {
      const holders = removed.map((id) => userHolder(store, id));
      revokeAll(transaction, userGroup, name, holders);
    }
    if (unknown.length > 0) {
      transaction.audit({
        eventType: 'admin.action',
        action: 'group.unknown_members',
        targetId: group.id,
        targetType: 'group',
        metadata: { group: name, count: unknown.length, members: unknown.slice(0, NAMED_MAX) },
      });
    }
    return transaction.changes.length > before;
  }

  #difference(store: Store, name: string): { readonly added: readonly string[]; readonly removed: readonly string[] } {
    if (this.#list !== undefined) {
      const wanted = this.#list;
      const current = new Set(userIdsOf(store, 'group', name));
      return {
        added: [...wanted].filter((id) => !current.has(id)),
        removed: [...current].filter((id) => !wanted.has(id)),
      };
    }
    return { added: [...this.#added], removed: [...this.#removed].filter((id) => isMember(store, name, id)) };
  }
}

/** Who has expired is none. To be called inside a snapshot. */
export function isMember(store: Store, name: string, id: string): boolean {
  return isId(id) && slugsOf(store, userSubject(id), 'group').includes(name);
}
