import { type Change, everyTuple, parseObject, parseSubject, type Store } from '#engine';
import {
  findGroup,
  findPermission,
  findRole,
  firstOwnNumber,
  groupRecords,
  putPermission,
  roleRecords,
  slugKey,
} from '../../directory/records/index.ts';
import { slugPattern } from '../../kernel/organizations/index.ts';
import { adminRole, isSystemPermission } from '../../kernel/rights/index.ts';

/** Slugs that tuples name and that have no record. */
export interface Orphans {
  readonly role: readonly string[];
  readonly group: readonly string[];
  readonly permission: readonly string[];
}

const finders = { role: findRole, group: findGroup, permission: findPermission } as const;
const types = ['role', 'group', 'permission'] as const;

/**
 * Reads every tuple of rights once. What is no slug, and a second slug that differs from a first in case alone, stays
 * without a record. To be called inside a snapshot.
 */
export function findOrphans(store: Store): Orphans {
  const found = {
    role: new Map<string, string>(),
    group: new Map<string, string>(),
    permission: new Map<string, string>(),
  };
  const meet = (type: string, id: string): void => {
    if (type !== 'role' && type !== 'group' && type !== 'permission') return;
    if (found[type].has(slugKey(id)) || !slugPattern.test(id) || isSystemPermission(id) || id === adminRole) return;
    if (finders[type](store, id) === undefined) found[type].set(slugKey(id), id);
  };
  for (const type of types) {
    for (const tuple of everyTuple(store, { object: `${type}:` })) {
      const object = parseObject(tuple.object);
      const subject = parseSubject(tuple.subject);
      meet(object.type, object.id);
      if (subject.relation !== '*') meet(subject.type, subject.id);
    }
  }
  const slugs = (type: keyof typeof found): string[] => [...found[type].values()];
  return { role: slugs('role'), group: slugs('group'), permission: slugs('permission') };
}

/** Records for them, named by their slugs. `numbers` has one for each permission. */
export function adoptedRecords(
  at: Pick<Store, 'name'>,
  { role, group, permission }: Orphans,
  numbers: readonly number[],
  newId: () => string,
  now: number,
): Change[] {
  const times = { createdAt: now, updatedAt: now };
  return [
    ...role.map((slug) =>
      roleRecords.put(at, newId(), { slug, name: slug, description: '', isSystem: false, ...times }),
    ),
    ...group.map((name) => groupRecords.put(at, newId(), { name, displayName: name, description: '', ...times })),
    ...permission.map((slug, place) => {
      const colon = slug.indexOf(':');
      const halves = colon < 1 ? {} : { resource: slug.slice(0, colon), action: slug.slice(colon + 1) };
      const number = firstOwnNumber - 1 + (numbers[place] ?? 0);
      return putPermission(at, { number, slug, name: slug, ...halves, isSystem: false, ...times });
    }),
  ];
}
