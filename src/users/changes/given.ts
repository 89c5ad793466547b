import type { Precondition, Store, Tuple } from '#engine';
import {
  type AdminParts,
  type DomainEvent,
  invalid,
  requireHeldPermission,
  requireHeldThrough,
} from '../../admin/index.ts';
import {
  assignment,
  findGroup,
  findPermission,
  findRole,
  type GroupEntry,
  getPermission,
  grant,
  groupMembers,
  groupRecords,
  membership,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  restsOnGroup,
  restsOnRole,
  roleAssignees,
  roleRecords,
  userSubject,
} from '../../directory/index.ts';
import type { Caller } from '../../orgs/index.ts';
import { permissionObject, type SystemPermission } from '../../rights/index.ts';
import type { GivenView, GivenViews } from '../parts.ts';

export type GivenEntry = RoleEntry | GroupEntry | PermissionEntry;

/** One kind of thing that a user is given by a tuple: everything that differs between them. */
export interface GivenKind {
  readonly type: 'role' | 'group' | 'permission';
  /** In bodies and paths: `roleId`. */
  readonly idName: 'roleId' | 'groupId' | 'permissionId';
  readonly plural: 'roles' | 'groups' | 'permissions';
  /** What giving and taking needs. */
  readonly permission: SystemPermission;
  /** `undefined` where there is none, also where the text is no id. */
  readonly byId: (store: Store, id: string) => GivenEntry | undefined;
  readonly bySlug: (store: Store, slug: string) => GivenEntry | undefined;
  readonly slug: (entry: GivenEntry) => string;
  readonly tuple: (slug: string, userId: string) => Tuple;
  /** What giving rests on: it must be as it was judged when the command is applied, so that nothing is made anew. */
  readonly restsOn: (store: Store, slug: string) => Precondition[];
  /** What it gives rights as: `role:editor#assignee`. */
  readonly source: (slug: string) => string;
  /** Nobody gives what they do not hold. */
  readonly requireHeld: (parts: AdminParts, caller: Caller, slug: string, now: number) => void;
  readonly view: (views: GivenViews) => GivenView<never>;
  /** Audit event type and action; domain event, where the catalogs have one. */
  readonly given: Happened;
  readonly taken: Happened;
}

interface Happened {
  readonly eventType: string;
  readonly action: string;
  readonly event: string | undefined;
}

// each kind is given only its own entries, which the common type cannot say
const slugOf = (entry: GivenEntry): string => (entry as RoleEntry | PermissionEntry).document.slug;

export const givenKinds = {
  roles: {
    type: 'role',
    idName: 'roleId',
    plural: 'roles',
    permission: 'roles.assign',
    byId: (store, id) => roleRecords.get(store, id),
    bySlug: findRole,
    slug: slugOf,
    tuple: (slug, id) => assignment(slug, userSubject(id)),
    restsOn: restsOnRole,
    source: roleAssignees,
    requireHeld: (parts, caller, slug, now) => requireHeldThrough(parts, caller, roleAssignees(slug), now),
    view: (views) => views.role,
    given: { eventType: 'role.assigned', action: 'role.assign', event: 'role.assigned' },
    taken: { eventType: 'admin.action', action: 'role.unassign', event: 'role.unassigned' },
  },
  groups: {
    type: 'group',
    idName: 'groupId',
    plural: 'groups',
    permission: 'groups.members',
    byId: (store, id) => groupRecords.get(store, id),
    bySlug: findGroup,
    slug: (entry) => (entry as GroupEntry).document.name,
    tuple: (slug, id) => membership(slug, userSubject(id)),
    restsOn: restsOnGroup,
    source: groupMembers,
    requireHeld: (parts, caller, slug, now) => requireHeldThrough(parts, caller, groupMembers(slug), now),
    view: (views) => views.group,
    given: { eventType: 'admin.action', action: 'group.add_member', event: 'group.member_added' },
    taken: { eventType: 'admin.action', action: 'group.remove_member', event: 'group.member_removed' },
  },
  permissions: {
    type: 'permission',
    idName: 'permissionId',
    plural: 'permissions',
    permission: 'permissions.grant',
    byId: (store, id) => (/^[1-9]\d{0,11}$/.test(id) ? getPermission(store, Number(id)) : undefined),
    bySlug: findPermission,
    slug: slugOf,
    tuple: (slug, id) => grant(slug, userSubject(id)),
    restsOn: restsOnPermission,
    source: permissionObject,
    requireHeld: requireHeldPermission,
    view: (views) => views.permission,
    given: { eventType: 'admin.action', action: 'permission.grant', event: undefined },
    taken: { eventType: 'admin.action', action: 'permission.revoke', event: undefined },
  },
} as const satisfies Record<string, GivenKind>;

/** Those with these slugs, each once. @throws ProblemError 400 naming the place of a slug that there is none of */
export function entriesOf(kind: GivenKind, store: Store, slugs: readonly string[]): GivenEntry[] {
  const found = new Map<string, GivenEntry>();
  slugs.forEach((slug, place) => {
    const entry = kind.bySlug(store, slug);
    if (entry === undefined) throw invalid(`${kind.plural}[${place}]`, `there is no ${kind.type} ${slug}`);
    found.set(entry.id, entry);
  });
  return [...found.values()];
}

function restsOnPermission(store: Store, slug: string): Precondition[] {
  const entry = findPermission(store, slug);
  return entry === undefined ? [] : [permissionRecords.same(store, entry)];
}

export function givenEvent(
  kind: GivenKind,
  direction: 'given' | 'taken',
  user: { readonly id: string; readonly email: string },
  slug: string,
): DomainEvent[] {
  const type = kind[direction].event;
  return type === undefined ? [] : [{ type, data: { userId: user.id, email: user.email, [kind.type]: slug } }];
}
