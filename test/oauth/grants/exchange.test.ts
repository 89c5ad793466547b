import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../../sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { type Agreed, agreed } from './issuing.ts';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const MINUTE = 60_000;

let provider: ClockedProvider;
/** The application that the user signs in at, and the agent that may act with its tokens. */
let app: RelyingParty;
let agent: RelyingParty;
let stranger: RelyingParty;
let user: NewUser;
let users = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('exchanging');
  const scopes = ['users.read', 'roles.read', 'docs:read', 'openid', 'offline_access'];
  const acts = { grantTypes: [exchange, 'client_credentials'], redirectUris: [], scopes: ['users.read', 'docs:read'] };
  agent = await RelyingParty.register(provider, { name: 'Agent', permissions: ['users.read'], ...acts });
  stranger = await RelyingParty.register(provider, { name: 'Stranger', ...acts });
  const grantTypes = ['authorization_code', 'refresh_token', exchange];
  app = await RelyingParty.register(provider, { name: 'App', scopes, grantTypes, mayAct: [agent.id] });
  user = await newUser(['users.read', 'roles.read']);
});
afterAll(() => provider.service.stop());

async function newUser(permissions: readonly string[] = []): Promise<NewUser> {
  const made = await provider.organization.newUser(`exchange${++users}@example.com`);
  for (const permission of permissions) await grant(permission, `user:${made.id}`);
  return made;
}

/** Gives a permission to a subject, or takes it away. */
async function grant(permission: string, subject: string, op: 'writes' | 'deletes' = 'writes'): Promise<void> {
  const tuple = { object: `permission:${permission}`, relation: 'granted', subject };
  const answer = await provider.organization.org('POST', '/zanzibar/tuples', { body: { [op]: [tuple] } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

const session = (who = user, scopes = ['users.read', 'roles.read', 'openid', 'offline_access']): Promise<Agreed> =>
  agreed(provider, app, who, scopes);

/** The answer to an exchange; the client authenticates in the form. */
async function exchanged(by: RelyingParty, subject: string, more: Readonly<Record<string, string>> = {}) {
  const answer = await provider.form('token', {
    grant_type: exchange,
    client_id: by.id,
    client_secret: by.secret ?? '',
    subject_token: subject,
    subject_token_type: accessToken,
    ...more,
  });
  const text = (name: string) => (typeof answer.at(name) === 'string' ? answer.text(name) : '');
  return { status: answer.status, error: text('error'), token: text('access_token'), scope: text('scope'), answer };
}

const own = async (by: RelyingParty): Promise<string> => provider.token({ id: by.id, secret: by.secret ?? '' });
const isGood = async (token: string): Promise<boolean> => (await provider.status(token)) === 200;

describe('a token is exchanged', () => {
  test('by a client library: for the same user, by whom acts, for less, without a refresh token', async () => {
    const { access } = await session();
    const parameters = new URLSearchParams({
      subject_token: access,
      subject_token_type: accessToken,
      actor_token: await own(agent),
      actor_token_type: accessToken,
      requested_token_type: accessToken,
    });
    const { server, client, authentication, options } = agent;
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      authentication,
      exchange,
      parameters,
      options,
    );
    const result = await oauth.processGenericTokenEndpointResponse(server, client, response);
    expect(result).toMatchObject({ token_type: 'bearer', scope: 'users.read', issued_token_type: accessToken });
    expect(result.refresh_token).toBeUndefined();
    const claims = decodeJwt(result.access_token);
    expect(claims).toMatchObject({ sub: user.id, client_id: agent.id, act: { sub: agent.id } });
    expect(claims.exp).toBeLessThanOrEqual(decodeJwt(access).exp ?? 0);
  });

  test('without an actor token the client itself is who acts; nobody loses a place in the chain', async () => {
    const next = await RelyingParty.register(provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
    });
    await provider.admin('PATCH', `/admin/clients/${agent.id}`, { mayAct: [next.id] });
    const first = await exchanged(agent, (await session()).access);
    expect(decodeJwt(first.token).act).toEqual({ sub: agent.id });
    const second = await exchanged(next, first.token);
    expect(decodeJwt(second.token).act).toEqual({ sub: next.id, act: { sub: agent.id } });
  });

  test('for its own client it is for the same place, with less, and nobody acts', async () => {
    const { access } = await session();
    const { token, scope } = await exchanged(app, access, { scope: 'roles.read' });
    expect(scope).toBe('roles.read');
    expect(decodeJwt(token).act).toBeUndefined();
    expect(await provider.status(token, '/admin/roles')).toBe(200);
    expect(await provider.status(token, '/admin/users')).toBe(403);
  });

  test('a client that may act as the user is not named', async () => {
    const trusted = await RelyingParty.register(provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
      mayImpersonate: true,
    });
    await provider.admin('PATCH', `/admin/clients/${app.id}`, { mayAct: [agent.id, trusted.id] });
    const { token } = await exchanged(trusted, (await session()).access);
    expect(decodeJwt(token).act).toBeUndefined();
    expect(decodeJwt(token)).toMatchObject({ sub: user.id, client_id: trusted.id });
    // who acts already stays named
    const delegated = await exchanged(agent, (await session()).access);
    await provider.admin('PATCH', `/admin/clients/${agent.id}`, { mayAct: [trusted.id] });
    expect(decodeJwt((await exchanged(trusted, delegated.token)).token).act).toEqual({ sub: agent.id });
  });

  test('of the scopes that all three have, those alone', async () => {
    const { access } = await session(user, ['users.read', 'roles.read']);
    expect((await exchanged(agent, access)).scope).toBe('users.read');
    expect((await exchanged(agent, access, { scope: 'users.read roles.read docs:read' })).scope).toBe('users.read');
    expect((await exchanged(agent, access, { scope: 'roles.read' })).error).toBe('invalid_scope');
    const narrow = await provider.form('token', {
      grant_type: 'client_credentials',
      client_id: agent.id,
      client_secret: agent.secret ?? '',
      scope: 'docs:read',
    });
    const actor = { actor_token: narrow.text('access_token'), actor_token_type: accessToken };
    expect((await exchanged(agent, access, actor)).scope).toBe('');
    expect((await exchanged(agent, access, { ...actor, scope: 'users.read' })).error).toBe('invalid_scope');
  });
});

describe('a token is not exchanged', () => {
  const refusals: readonly [
    string,
    (access: string) => Promise<{ readonly status: number; readonly error: string }>,
    string,
  ][] = [
    ['by whom may not act with it', (access) => exchanged(stranger, access), 'invalid_request'],
    ['with an actor token of somebody else', (access) => withActor(access, own(stranger)), 'invalid_request'],
    ['with an actor token of a user', (access) => withActor(access, Promise.resolve(access)), 'invalid_request'],
    ['where it is none', () => exchanged(agent, 'eyJhbGciOiJub25lIn0.e30.'), 'invalid_request'],
    ['where it is a refresh token', async () => exchanged(agent, (await session()).refresh), 'invalid_request'],
    ['of another type', (access) => exchanged(agent, access, { subject_token_type: 'x' }), 'invalid_request'],
    [
      'for a refresh token',
      (access) => exchanged(agent, access, { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }),
      'invalid_request',
    ],
    [
      'for a place that nobody registered',
      (access) => exchanged(agent, access, { resource: 'https://x.test' }),
      'invalid_target',
    ],
    [
      'for two places',
      (access) => exchanged(agent, access, { resource: 'https://x.test', audience: 'https://y.test' }),
      'invalid_target',
    ],
    [
      'with an actor token without its type',
      async (access) => exchanged(agent, access, { actor_token: await own(agent) }),
      'invalid_request',
    ],
    [
      'for a task, as long as there are none',
      (access) => exchanged(agent, access, { jit_task_id: 'task' }),
      'invalid_request',
    ],
  ];
  async function withActor(access: string, actor: Promise<string>) {
    return exchanged(agent, access, { actor_token: await actor, actor_token_type: accessToken });
  }
  test.each(refusals)('%s', async (_, ask, error) => {
    const { access } = await session();
    const answer = await ask(access);
    expect([answer.status, answer.error]).toEqual([400, error]);
  });

  test('by a client that is not registered for it, or is public', async () => {
    const plain = await RelyingParty.register(provider);
    expect((await exchanged(plain, (await session()).access)).error).toBe('unauthorized_client');
    const made = await provider.admin('POST', '/admin/clients', { name: 'P', type: 'public', grantTypes: [exchange] });
    expect(made.status).toBe(400);
  });

  test('any more, when the right to act is taken away', async () => {
    const other = await RelyingParty.register(provider, { mayAct: [agent.id], scopes: ['users.read'] });
    const { access } = await agreed(provider, other, user, ['users.read']);
    expect((await exchanged(agent, access)).status).toBe(200);
    await provider.admin('PATCH', `/admin/clients/${other.id}`, { mayAct: [] });
    expect((await exchanged(agent, access)).error).toBe('invalid_request');
  });

  test('again and again', async () => {
    let { access: token } = await session();
    const answers: number[] = [];
    for (let round = 0; round < 6; round++) {
      const next = await exchanged(app, token);
      answers.push(next.status);
      token = next.token || token;
    }
    expect(answers).toEqual([200, 200, 200, 200, 400, 400]);
  });
});

describe('an exchanged token ends', () => {
  const endings: readonly [string, (made: Agreed, who: NewUser) => Promise<unknown>][] = [
    ['the token that it was exchanged for', ({ access }) => revoke(app, access)],
    ['the grant of that token', ({ refresh }) => revoke(app, refresh)],
    ['the tokens of the user', (_, who) => provider.admin('DELETE', `/admin/users/${who.id}/tokens`)],
    ['the user', (_, who) => provider.admin('DELETE', `/admin/users/${who.id}`)],
  ];
  function revoke(by: RelyingParty, token: string) {
    return provider.form('revoke', { token, client_id: by.id, client_secret: by.secret ?? '' });
  }
  test.each(endings)('with %s, and the lists know it', async (_, end) => {
    const who = await newUser(['users.read']);
    const made = await session(who);
    const { token } = await exchanged(agent, made.access);
    expect(await isGood(token)).toBe(true);
    await end(made, who);
    expect(await isGood(token)).toBe(false);
    const listed = await provider.organization.org('GET', `/admin/tokens?clientId=${agent.id}`);
    expect(JSON.stringify(listed.body)).not.toContain(decodeJwt(token).jti);
    await provider.service.sweep();
    const { name } = provider.organization.organization.store;
    expect(provider.service.idsOf(name, 'tokens')).not.toContain(decodeJwt(token).jti);
  });

  test('with the session of the user', async () => {
    const made = await session(user, ['users.read']);
    const { token } = await exchanged(agent, made.access);
    expect(await isGood(token)).toBe(true);
    await provider.organization.org('DELETE', `/admin/sessions/${made.session.id}`);
    expect(await isGood(token)).toBe(false);
  });

  test('with the client of the token that it was exchanged for, though it is another’s', async () => {
    const other = await RelyingParty.register(provider, { mayAct: [agent.id], scopes: ['users.read'] });
    const { access } = await agreed(provider, other, user, ['users.read']);
    const { token } = await exchanged(agent, access);
    await provider.admin('DELETE', `/admin/clients/${other.id}`);
    expect(await isGood(token)).toBe(false);
    const listed = await provider.organization.org('GET', `/admin/tokens?clientId=${agent.id}`);
    expect(JSON.stringify(listed.body)).not.toContain(decodeJwt(token).jti);
  });

  test('not later than that', async () => {
    const { access } = await session();
    provider.service.clock.advance(59 * MINUTE);
    const { token, answer } = await exchanged(agent, access);
    expect(answer.at('expires_in')).toBeLessThanOrEqual(60);
    provider.service.clock.advance(MINUTE + 1000);
    expect(await isGood(token)).toBe(false);
  });
});

describe('with a delegated token both must be allowed', () => {
  const check = async (token: string, permission: string): Promise<boolean> => {
    const answer = await provider.organization.org('POST', '/authz/check', { key: token, body: { permission } });
    return answer.at('allowed') === true;
  };

  test('at each decision anew, whoever loses it', async () => {
    const who = await newUser(['users.read', 'roles.read']);
    const { access } = await session(who);
    const { token } = await exchanged(agent, access);
    expect([await check(access, 'roles.read'), await check(token, 'roles.read')]).toEqual([true, false]);
    expect([await check(token, 'users.read'), await provider.status(token, '/admin/users')]).toEqual([true, 200]);
    await grant('users.read', `oauth_client:${agent.id}`, 'deletes');
    expect([await check(token, 'users.read'), await provider.status(token, '/admin/users')]).toEqual([false, 403]);
    await grant('users.read', `oauth_client:${agent.id}`);
    await grant('users.read', `user:${who.id}`, 'deletes');
    expect([await check(token, 'users.read'), await provider.status(token, '/admin/users')]).toEqual([false, 403]);
    await grant('users.read', `user:${who.id}`);
    expect([await check(token, 'users.read'), await provider.status(token, '/admin/users')]).toEqual([true, 200]);
  });

  test('in every form of the question', async () => {
    const who = await newUser(['users.read', 'roles.read']);
    const { token } = await exchanged(agent, (await session(who)).access);
    const ask = async (path: string, body: unknown) =>
      (await provider.organization.org('POST', path, { key: token, body })).body as Record<string, unknown>;
    const permissions = ['users.read', 'roles.read'];
    const checks = permissions.map((permission) => ({ permission }));
    expect(await ask('/authz/check-bulk', { checks })).toMatchObject({
      results: [{ allowed: true }, { allowed: false }],
    });
    expect(await ask('/authz/check-any', { permissions })).toMatchObject({ matched: ['users.read'] });
    expect(await ask('/authz/check-all', { permissions })).toMatchObject({ denied: ['roles.read'] });
    for (const [permission, allowed] of [
      ['users.read', true],
      ['roles.read', false],
    ] as const) {
      expect(await ask('/abac/check', { permission })).toMatchObject({ allowed });
      const question = { object: `permission:${permission}`, relation: 'granted', subject: `user:${who.id}` };
      expect(await ask('/zanzibar/check', question)).toMatchObject({ allowed });
      expect(await ask('/zanzibar/check-bulk', { checks: [question] })).toMatchObject({ results: [{ allowed }] });
    }
    const listed = await provider.organization.org('GET', '/authz/permissions', { key: token });
    expect(JSON.stringify(listed.body)).toContain('users.read');
    expect(JSON.stringify(listed.body)).not.toContain('roles.read');
  });

  test('an agent that is switched off may nothing', async () => {
    const one = await RelyingParty.register(provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
      permissions: ['users.read'],
    });
    const other = await RelyingParty.register(provider, { mayAct: [one.id], scopes: ['users.read'] });
    const { token } = await exchanged(one, (await agreed(provider, other, user, ['users.read'])).access);
    expect(await check(token, 'users.read')).toBe(true);
    await provider.admin('PATCH', `/admin/clients/${one.id}`, { isActive: false });
    expect(await isGood(token)).toBe(false);
  });

  test('what is done is on record with who did it', async () => {
    await grant('settings.manage', `oauth_client:${agent.id}`);
    const admin = await newUser(['settings.manage']);
    const wide = await RelyingParty.register(provider, { mayAct: [agent.id], scopes: ['settings.manage'] });
    await provider.admin('PATCH', `/admin/clients/${agent.id}`, {
      scopes: ['users.read', 'docs:read', 'settings.manage'],
    });
    const { token } = await exchanged(agent, (await agreed(provider, wide, admin, ['settings.manage'])).access);
    const body = { name: `acted${users}` };
    const made = await provider.organization.tenant('POST', '/admin/groups', { key: token, body });
    expect(made.status).toBe(201);
    const log = await provider.organization.org('GET', '/admin/audit-logs?eventType=admin.action&limit=100');
    expect(JSON.stringify(log.body)).toContain(`"actedBy":"oauth_client:${agent.id}"`);
    await grant('settings.manage', `oauth_client:${agent.id}`, 'deletes');
  });
});
