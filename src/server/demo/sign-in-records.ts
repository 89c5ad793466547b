import type { Change, Store } from '#engine';
import { credentialRecords } from '../../directory/users/index.ts';
import { clientRecords } from '../../protocols/oauth/index.ts';

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
