import type { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { type Assignment, assign, hasForGood, revoke } from '../../../kernel/assignments/index.ts';
import {
  entriesAnswer,
  type Family,
  type ListBounds,
  type ListQuery,
  mapListed,
  parametersOf,
} from '../../../kernel/lists/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { type Asking, invalid, type Transaction } from '../../../kernel/transactions/index.ts';
import { userGroup, userPermission, userRole } from '../../assignments/index.ts';
import { groupNamed, permissionNamed, roleNamed, type UserEntry, type UserRecord } from '../../records/index.ts';
import type { AssignableView, AssignableViews } from '../dependencies.ts';

/** A role, group or permission that can be assigned to a user. */
export interface AssignableItem {
  readonly id: string;
  readonly slug: string;
  /** @throws ProblemError 403 where the caller does not hold it */
  requireHeld(asking: Asking): void;
  isAssigned(transaction: Transaction, user: UserEntry): boolean;
  assign(transaction: Transaction, user: UserEntry): void;
}

/** What can be assigned to users, by kind: roles, groups, permissions. */
export interface AssignableKind {
  readonly type: 'role' | 'group' | 'permission';
  /** In bodies and paths: `roleId`. */
  readonly idName: 'roleId' | 'groupId' | 'permissionId';
  readonly plural: 'roles' | 'groups' | 'permissions';
  /** What assigning and revoking needs. */
  readonly right: SystemPermission;
  /** By id, slug or number; `undefined` where there is none. */
  named(store: Store, text: string): AssignableItem | undefined;
  revoke(transaction: Transaction, slug: string, user: UserEntry): void;
  schema(views: AssignableViews, family: Family): z.ZodType;
  /** The parameters of a list of them. */
  parameters(views: AssignableViews, bounds: ListBounds): ReturnType<typeof parametersOf>;
  /** One page of those with these slugs, as a family shows them. */
  page(views: AssignableViews, store: Store, slugs: readonly string[], query: ListQuery, family: Family): unknown;
}

interface KindSpec<Thing> extends Pick<AssignableKind, 'type' | 'idName' | 'plural'> {
  readonly named: (store: Store, text: string) => RecordEntry<Thing> | undefined;
  readonly view: (views: AssignableViews) => AssignableView<RecordEntry<Thing>>;
}

function kindOf<Thing extends object>(
  assignment: Assignment<Thing, UserRecord>,
  { type, idName, plural, named, view }: KindSpec<Thing>,
): AssignableKind {
  const { assignable } = assignment;
  const itemOf = (entry: RecordEntry<Thing> | undefined): AssignableItem | undefined =>
    entry && {
      id: entry.id,
      slug: assignable.slugOf(entry.document),
      requireHeld: (asking) => assignable.requireHeld(asking, assignable.slugOf(entry.document)),
      isAssigned: (transaction, user) => hasForGood(transaction, assignment, entry, user),
      assign: (transaction, user) => assign(transaction, assignment, entry, [user]),
    };
  return {
    type,
    idName,
    plural,
    right: assignable.right,
    named: (store, text) => itemOf(named(store, text)),
    revoke: (transaction, slug, user) => revoke(transaction, assignment, slug, user),
    schema: (views, family) => view(views).schema(family),
    parameters: (views, bounds) => parametersOf(view(views).definition.sorts, bounds),
    page(views, store, slugs, query, family) {
      const { definition, show } = view(views);
      const entries = slugs.flatMap((slug) => assignable.bySlug(store, slug) ?? []);
      return mapListed(entriesAnswer(definition, entries, query, family), (entry) => show(store, entry, family));
    },
  };
}

export const assignableKinds = {
  roles: kindOf(userRole, {
    type: 'role',
    idName: 'roleId',
    plural: 'roles',
    named: roleNamed,
    view: ({ role }) => role,
  }),
  groups: kindOf(userGroup, {
    type: 'group',
    idName: 'groupId',
    plural: 'groups',
    named: groupNamed,
    view: ({ group }) => group,
  }),
  permissions: kindOf(userPermission, {
    type: 'permission',
    idName: 'permissionId',
    plural: 'permissions',
    named: permissionNamed,
    view: ({ permission }) => permission,
  }),
} as const;

/** Those that are named so, each once. @throws ProblemError 400 naming the first that does not exist */
export function itemsOf(kind: AssignableKind, store: Store, slugs: readonly string[]): AssignableItem[] {
  const found = new Map<string, AssignableItem>();
  slugs.forEach((slug, index) => {
    const each = kind.named(store, slug);
    if (each === undefined) throw invalid(`${kind.plural}[${index}]`, `there is no ${kind.type} ${slug}`);
    found.set(each.id, each);
  });
  return [...found.values()];
}
