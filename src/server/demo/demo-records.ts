import type { Change, Store } from '#engine';
import {
  firstOwnNumber,
  groupRecords,
  putPermission,
  roleRecords,
  userRecords,
} from '../../directory/records/index.ts';
import { credentialRecords } from '../../directory/users/index.ts';
import { clientRecords } from '../../protocols/oauth/index.ts';

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

/** Who can sign in. */
export const demoPersonId = 'carol';
/** An application for devices and for this computer: it has no secret. */
export const demoClientId = 'demo-app';

/** What sign-in needs of the demonstration: a password for one person, and an application to sign in to. */
export function signInRecords(store: Store, passwordHash: string, now: number): Change[] {
  const credentials = credentialRecords.put(store, demoPersonId, {
    hash: passwordHash,
    mustChange: false,
    changedAt: now,
    previous: [],
  });
  const client = clientRecords.put(store, demoClientId, {
    name: 'Demonstration application',
    type: 'public',
    authMethod: 'none',
    kind: 'admin',
    isActive: true,
    redirectUris: ['http://127.0.0.1/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1/signed-out'],
    grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    responseTypes: ['code'],
    scopes: ['openid', 'profile', 'email', 'offline_access', 'document:read', 'document:write'],
    contacts: [],
    createdAt: now,
    updatedAt: now,
  });
  return [credentials, client];
}
