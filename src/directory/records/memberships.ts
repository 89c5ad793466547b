import { type Change, everyTuple, type Precondition, parseSubject, type Store, type Tuple } from '#engine';
import { findGroup, groupMembers, groupRecords } from './groups.ts';
import { findRole, roleRecords } from './roles.ts';

export function grant(permission: string, subject: string): Tuple {
  return { object: `permission:${permission}`, relation: 'granted', subject };
}

const relations = { group: 'member', role: 'assignee', permission: 'granted' } as const;

const PAGE = 10_000;

/**
 * Slugs of the groups, roles or permissions that a subject has been put into by a tuple of its own: what it inherits
 * is not among them, nor what has expired. The subject is `user:U`, `group:G#member`, `role:R#assignee`.
 */
export function slugsOf(store: Store, subject: string, type: keyof typeof relations): string[] {
  const slugs: string[] = [];
  for (;;) {
    const asked = { objectType: type, relation: relations[type], subject, offset: slugs.length, limit: PAGE };
    const page = store.objectPage(asked);
    slugs.push(...page);
    if (page.length < PAGE) return slugs;
  }
}

/** Ids of the subjects of one type (`user`, `agent`, or `role` for `role:R#assignee`) put into an object by a tuple. */
export function subjectsOf(store: Store, type: keyof typeof relations, slug: string, subjectType: string): string[] {
  const ids: string[] = [];
  for (const tuple of everyTuple(store, { object: `${type}:${slug}`, relation: relations[type] })) {
    const subject = parseSubject(tuple.subject);
    if (subject.type === subjectType && subject.relation !== '*') ids.push(subject.id);
  }
  return ids;
}

/**
 * Ids of the users in a role or group by tuples of their own, in the order in which they came; what has expired is not
 * among them. To be called inside a snapshot.
 */
export function userIdsOf(
  store: Store,
  type: 'role' | 'group',
  slug: string,
  max = Number.POSITIVE_INFINITY,
): string[] {
  const asked = { object: `${type}:${slug}`, relation: relations[type], subjectType: 'user' };
  const ids: string[] = [];
  while (ids.length < max) {
    const limit = Math.min(PAGE, max - ids.length);
    const page = store.subjectPage({ ...asked, offset: ids.length, limit });
    for (const id of page) ids.push(id);
    if (page.length < limit) break;
  }
  return ids;
}

const asSubject = {
  role: { relation: 'assignee', on: 'permission:' },
  group: { relation: 'member', on: 'role:' },
} as const;

/**
 * What a new role, group or permission must not begin with: tuples of rights that name its slug from before, as an
 * import may have left them. Nothing, as a rule.
 */
export function leftoversOf(store: Store, object: string): Change[] {
  const type = object.slice(0, object.indexOf(':'));
  const role = type === 'role' || type === 'group' ? asSubject[type] : undefined;
  const isNamed =
    hasTuple(store, { object }) ||
    (role !== undefined && hasTuple(store, { object: role.on, subject: `${object}#${role.relation}` }));
  return isNamed ? [{ op: 'delete_object', store: store.name, object }] : [];
}

function hasTuple(store: Store, filter: { readonly object: string; readonly subject?: string }): boolean {
  return store.readTuples({ ...filter, limit: 1 }).tuples.length > 0;
}

/**
 * Who gives a role or a membership has been judged by what it gives. That must still be so when the command is applied:
 * whatever adds to a role or a group also writes its record.
 */
export function expectedRoleVersions(store: Store, slug: string): Precondition[] {
  const role = findRole(store, slug);
  return role === undefined ? [] : [roleRecords.same(store, role)];
}

/** Members inherit what the roles of the group grant. */
export function expectedGroupVersions(store: Store, name: string): Precondition[] {
  const roles = slugsOf(store, groupMembers(name), 'role');
  const group = findGroup(store, name);
  return [
    ...(group === undefined ? [] : [groupRecords.same(store, group)]),
    ...roles.flatMap((slug) => expectedRoleVersions(store, slug)),
  ];
}
