import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emittingOperations } from '../../../src/delivery/catalog/index.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import { basic, ClientScene } from '../../protocols/oauth/clients/scene.ts';
import { group, user } from '../../protocols/scim/provisioning/organization.ts';
import { Provoked } from './provoked.ts';
import { provokeElevations } from './provoked-elevations.ts';

const table: Readonly<Record<string, readonly string[]>> = emittingOperations;

/** Pages, and what needs somebody who came by them: `test/kernel/events/operations` and the tests of the pages do these. */
const byPages = [
  'POST /admin/users/{userId}/mfa/reset',
  'DELETE /admin/users/{userId}/identities/{identityId}',
  'DELETE /admin/users/{userId}/applications/{clientId}',
  // about who has come through a provider: test/delivery/signals/receiver
  'POST /signals/receive',
];
const isPage = (operation: string) =>
  byPages.includes(operation) ||
  operation.startsWith('GET ') ||
  / \/(?:signin|signout|account|consent|device)(?:\/|$)/.test(operation);

/** What an operation causes in other tests: a refresh token that is used twice, a client that never came back. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  // what an agent is denied first: access/authzen
  'POST /access/v1/requests': ['jit.requested', 'jit.approved', 'jit.denied', 'jit.expired'],
  'POST /access/v1/requests/{taskId}/cancel': ['jit.expired'],
  'POST /oauth/token': ['token.revoked'],
  'POST /connect/register': ['client.deleted'],
  // clients that are documents need a host that has them: protocols/oauth/documents
  'GET /oauth/authorize': ['client.created', 'client.deleted'],
  'POST /oauth/authorize': ['client.created', 'client.deleted'],
  'POST /oauth/par': ['client.created', 'client.deleted'],
  'GET /oauth/social/{provider}': ['client.created', 'client.deleted'],
};

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const patch = (...operations: object[]) => ({ schemas: [patchOp], Operations: operations });
const password = 'an entirely different one';

let service: InProcessService;
let count = 0;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_EXPENSIVE: '0' });
});
beforeEach(async () => {
  org = await service.organization(`real-${++count}`);
});
afterAll(() => service.stop());

async function users(all: Provoked): Promise<void> {
  const role = all.id(await all.did('POST /admin/roles', {}, { slug: 'editor', name: 'Editor' }));
  const groupId = all.id(await all.did('POST /admin/groups', {}, { name: 'eng' }));
  const body = { email: 'anne@example.com', roles: ['editor'], groups: ['eng'] };
  const userId = all.id(await all.did('POST /admin/users', {}, body));
  const one = { userId, roleId: role, groupId };
  for (const change of ['PUT', 'PATCH'].map((method) => `${method} /admin/users/{userId}`)) {
    if (!all.has(change)) continue;
    for (const changed of [{ name: change }, { isActive: false }, { isActive: true }]) {
      await all.did(change, one, changed);
    }
  }
  await all.did('POST /admin/users/{userId}/block', one);
  await all.did('POST /admin/users/{userId}/unblock', one);
  await all.did('POST /admin/users/{userId}/mark-verified', one);
  await all.did('PUT /admin/users/{userId}/password', one, { password });
  await all.did('PUT /admin/users/{userId}/roles', one, { roles: [] });
  await all.did('PUT /admin/users/{userId}/roles', one, { roles: ['editor'] });
  await all.did('DELETE /admin/users/{userId}/roles/{roleId}', one);
  await all.did('POST /admin/users/{userId}/roles', one, { roleId: role });
  await all.did('PUT /admin/users/{userId}/groups', one, { groups: [] });
  await all.did('PUT /admin/users/{userId}/groups', one, { groups: ['eng'] });
  await all.did('DELETE /admin/users/{userId}/groups/{groupId}', one);
  await all.did('POST /admin/users/{userId}/groups', one, { groupId });
  await sessions(all, { id: userId, email: body.email });
  await all.did('DELETE /admin/users/{userId}', one);
}

async function sessions(all: Provoked, person: { readonly id: string; readonly email: string }): Promise<void> {
  for (const operation of [
    'DELETE /admin/users/{userId}/sessions',
    'DELETE /admin/users/{userId}/sessions/{sessionId}',
    'POST /admin/users/{userId}/sessions/revoke',
    'DELETE /admin/sessions/{sessionId}',
    'POST /admin/sessions/revoke-all',
  ]) {
    if (!all.has(operation)) continue;
    const session = await org.signIn(person);
    const body = operation.endsWith('revoke-all') ? { confirm: true } : undefined;
    await all.did(operation, { userId: person.id, sessionId: session.id }, body);
  }
  for (const operation of ['DELETE /admin/users/{userId}/tokens', 'POST /admin/users/{userId}/tokens/revoke']) {
    if (all.has(operation)) await all.did(operation, { userId: person.id });
  }
}

async function rolesAndGroups(all: Provoked): Promise<void> {
  const userId = all.id(await all.did('POST /admin/users', {}, { email: 'bob@example.com' }));
  const role = all.id(await all.did('POST /admin/roles', {}, { slug: 'reader', name: 'Reader' }));
  const groupId = all.id(await all.did('POST /admin/groups', {}, { name: 'ops' }));
  const made = await all.did('POST /admin/permissions', {}, { slug: 'docs:read', name: 'Read' });
  const one = { userId, roleId: role, groupId, permissionId: all.id(made) };
  await all.did('PUT /admin/roles/{roleId}', one, { name: 'Readers' });
  await all.did('POST /admin/roles/{roleId}/permissions', one, { permissionId: Number(one.permissionId) });
  await all.did('DELETE /admin/roles/{roleId}/permissions/{permissionId}', one);
  await all.did('POST /admin/roles/{roleId}/users', one, { userId });
  await all.did('DELETE /admin/roles/{roleId}/users/{userId}', one);
  await all.did('POST /admin/groups/{groupId}/members', one, { userId });
  await all.did('DELETE /admin/groups/{groupId}/members/{userId}', one);
  await all.did('POST /admin/groups/{groupId}/roles', one, { roleId: role });
  await all.did('DELETE /admin/groups/{groupId}/roles/{roleId}', one);
  const tuples = [
    `role:reader#assignee@user:${userId}`,
    `group:ops#member@user:${userId}`,
    'permission:docs:read#granted@role:reader#assignee',
  ];
  await all.did('POST /zanzibar/tuples', {}, { writes: tuples });
  await all.did('POST /zanzibar/tuples', {}, { deletes: tuples });
  // what no catalog has an event for
  await all.did('POST /admin/users/{userId}/permissions', one, { permissionId: Number(one.permissionId) });
  await all.did('DELETE /admin/users/{userId}/permissions/{permissionId}', one);
  await all.did('PUT /admin/groups/{groupId}', one, { displayName: 'Operations' });
  await all.did('DELETE /admin/groups/{groupId}', one);
  await all.did('DELETE /admin/roles/{roleId}', one);
  await all.did('DELETE /admin/permissions/{permissionId}', one);
}

async function provisioning(all: Provoked): Promise<void> {
  const settings = { enabled: true, provisioning: { delete_users: true } };
  expect((await org.org('PATCH', '/admin/settings/scim', { body: settings })).status).toBe(200);
  const made = await org.org('POST', '/admin/settings/scim/tokens', { body: { name: 'directory' } });
  all.scimToken = made.text('data.data.token');
  const [ada, eve] = [
    (await all.did('POST /scim/Users', {}, user('ada'))).text('id'),
    (await all.did('POST /scim/Users', {}, user('eve'))).text('id'),
  ];
  await all.did('PUT /scim/Users/{id}', { id: ada }, user('ada', { title: 'Dr', active: false, password }));
  await all.did('PUT /scim/Users/{id}', { id: ada }, user('ada', { active: true }));
  const off = { op: 'replace', value: { active: false, password: `${password}!` } };
  await all.did('PATCH /scim/Users/{id}', { id: ada }, patch(off));
  const sales = (await all.did('POST /scim/Groups', {}, group('Sales', ada))).text('id');
  await all.did('PUT /scim/Groups/{id}', { id: sales }, group('Sales', eve));
  const add = { op: 'add', path: 'members', value: [{ value: ada }] };
  const remove = { op: 'remove', path: `members[value eq "${eve}"]` };
  await all.did('PATCH /scim/Groups/{id}', { id: sales }, patch(add, remove));
  const bulk = (method: string, path: string, data?: object) => ({ method, path, bulkId: 'a', data });
  for (const operation of [
    bulk('POST', '/Users', user('kim')),
    bulk('PATCH', `/Users/${ada}`, patch({ op: 'replace', value: { active: true } })),
    bulk('PATCH', `/Users/${ada}`, patch({ op: 'replace', value: { active: false, password } })),
    bulk('PUT', `/Groups/${sales}`, group('Sales', eve)),
    bulk('DELETE', `/Users/${eve}`),
  ]) {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    const answer = await all.did('POST /scim/Bulk', {}, { schemas, Operations: [operation] });
    expect(String(answer.at('Operations.0.status')), JSON.stringify(answer.body)).toMatch(/^2/);
  }
  await all.did('DELETE /scim/Users/{id}', { id: ada });
  await all.did('DELETE /scim/Groups/{id}', { id: sales });
}

async function clients(all: Provoked): Promise<void> {
  const scene = new ClientScene(org, all.family);
  const body = { name: 'Client', grantTypes: ['client_credentials'], redirectUris: [] };
  const made = await all.did('POST /admin/clients', {}, body);
  const { id, clientSecret } = scene.inside(made) as { id: string; clientSecret: string };
  const one = { clientId: id };
  const token = async () =>
    (await all.watched('POST /oauth/token', () => scene.token({}, basic(id, clientSecret)))).text('access_token');
  const given = await token();
  await all.watched('POST /oauth/revoke', () => scene.form('/oauth/revoke', { token: given }, basic(id, clientSecret)));
  await token();
  const tokenId = String(org.eventsAfter(org.lastEvent() - 1)[0]?.data.tokenId);
  await all.did('DELETE /admin/tokens/{tokenId}', { tokenId });
  for (const operation of ['DELETE /admin/clients/{clientId}/tokens', 'POST /admin/clients/{clientId}/tokens/revoke']) {
    if (all.has(operation)) await all.did(operation, one);
  }
  await all.did('POST /admin/clients/{clientId}/rotate-secret', one);
  await all.did('DELETE /admin/clients/{clientId}', one);
  await scene.openRegistration();
  const redirects = { redirect_uris: ['https://app.example/cb'] };
  const own = await all.watched('POST /connect/register', () => scene.register('POST', '', redirects));
  const path = `/${own.text('client_id')}`;
  const key = own.text('registration_access_token');
  await all.watched('DELETE /connect/register/{clientId}', () => scene.register('DELETE', path, undefined, key));
}

async function signals(all: Provoked): Promise<void> {
  if (!all.has('POST /ssf/stream')) return;
  const scene = new ClientScene(org, all.family);
  const body = { name: 'Receiver', grantTypes: ['client_credentials'], redirectUris: [], scopes: ['ssf.manage'] };
  const { id, clientSecret } = scene.inside(await all.did('POST /admin/clients', {}, body)) as {
    id: string;
    clientSecret: string;
  };
  const key = (await scene.token({}, basic(id, clientSecret))).text('access_token');
  const stream = await all.watched('POST /ssf/stream', () => org.org('POST', '/ssf/stream', { key, body: {} }));
  const named = { stream_id: stream.text('stream_id') };
  await all.watched('POST /ssf/verify', () => org.org('POST', '/ssf/verify', { key, body: named }));
}

describe.each(['org', 'tenant'] as const)('in the %s family', (family) => {
  const seen = new Map<string, Set<string>>();

  it.each([
    ['users', users],
    ['roles and groups', rolesAndGroups],
    ['provisioning', provisioning],
    ['clients', clients],
    ['security events', signals],
    ['elevations', provokeElevations],
  ] as const)('operations on %s cause what the table says, and nothing else', async (_, provoke) => {
    const all = new Provoked(org, family);
    await provoke(all);
    for (const [operation, types] of all.seen) {
      seen.set(operation, new Set([...(seen.get(operation) ?? []), ...types]));
    }
  });

  it('each operation has caused all that it may', () => {
    const all = new Provoked(org, family);
    const rows = Object.keys(table).filter((operation) => !isPage(operation));
    expect(rows.length).toBeGreaterThan(45);
    for (const operation of rows) {
      const isOurs = all.has(operation) || operation.includes(' /scim/');
      if (!isOurs) continue;
      const others = elsewhere[operation] ?? [];
      const wanted = (table[operation] ?? []).filter((type) => !others.includes(type));
      expect([...(seen.get(operation) ?? [])].toSorted(), operation).toEqual(wanted.toSorted());
    }
  });
});
