import type { RecordEntry, Store } from '#engine';
import { type Assignment, assign, hasForGood, revoke } from '../../../kernel/assignments/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { invalid, type Transaction } from '../../../kernel/transactions/index.ts';
import { userGroup, userPermission, userRole } from '../../assignments/index.ts';
import { getPermission, groupRecords, roleRecords, type UserEntry, type UserRecord } from '../../records/index.ts';
import type { GivenView, GivenViews, UserDependencies } from '../dependencies.ts';

/** Something that can be given to a user. */
export interface Givable {
  readonly id: string;
  readonly slug: string;
  /** @throws ProblemError 403 where the caller does not hold it */
  requireHeld(dependencies: UserDependencies, caller: Caller, now: number): void;
  isHad(transaction: Transaction, user: UserEntry): boolean;
  give(transaction: Transaction, user: UserEntry): void;
}

/** One kind of thing that users are given: roles, groups, permissions. */
export interface GivenKind {
  readonly type: 'role' | 'group' | 'permission';
  /** In bodies and paths: `roleId`. */
  readonly idName: 'roleId' | 'groupId' | 'permissionId';
  readonly plural: 'roles' | 'groups' | 'permissions';
  /** What giving and taking needs. */
  readonly right: SystemPermission;
  /** `undefined` where there is none, also where the text is no id. */
  byId(store: Store, id: string): Givable | undefined;
  bySlug(store: Store, slug: string): Givable | undefined;
  take(transaction: Transaction, slug: string, user: UserEntry): void;
  view(views: GivenViews): Pick<GivenView<never>, 'schema'>;
  show(views: GivenViews, store: Store, slugs: readonly string[]): readonly Shown[];
}

/** How one of them is shown, made only where it is. */
export type Shown = (family: Parameters<GivenView<never>['show']>[2]) => unknown;

interface KindSpec<Thing> {
  readonly type: GivenKind['type'];
  readonly idName: GivenKind['idName'];
  readonly plural: GivenKind['plural'];
  readonly byId: (store: Store, id: string) => RecordEntry<Thing> | undefined;
  readonly view: (views: GivenViews) => GivenView<RecordEntry<Thing>>;
}

function kindOf<Thing extends object>(
  assignment: Assignment<Thing, UserRecord>,
  { type, idName, plural, byId, view }: KindSpec<Thing>,
): GivenKind {
  const { assignable, right } = assignment;
  const givable = (entry: RecordEntry<Thing> | undefined): Givable | undefined =>
    entry && {
      id: entry.id,
      slug: assignable.slugOf(entry.document),
      requireHeld: (dependencies, caller, now) =>
        assignable.requireHeld(dependencies, caller, assignable.slugOf(entry.document), now),
      isHad: (transaction, user) => hasForGood(transaction, assignment, entry, user),
      give: (transaction, user) => assign(transaction, assignment, entry, [user]),
    };
  return {
    type,
    idName,
    plural,
    right,
    byId: (store, id) => givable(byId(store, id)),
    bySlug: (store, slug) => givable(assignable.bySlug(store, slug)),
    take: (transaction, slug, user) => revoke(transaction, assignment, slug, user),
    view,
    show: (views, store, slugs) =>
      slugs.flatMap((slug) => {
        const entry = assignable.bySlug(store, slug);
        return entry === undefined ? [] : [(family) => view(views).show(store, entry, family)];
      }),
  };
}

export const givenKinds = {
  roles: kindOf(userRole, {
    type: 'role',
    idName: 'roleId',
    plural: 'roles',
    byId: (store, id) => roleRecords.get(store, id),
    view: ({ role }) => role,
  }),
  groups: kindOf(userGroup, {
    type: 'group',
    idName: 'groupId',
    plural: 'groups',
    byId: (store, id) => groupRecords.get(store, id),
    view: ({ group }) => group,
  }),
  permissions: kindOf(userPermission, {
    type: 'permission',
    idName: 'permissionId',
    plural: 'permissions',
    byId: (store, id) => (/^[1-9]\d{0,11}$/.test(id) ? getPermission(store, Number(id)) : undefined),
    view: ({ permission }) => permission,
  }),
} as const;

/** Those with these slugs, each once. @throws ProblemError 400 naming the place of a slug that there is none of */
export function givablesOf(kind: GivenKind, store: Store, slugs: readonly string[]): Givable[] {
  const found = new Map<string, Givable>();
  slugs.forEach((slug, place) => {
    const each = kind.bySlug(store, slug);
    if (each === undefined) throw invalid(`${kind.plural}[${place}]`, `there is no ${kind.type} ${slug}`);
    found.set(each.id, each);
  });
  return [...found.values()];
}
