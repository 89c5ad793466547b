import type { Change, Store } from '#engine';
import {
  firstOwnNumber,
  groupRecords,
  putPermission,
  roleRecords,
  userRecords,
} from '../../directory/records/index.ts';

/** People, roles, permissions and groups of the demonstration, as `config/demo/directory.json` has them. */
export interface DemoDirectory {
  readonly users: readonly {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly title?: string;
  }[];
  readonly roles: readonly { readonly slug: string; readonly name: string; readonly description: string }[];
  readonly permissions: readonly { readonly slug: string; readonly name: string; readonly description: string }[];
  readonly groups: readonly { readonly name: string; readonly displayName: string; readonly description: string }[];
}

/** Numbers are given once in an organization, as to everybody else. */
export interface DemoIds {
  readonly newId: () => string;
  readonly users: readonly number[];
  readonly permissions: readonly number[];
}

/** The records behind the demonstration's tuples, so that administrators' lists show them. */
export function demoRecords(
  store: Store,
  { users, roles, permissions, groups }: DemoDirectory,
  ids: DemoIds,
  now: number,
): Change[] {
  const times = { createdAt: now, updatedAt: now };
  return [
    ...users.map(({ id, ...profile }, index) =>
      userRecords.put(store, id, {
        ...profile,
        number: ids.users[index] ?? 0,
        emailVerified: true,
        isActive: true,
        isBlocked: false,
        mfaEnabled: false,
        metadata: {},
        loginCount: 0,
        ...times,
      }),
    ),
    ...roles.map((role) => roleRecords.put(store, ids.newId(), { ...role, isSystem: false, ...times })),
    ...permissions.map((permission, index) => {
      const [resource = '', action = ''] = permission.slug.split(':');
      const number = firstOwnNumber - 1 + (ids.permissions[index] ?? 0);
      return putPermission(store, { ...permission, number, resource, action, isSystem: false, ...times });
    }),
    ...groups.map((group) => groupRecords.put(store, ids.newId(), { ...group, ...times })),
  ];
}
