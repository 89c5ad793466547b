import type { Store } from '#engine';
import type { Made, Maker, Making } from '../../kernel/assignments/index.ts';
import { auditEventOf } from '../../kernel/resources/index.ts';
import {
  firstOwnNumber,
  type GroupEntry,
  type NamedByTuple,
  namedGroup,
  namedPermission,
  namedRole,
  numberKey,
  type PermissionEntry,
  permissionRecords,
  type RoleEntry,
  rivalGroup,
  rivalPermission,
  rivalRole,
  slugKey,
} from '../records/index.ts';
import { roleEvents } from './events.ts';

/** How the audit log tells of roles, groups and permissions, whoever makes them: administrators, or tuples. */
export const toldAs = {
  role: { name: 'role', audited: ({ document: { slug } }: RoleEntry) => ({ metadata: { slug } }) },
  group: { name: 'group', audited: ({ document: { name } }: GroupEntry) => ({ metadata: { group: name } }) },
  permission: {
    name: 'permission',
    audited: ({ document: { number, slug } }: PermissionEntry) => ({
      targetId: String(number),
      metadata: { slug },
    }),
  },
} as const;

type RivalOf = (store: Store, slug: string) => RoleEntry | PermissionEntry | undefined;

/** A name that could be taken for one of the system's is given to nothing else. */
function systemRefusal(type: string, rivalOf: RivalOf): Maker<never>['refusal'] {
  return (store, slug) =>
    rivalOf(store, slug)?.document.isSystem
      ? `There is a ${type} of the system with the same name in other case.`
      : undefined;
}

function named(at: Making, type: string, id: string, rival: object | undefined): NamedByTuple {
  const isFirst = at.claim(`${type}:${slugKey(id)}`);
  return { id, isVariant: rival !== undefined || !isFirst };
}

export const roleMaker: Maker<RoleEntry['document']> = {
  right: 'roles.create',
  refusal: systemRefusal('role', rivalRole),
  make(at, slug): Made<RoleEntry['document']> {
    const entry = {
      id: at.newId(),
      version: 1,
      document: namedRole(named(at, 'role', slug, rivalRole(at.store, slug)), at.now),
    };
    const telling = { entry: auditEventOf(toldAs.role, 'create', entry), event: roleEvents.create(entry) };
    return { entry, telling };
  },
};

export const groupMaker: Maker<GroupEntry['document']> = {
  right: 'groups.create',
  refusal: () => undefined,
  make(at, name) {
    const entry = {
      id: at.newId(),
      version: 1,
      document: namedGroup(named(at, 'group', name, rivalGroup(at.store, name)), at.now),
    };
    return { entry, telling: { entry: auditEventOf(toldAs.group, 'create', entry), event: undefined } };
  },
};

export const permissionMaker: Maker<PermissionEntry['document']> = {
  right: 'permissions.create',
  refusal: systemRefusal('permission', rivalPermission),
  make(at, slug) {
    const number = firstOwnNumber - 1 + at.nextNumber(permissionRecords.collection);
    const document = namedPermission(named(at, 'permission', slug, rivalPermission(at.store, slug)), number, at.now);
    const entry = { id: numberKey(number), version: 1, document };
    return { entry, telling: { entry: auditEventOf(toldAs.permission, 'create', entry), event: undefined } };
  },
};
