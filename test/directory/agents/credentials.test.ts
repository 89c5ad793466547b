import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { agentUseRecords } from '../../../src/directory/agents/index.ts';
import { agentRecords } from '../../../src/directory/records/index.ts';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { AgentScene, type MadeAgent } from './scene.ts';

let service: InProcessService;
let scene: AgentScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_REFUSED: '0' });
});
beforeEach(async () => {
  scene = await AgentScene.at(service, `agent-keys${++count}`);
});
afterAll(() => service.stop());

const basic = ({ id, apiKey }: MadeAgent) => ({
  authorization: `Basic ${Buffer.from(`${id}:${apiKey}`).toString('base64')}`,
});
const me = (key: string, family: 'org' | 'tenant' = 'tenant') => scene.org[family]('GET', '/agents/me', { key });

describe('the key of an agent', () => {
  test('opens what the agent may, in each header that takes keys, and nothing else', async () => {
    const { apiKey } = await scene.make({ permissions: ['users.read'] });
    const path = `/t/${scene.slug}/api/v1/admin/users`;
    for (const headers of [
      { authorization: `Bearer ${apiKey}` },
      { authorization: `ApiKey ${apiKey}` },
      { 'x-api-key': apiKey },
    ]) {
      expect((await service.call('GET', path, { headers })).status).toBe(200);
    }
    expect((await scene.org.tenant('GET', '/admin/roles', { key: apiKey })).status).toBe(403);
    expect((await service.call('GET', '/platform/api/v1/orgs', { key: apiKey })).status).toBe(401);
    expect((await service.call('GET', `/t/${scene.slug}/scim/v2/Users`, { key: apiKey })).status).toBe(401);
  });

  test('is another one after a rotation, at once; of four at once one stands, and tokens go on', async () => {
    const agent = await scene.make();
    const token = await scene.token(agent);
    const rotated = await Promise.all([1, 2, 3, 4].map(() => scene.admin('POST', `/agents/${agent.id}/rotate-key`)));
    const keys = rotated.map((answer) => answer.text('data.apiKey'));
    const statuses = await Promise.all(keys.map((key) => scene.status(key)));
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
    expect(await scene.status(agent.apiKey)).toBe(401);
    const old = await scene.tokenForm({ client_id: agent.id, client_secret: agent.apiKey });
    expect([old.status, old.at('error')]).toEqual([401, 'invalid_client']);
    expect(await scene.status(token)).toBe(200);
  });

  test('fails from the commit on that switches the agent off, with its tokens; rights come back with it', async () => {
    const agent = await scene.make({ permissions: ['users.read'] });
    const token = await scene.token(agent);
    expect(await scene.holds(agent.subject, 'users.read')).toBe(true);
    await scene.admin('PUT', `/agents/${agent.id}`, { isActive: false });
    expect([await scene.status(agent.apiKey), await scene.status(token)]).toEqual([401, 401]);
    expect((await scene.tokenForm({ client_id: agent.id, client_secret: agent.apiKey })).status).toBe(401);
    expect(await scene.holds(agent.subject, 'users.read')).toBe(false);
    await scene.admin('PUT', `/agents/${agent.id}`, { isActive: true });
    // a token that has ended does not come back
    expect([await scene.status(agent.apiKey), await scene.status(token)]).toEqual([200, 401]);
    expect(await scene.holds(agent.subject, 'users.read')).toBe(true);
    const born = await scene.make({ permissions: ['users.read'], isActive: false });
    expect([await scene.status(born.apiKey), await scene.holds(born.subject, 'users.read')]).toEqual([401, false]);
  });

  test('is not kept, and the log says who did what without it', async () => {
    const agent = await scene.make();
    await scene.admin('POST', `/agents/${agent.id}/rotate-key`);
    const record = service.read(() => agentRecords.get(scene.org.organization.store, agent.id));
    expect(JSON.stringify(record)).not.toContain(agent.apiKey);
    const log = (await scene.admin('GET', `/audit-logs?targetId=${agent.id}&limit=20`)).body;
    const actions = JSON.stringify(log);
    for (const action of ['agent.create', 'agent.rotate_key']) expect(actions).toContain(action);
    expect(actions).not.toContain(String(record?.document.digest));
  });

  test('deleted with the agent opens nothing, and what names the agent goes with it', async () => {
    const agent = await scene.make({ permissions: ['users.read'] });
    const token = await scene.token(agent);
    expect((await scene.admin('DELETE', `/agents/${agent.id}`)).status).toBe(204);
    expect([await scene.status(agent.apiKey), await scene.status(token)]).toEqual([401, 401]);
    const { store } = scene.org.organization;
    expect(service.read(() => agentUseRecords.get(store, agent.id))).toBeUndefined();
    const tuples = await scene.org.tenant('GET', `/zanzibar/tuples?subject=${agent.subject}`);
    expect(tuples.list('tuples')).toEqual([]);
  });
});

describe('the owner of an agent', () => {
  test('is nobody once that user is deleted, and the agent goes on', async () => {
    const { id: ownerId } = await scene.org.newUser('leaves@agents.example');
    const agent = await scene.make({ ownerId });
    expect((await scene.admin('DELETE', `/users/${ownerId}`)).status).toBe(204);
    expect((await scene.admin('GET', `/agents/${agent.id}`)).at('data.ownerId')).toBe(null);
    expect((await scene.admin('GET', `/agents?ownerId=${ownerId}`)).at('meta.total')).toBe(0);
    expect(await scene.status(agent.apiKey)).toBe(200);
  });

  test('named while the user is deleted is a user or nobody', async () => {
    const { id: ownerId } = await scene.org.newUser('race@agents.example');
    const made = await Promise.all([
      scene.admin('POST', '/agents', { name: 'A', ownerId }),
      scene.admin('DELETE', `/users/${ownerId}`),
      scene.admin('POST', '/agents', { name: 'B', ownerId }),
    ]);
    expect(made[1].status).toBe(204);
    for (const { status, body } of [made[0], made[2]]) expect([status, body]).toMatchObject([expect.any(Number), {}]);
    const listed = (await scene.admin('GET', '/agents')).at('data') as { ownerId: string | null }[];
    expect(listed.filter((each) => each.ownerId !== null)).toEqual([]);
  });
});

describe('what an agent sees of itself', () => {
  test.each(['org', 'tenant'] as const)('with its key and with a token, in the %s family', async (family) => {
    await scene.permissions('docs:read');
    const agent = await scene.make({ name: 'Reader', permissions: ['docs:read', 'users.read'] });
    expect((await me(agent.apiKey, family)).body).toEqual({
      agent_id: agent.id,
      name: 'Reader',
      scopes: ['docs:read', 'users.read'],
      expires_at: null,
    });
    const token = await scene.token(agent, 'docs:read');
    expect((await me(token, family)).body).toEqual({
      agent_id: agent.id,
      name: 'Reader',
      scopes: ['docs:read'],
      expires_at: new Date((decodeJwt(token).exp ?? 0) * 1000).toISOString(),
    });
  });

  test('is for agents alone', async () => {
    expect((await me(scene.org.key)).status).toBe(403);
    const client = await scene.admin('POST', '/clients', {
      name: 'C',
      grantTypes: ['client_credentials'],
      scopes: ['a'],
    });
    const form = { client_id: client.text('data.clientId'), client_secret: client.text('data.clientSecret') };
    expect((await me((await scene.tokenForm(form)).text('access_token'))).status).toBe(403);
  });
});

describe('at the token endpoint', () => {
  test('an agent is a client: its id and key in the header or the form, in both families', async () => {
    await scene.permissions('docs:read');
    const agent = await scene.make({ permissions: ['docs:read', 'users.read'] });
    const grant = 'grant_type=client_credentials';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basic(agent) };
    for (const base of [`/orgs/${scene.slug}`, `/t/${scene.slug}`]) {
      const answer = await service.call('POST', `${base}/api/v1/oauth/token`, { headers, body: grant });
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 600 } });
      expect(answer.text('scope').split(' ').toSorted()).toEqual(['docs:read', 'users.read']);
      expect(answer.at('refresh_token')).toBeUndefined();
      expect(decodeJwt(answer.text('access_token'))).toMatchObject({ sub: agent.id, client_id: agent.id });
    }
    const token = await scene.token(agent, 'docs:read');
    // a token does no more of administration than its scopes name
    expect((await scene.org.tenant('GET', '/admin/users', { key: token })).status).toBe(403);
    const wide = await scene.token(agent);
    expect((await scene.org.tenant('GET', '/admin/users', { key: wide })).status).toBe(200);
    const log = await scene.admin('GET', `/audit-logs?actorId=${agent.id}&limit=5`);
    expect(JSON.stringify(log.body)).toContain('token.issue');
  });

  test('its scopes are what it holds when it asks', async () => {
    await scene.permissions('docs:read', 'docs:write', 'scim');
    const agent = await scene.make({ permissions: ['docs:read', 'scim'] });
    const ask = (scope?: string) =>
      scene.tokenForm({ client_id: agent.id, client_secret: agent.apiKey, ...(scope === undefined ? {} : { scope }) });
    // `scim` opens SCIM to clients that are registered for it: no permission of this name does
    expect((await ask()).at('scope')).toBe('docs:read');
    for (const scope of ['docs:write', 'scim', 'openid', 'settings.manage', 'a#b', '*', 'permission:docs:read']) {
      const answer = await ask(scope);
      expect([scope, answer.status, answer.at('error')]).toEqual([scope, 400, 'invalid_scope']);
    }
    expect((await ask('docs:write docs:read openid')).at('scope')).toBe('docs:read');
    await scene.admin('PUT', `/agents/${agent.id}`, { permissions: ['docs:write'] });
    expect((await ask()).at('scope')).toBe('docs:write');
    await scene.admin('PUT', `/agents/${agent.id}`, { permissions: [] });
    expect((await ask()).body).toMatchObject({ scope: '' });
    await scene.admin('PUT', `/agents/${agent.id}`, { roles: ['ROLE_TENANT_ADMIN'] });
    expect((await ask('users.read')).at('scope')).toBe('users.read');
  });

  test('more than a token can carry is refused, and can be asked for in parts', async () => {
    const slugs = Array.from({ length: 40 }, (_, place) => `documents-of-department-${place}:read`);
    await scene.permissions(...slugs);
    const agent = await scene.make({ permissions: slugs });
    const form = { client_id: agent.id, client_secret: agent.apiKey };
    const all = await scene.tokenForm(form);
    expect([all.status, all.at('error')]).toEqual([400, 'invalid_scope']);
    expect((await scene.tokenForm({ ...form, scope: slugs.slice(0, 3).join(' ') })).status).toBe(200);
  });

  test('it gets tokens by no grant that is for people, nor a code or a device', async () => {
    const agent = await scene.make();
    const api = `/orgs/${scene.slug}/api/v1/oauth`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basic(agent) };
    for (const [path, body, error] of [
      ['token', 'grant_type=authorization_code&code=x', 'unauthorized_client'],
      ['token', 'grant_type=refresh_token&refresh_token=x', 'unauthorized_client'],
      ['device_authorization', '', 'unauthorized_client'],
    ] as const) {
      const answer = await service.call('POST', `${api}/${path}`, { headers, body });
      expect([path, body, answer.status, answer.at('error')]).toEqual([path, body, 400, error]);
    }
    const push = 'response_type=code&redirect_uri=https%3A%2F%2Fevil.example%2Fcb';
    expect((await service.call('POST', `${api}/par`, { headers, body: push })).status).toBe(400);
    const asked = await service.call('GET', `${api}/authorize?client_id=${agent.id}&${push}`);
    expect(asked.headers.get('location')).toBe(null);
  });

  test('it introspects and revokes its own token; userinfo says who it is', async () => {
    const agent = await scene.make({ name: 'Reader', type: 'bot' });
    const token = await scene.token(agent);
    const api = `/orgs/${scene.slug}/api/v1/oauth`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...basic(agent) };
    const post = (path: string) => service.call('POST', `${api}/${path}`, { headers, body: `token=${token}` });
    expect((await post('introspect')).body).toMatchObject({ active: true, sub: agent.id, client_id: agent.id });
    const told = await service.call('GET', `${api}/userinfo`, { key: token });
    expect(told.body).toEqual({ sub: agent.id, name: 'Reader', type: 'bot', roles: [] });
    const other = basic(await scene.make());
    const foreign = await service.call('POST', `${api}/introspect`, {
      headers: { ...headers, ...other },
      body: `token=${token}`,
    });
    expect(foreign.body).toEqual({ active: false });
    expect((await post('revoke')).status).toBe(200);
    expect(await scene.status(token)).toBe(401);
    expect((await service.call('GET', `${api}/userinfo`, { key: token })).status).toBe(401);
  });

  test('administrators see its tokens, and end them', async () => {
    const agent = await scene.make();
    const token = await scene.token(agent);
    expect((await scene.admin('GET', `/tokens?clientId=${agent.id}`)).at('meta.total')).toBe(1);
    expect((await scene.admin('DELETE', `/clients/${agent.id}/tokens`)).status).toBeLessThan(300);
    expect(await scene.status(token)).toBe(401);
    expect((await scene.admin('DELETE', `/clients/${(await scene.make()).id}/tokens`)).status).toBeLessThan(300);
  });
});
