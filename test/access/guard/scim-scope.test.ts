import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isForScim } from '../../../src/access/guard/index.ts';
import { systemPermissions } from '../../../src/kernel/rights/index.ts';
import { provisioningPermissions } from '../../../src/protocols/scim/index.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { agreed } from '../../protocols/oauth/grants/issuing.ts';
import { ProvisioningScene } from './provisioning-scene.ts';

const everything = Object.keys(systemPermissions);

let scene: ProvisioningScene;
let count = 0;

beforeAll(async () => {
  scene = await ProvisioningScene.start('scope');
});
beforeEach(() => scene.set({ enabled: true, allow_administrators: false }));
afterAll(() => scene.stop());

const admin = (method: string, path: string, body?: object) => scene.provider.admin(method, path, body);

async function newClient(scopes: readonly string[], permissions: readonly string[] = []) {
  const client = await scene.provider.client(scopes, permissions);
  return { ...client, token: await scene.provider.token(client) };
}

async function grant(subject: string, ...permissions: string[]): Promise<void> {
  const writes = permissions.map((each) => ({ object: `permission:${each}`, relation: 'granted', subject }));
  const written = await admin('POST', '/zanzibar/tuples', { writes });
  expect(written.body).toMatchObject({ revision: expect.any(String) });
}

describe('a client with the scope scim', () => {
  test('may what provisioning needs, whatever it has in the engine, in every thread', async () => {
    const { id, token } = await newClient(['scim'], ['settings.manage']);
    for (const place of ['/probe', '/probe/elsewhere']) {
      const answer = await scene.ask(token, place, { permissions: everything });
      expect(answer).toMatchObject({ status: 200, body: { subject: `oauth_client:${id}` } });
      expect(answer.list('may').toSorted()).toEqual([...provisioningPermissions].toSorted());
    }
    const raise = { give: 'role:ROLE_TENANT_ADMIN#assignee' };
    expect((await scene.ask(token, '/probe/changes', raise)).status).toBe(403);
  });

  test('opens nothing else with it', async () => {
    const { token } = await newClient(['scim'], ['settings.manage']);
    const wrong: string[] = [];
    for (const endpoint of scene.provider.service.endpoints) {
      const { access, method, path } = endpoint;
      if (access === 'public' || isForScim({ endpoint })) continue;
      const address = path.replaceAll(/\{(?:tenant|orgId)\}/g, 'scope').replaceAll(/\{\w+\}/g, 'x');
      const controller = new AbortController();
      const { status } = await fetch(scene.provider.service.url + address, {
        method,
        headers: { authorization: `Bearer ${token}` },
        signal: controller.signal,
      });
      controller.abort();
      if (status !== 403 && status !== 401) wrong.push(`${method} ${path}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  test('is told when its token has not the scope', async () => {
    const { token } = await newClient(['users.create', 'groups.members'], ['users.create', 'groups.members']);
    const answer = await scene.ask(token);
    expect(answer).toMatchObject({ status: 403, body: { status: '403', detail: 'The token has no scope for scim.' } });
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="scim"');
  });

  test('fails when it is switched off, and when its token is revoked', async () => {
    for (const end of [
      (id: string) => admin('PATCH', `/admin/clients/${id}`, { isActive: false }),
      (id: string) => admin('DELETE', `/admin/clients/${id}`),
    ]) {
      const { id, token } = await newClient(['scim']);
      expect((await scene.ask(token)).status).toBe(200);
      expect((await end(id)).status).toBeLessThan(300);
      expect((await scene.ask(token)).status).toBe(401);
    }
    const { id, secret, token } = await newClient(['scim']);
    expect((await scene.ask(token)).status).toBe(200);
    await scene.provider.form('revoke', { token, client_id: id, client_secret: secret });
    expect((await scene.ask(token)).status).toBe(401);
  });

  test('provisions no longer once its scope is taken away, on every thread, and again once it is given back', async () => {
    const { id, token } = await newClient(['scim', 'users.read'], ['users.read']);
    const places = ['/probe', '/probe/elsewhere'];
    for (const place of places) expect((await scene.ask(token, place)).status).toBe(200);
    expect((await admin('PATCH', `/admin/clients/${id}`, { scopes: ['users.read'] })).status).toBe(200);
    for (const place of places) expect((await scene.ask(token, place)).status).toBe(403);
    await admin('PATCH', `/admin/clients/${id}`, { scopes: ['scim', 'users.read'] });
    for (const place of places) expect((await scene.ask(token, place)).status).toBe(200);
  });

  test('keeps to its organization', async () => {
    const neighbour = await scene.provider.neighbour('scope-neighbour');
    await neighbour.admin('PATCH', '/admin/settings/scim', { enabled: true });
    const { token } = await newClient(['scim']);
    const options = { key: token, body: { permissions: [] } };
    expect((await neighbour.organization.org('POST', '/probe', options)).status).toBe(401);
  });

  test('is switched off with SCIM', async () => {
    const { token } = await newClient(['scim']);
    await scene.set({ enabled: false });
    expect((await scene.ask(token)).status).toBe(403);
  });
});

describe('a user’s token with the scope scim', () => {
  let user: NewUser;
  let client: { readonly id: string };

  beforeEach(async () => {
    user = await scene.provider.organization.newUser(`user${++count}@example.com`);
    const body = {
      name: 'Directory',
      scopes: ['scim', 'users.read'],
      redirectUris: ['https://directory.example/cb'],
    };
    client = { id: (await admin('POST', '/admin/clients', body)).text('data.id') };
  });

  const tokenOf = async (scopes: readonly string[]) => (await agreed(scene.provider, client, user, scopes)).access;

  test('is bounded by what the user may, now, and by what provisioning needs', async () => {
    const token = await tokenOf(['scim']);
    for (const place of ['/probe', '/probe/elsewhere']) expect(await scene.may(token, everything, place)).toEqual([]);
    await grant(`user:${user.id}`, 'users.read', 'groups.members', 'roles.read');
    for (const place of ['/probe', '/probe/elsewhere']) {
      expect(await scene.may(token, everything, place)).toEqual(['users.read', 'groups.members']);
    }
    await admin('POST', `/admin/users/${user.id}/block`);
    expect((await scene.ask(token)).status).toBe(401);
  });

  test('covers nothing at other endpoints', async () => {
    await grant(`user:${user.id}`, 'settings.manage');
    const narrow = await tokenOf(['scim']);
    for (const path of ['/admin/users', '/authz/permissions', '/admin/settings']) {
      expect(await scene.provider.status(narrow, path)).toBe(403);
    }
    const wide = await tokenOf(['scim', 'users.read']);
    expect(await scene.provider.status(wide, '/admin/users')).toBe(200);
    expect(await scene.provider.status(wide, '/admin/settings')).toBe(403);
    expect(await scene.may(wide, ['users.create', 'settings.read'])).toEqual(['users.create']);
  });

  test('gives what the user holds of the organization’s own, and no administration unless the settings say so', async () => {
    await admin('POST', '/admin/permissions', { slug: `doc:read${count}`, name: 'Read' });
    await admin('POST', '/admin/groups', { name: `readers${count}` });
    await admin('POST', '/admin/roles', { slug: `reader${count}`, name: 'Reader' });
    await grant(`role:reader${count}#assignee`, `doc:read${count}`);
    const link = { object: `role:reader${count}`, relation: 'assignee', subject: `group:readers${count}#member` };
    expect((await admin('POST', '/zanzibar/tuples', { writes: [link] })).body).toHaveProperty('revision');
    const token = await tokenOf(['scim']);
    const give = { give: `group:readers${count}#member` };
    await grant(`user:${user.id}`, 'groups.members');
    expect((await scene.ask(token, '/probe/changes', give)).status).toBe(403);
    await grant(`user:${user.id}`, `doc:read${count}`);
    expect((await scene.ask(token, '/probe/changes', give)).status).toBe(200);
    await grant(`user:${user.id}`, 'settings.manage');
    const raise = { give: 'role:ROLE_TENANT_ADMIN#assignee' };
    expect((await scene.ask(token, '/probe/changes', raise)).status).toBe(403);
    await scene.set({ allow_administrators: true });
    expect((await scene.ask(token, '/probe/changes', raise)).status).toBe(200);
  });
});

describe('how long a token for SCIM lives', () => {
  const lives = async (body: object, form: Readonly<Record<string, string>> = {}) => {
    const made = await admin('POST', '/admin/clients', {
      name: 'Directory',
      grantTypes: ['client_credentials'],
      scopes: ['scim', 'users.read'],
      ...body,
    });
    if (made.status !== 201) return made.at('errors.0');
    const client = { client_id: made.text('data.id'), client_secret: made.text('data.clientSecret') };
    const answer = await scene.provider.form('token', { grant_type: 'client_credentials', ...client, ...form });
    return answer.at('expires_in');
  };

  test('is said for its client, between 60 and 360 minutes', async () => {
    expect(await lives({}, { scope: 'scim' })).toBe(600);
    for (const seconds of [3600, 5400, 21_600]) {
      expect(await lives({ accessTokenLifetime: seconds }, { scope: 'scim' })).toBe(seconds);
    }
    for (const seconds of [0, 600, 3599, 21_601, 1e9]) {
      expect(await lives({ accessTokenLifetime: seconds })).toMatchObject({
        path: 'accessTokenLifetime',
        message: 'must be 3600 to 21600 seconds (60 to 360 minutes)',
      });
    }
  });

  test('is not for tokens that open more', async () => {
    expect(await lives({ accessTokenLifetime: 7200 })).toBe(600);
    expect(await lives({ accessTokenLifetime: 7200 }, { scope: 'users.read' })).toBe(600);
  });

  test('is not for clients that have not the scope, or not the grant', async () => {
    const message = 'needs the scope scim and the grant client_credentials';
    expect(await lives({ accessTokenLifetime: 7200, scopes: ['users.read'] })).toMatchObject({ message });
    const redirectUris = ['https://directory.example/cb'];
    const other = { accessTokenLifetime: 7200, grantTypes: ['authorization_code'], redirectUris };
    expect(await lives(other)).toMatchObject({ message });
  });

  test('ends with its time, on every thread', async () => {
    const client = await scene.provider.client(['scim']);
    await admin('PATCH', `/admin/clients/${client.id}`, { accessTokenLifetime: 3600 });
    const token = await scene.provider.token(client);
    scene.provider.service.clock.advance(3_590_000);
    expect((await scene.ask(token)).status).toBe(200);
    scene.provider.service.clock.advance(20_000);
    expect((await scene.ask(token)).status).toBe(401);
  });
});

test('no client that registers itself gets the scope, whatever scopes the organization has', async () => {
  await admin('PATCH', '/admin/settings/auth', { registration: { dynamic_client_registration_enabled: true } });
  expect((await admin('POST', '/admin/scopes', { name: 'scim' })).status).toBe(422);
  expect((await admin('POST', '/admin/scopes', { name: 'SCIM' })).status).toBe(422);
  const answer = await scene.provider.service.call('POST', '/orgs/scope/api/v1/connect/register', {
    body: { redirect_uris: ['https://app.example/cb'], scope: 'openid scim' },
  });
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
});
