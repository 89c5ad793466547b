import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { RelyingParty } from '../relying-party.ts';
import { accessToken, ExchangeScene, exchange } from './exchange-scene.ts';
import { type Agreed, agreed } from './issuing.ts';

const MINUTE = 60_000;

let scene: ExchangeScene;

beforeAll(async () => {
  scene = await ExchangeScene.start('exchanging');
});
afterAll(() => scene.stop());

function revoke(by: RelyingParty, token: string) {
  return scene.provider.form('revoke', { token, client_id: by.id, client_secret: by.secret ?? '' });
}

describe('a token is exchanged', () => {
  test('by a client library: for the same scene.user, by whom acts, for less, without a refresh token', async () => {
    const { access } = await scene.session();
    const parameters = new URLSearchParams({
      subject_token: access,
      subject_token_type: accessToken,
      actor_token: await scene.own(scene.agent),
      actor_token_type: accessToken,
      requested_token_type: accessToken,
    });
    const { server, client, authentication, options } = scene.agent;
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
    expect(claims).toMatchObject({ sub: scene.user.id, client_id: scene.agent.id, act: { sub: scene.agent.id } });
    expect(claims.exp).toBeLessThanOrEqual(decodeJwt(access).exp ?? 0);
  });

  test('without an actor token the client itself is who acts; nobody loses a place in the chain', async () => {
    const next = await RelyingParty.register(scene.provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
    });
    await scene.provider.admin('PATCH', `/admin/clients/${scene.agent.id}`, { mayAct: [next.id] });
    const first = await scene.exchanged(scene.agent, (await scene.session()).access);
    expect(decodeJwt(first.token).act).toEqual({ sub: scene.agent.id });
    const second = await scene.exchanged(next, first.token);
    expect(decodeJwt(second.token).act).toEqual({ sub: next.id, act: { sub: scene.agent.id } });
  });

  test('for its own client it is for the same place, with less, and nobody acts', async () => {
    const { access } = await scene.session();
    const { token, scope } = await scene.exchanged(scene.app, access, { scope: 'roles.read' });
    expect(scope).toBe('roles.read');
    expect(decodeJwt(token).act).toBeUndefined();
    expect(await scene.provider.status(token, '/admin/roles')).toBe(200);
    expect(await scene.provider.status(token, '/admin/users')).toBe(403);
  });

  test('a client that may act as the user is not named', async () => {
    const trusted = await RelyingParty.register(scene.provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
      mayImpersonate: true,
    });
    await scene.provider.admin('PATCH', `/admin/clients/${scene.app.id}`, { mayAct: [scene.agent.id, trusted.id] });
    const { token } = await scene.exchanged(trusted, (await scene.session()).access);
    expect(decodeJwt(token).act).toBeUndefined();
    expect(decodeJwt(token)).toMatchObject({ sub: scene.user.id, client_id: trusted.id });
    // who acts already stays named
    const delegated = await scene.exchanged(scene.agent, (await scene.session()).access);
    await scene.provider.admin('PATCH', `/admin/clients/${scene.agent.id}`, { mayAct: [trusted.id] });
    expect(decodeJwt((await scene.exchanged(trusted, delegated.token)).token).act).toEqual({ sub: scene.agent.id });
  });

  test('of the scopes that all three have, those alone', async () => {
    const { access } = await scene.session(scene.user, ['users.read', 'roles.read']);
    expect((await scene.exchanged(scene.agent, access)).scope).toBe('users.read');
    expect((await scene.exchanged(scene.agent, access, { scope: 'users.read roles.read docs:read' })).scope).toBe(
      'users.read',
    );
    expect((await scene.exchanged(scene.agent, access, { scope: 'roles.read' })).error).toBe('invalid_scope');
    const narrow = await scene.provider.form('token', {
      grant_type: 'client_credentials',
      client_id: scene.agent.id,
      client_secret: scene.agent.secret ?? '',
      scope: 'docs:read',
    });
    const actor = { actor_token: narrow.text('access_token'), actor_token_type: accessToken };
    expect((await scene.exchanged(scene.agent, access, actor)).scope).toBe('');
    expect((await scene.exchanged(scene.agent, access, { ...actor, scope: 'users.read' })).error).toBe('invalid_scope');
  });
});

describe('a token is not exchanged', () => {
  const refusals: readonly [
    string,
    (access: string) => Promise<{ readonly status: number; readonly error: string }>,
    string,
  ][] = [
    ['by whom may not act with it', (access) => scene.exchanged(scene.stranger, access), 'invalid_request'],
    [
      'with an actor token of somebody else',
      (access) => withActor(access, scene.own(scene.stranger)),
      'invalid_request',
    ],
    ['with an actor token of a user', (access) => withActor(access, Promise.resolve(access)), 'invalid_request'],
    [
      'with an actor token that the client has of its user',
      (access) => scene.exchanged(scene.app, access, { actor_token: access, actor_token_type: accessToken }),
      'invalid_request',
    ],
    [
      'with an actor token by which somebody acts',
      async (access) => {
        const own = await scene.own(scene.agent);
        const acting = await withActor(own, Promise.resolve(own));
        expect(acting.status).toBe(200);
        return withActor(access, Promise.resolve(acting.token));
      },
      'invalid_request',
    ],
    [
      'of a client for itself, by another',
      async () => {
        const acting = { mayAct: [scene.agent.id], grantTypes: ['client_credentials'], redirectUris: [] };
        const other = await RelyingParty.register(scene.provider, acting);
        return scene.exchanged(scene.agent, await scene.own(other));
      },
      'invalid_request',
    ],
    ['where it is none', () => scene.exchanged(scene.agent, 'eyJhbGciOiJub25lIn0.e30.'), 'invalid_request'],
    [
      'where it is a refresh token',
      async () => scene.exchanged(scene.agent, (await scene.session()).refresh),
      'invalid_request',
    ],
    [
      'of another type',
      (access) => scene.exchanged(scene.agent, access, { subject_token_type: 'x' }),
      'invalid_request',
    ],
    [
      'for a refresh token',
      (access) =>
        scene.exchanged(scene.agent, access, {
          requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
        }),
      'invalid_request',
    ],
    [
      'for a place that nobody registered',
      (access) => scene.exchanged(scene.agent, access, { resource: 'https://x.test' }),
      'invalid_target',
    ],
    [
      'for two places',
      (access) => scene.exchanged(scene.agent, access, { resource: 'https://x.test', audience: 'https://y.test' }),
      'invalid_target',
    ],
    [
      'with an actor token without its type',
      async (access) => scene.exchanged(scene.agent, access, { actor_token: await scene.own(scene.agent) }),
      'invalid_request',
    ],
    [
      'for a task, by a client that is no agent',
      (access) => scene.exchanged(scene.agent, access, { jit_task_id: 'task' }),
      'unauthorized_client',
    ],
  ];
  async function withActor(access: string, actor: Promise<string>) {
    return scene.exchanged(scene.agent, access, { actor_token: await actor, actor_token_type: accessToken });
  }
  test.each(refusals)('%s', async (_, ask, error) => {
    const { access } = await scene.session();
    const answer = await ask(access);
    expect([answer.status, answer.error]).toEqual([400, error]);
  });

  test('by a client that is not registered for it, or is public', async () => {
    const plain = await RelyingParty.register(scene.provider);
    expect((await scene.exchanged(plain, (await scene.session()).access)).error).toBe('unauthorized_client');
    const made = await scene.provider.admin('POST', '/admin/clients', {
      name: 'P',
      type: 'public',
      grantTypes: [exchange],
    });
    expect(made.status).toBe(400);
  });

  test('any more, when the right to act is taken away', async () => {
    const other = await RelyingParty.register(scene.provider, { mayAct: [scene.agent.id], scopes: ['users.read'] });
    const { access } = await agreed(scene.provider, other, scene.user, ['users.read']);
    expect((await scene.exchanged(scene.agent, access)).status).toBe(200);
    await scene.provider.admin('PATCH', `/admin/clients/${other.id}`, { mayAct: [] });
    expect((await scene.exchanged(scene.agent, access)).error).toBe('invalid_request');
  });

  test.each<[string, (access: string, who: NewUser) => Promise<unknown>]>([
    ['it is', (access) => revoke(scene.app, access)],
    ['all tokens of its user are', (_, who) => scene.provider.admin('DELETE', `/admin/users/${who.id}/tokens`)],
  ])('where %s revoked when the exchange is planned and not committed', async (_, end) => {
    const who = await scene.newUser(['users.read']);
    const { access } = await scene.session(who);
    scene.provider.service.beforeNextCommit(() => end(access, who));
    const { status, error } = await scene.exchanged(scene.agent, access);
    expect([status, error]).toEqual([400, 'invalid_request']);
  });

  test('again and again', async () => {
    let { access: token } = await scene.session();
    const answers: number[] = [];
    for (let round = 0; round < 6; round++) {
      const next = await scene.exchanged(scene.app, token);
      answers.push(next.status);
      token = next.token || token;
    }
    expect(answers).toEqual([200, 200, 200, 200, 400, 400]);
  });
});

describe('an exchanged token ends', () => {
  const endings: readonly [string, (made: Agreed, who: NewUser) => Promise<unknown>][] = [
    ['the token that it was exchanged for', ({ access }) => revoke(scene.app, access)],
    ['the grant of that token', ({ refresh }) => revoke(scene.app, refresh)],
    ['the tokens of the user', (_, who) => scene.provider.admin('DELETE', `/admin/users/${who.id}/tokens`)],
    ['the user', (_, who) => scene.provider.admin('DELETE', `/admin/users/${who.id}`)],
  ];
  test.each(endings)('with %s, and the lists know it', async (_, end) => {
    const who = await scene.newUser(['users.read']);
    const made = await scene.session(who);
    const { token } = await scene.exchanged(scene.agent, made.access);
    expect(await scene.isGood(token)).toBe(true);
    await end(made, who);
    expect(await scene.isGood(token)).toBe(false);
    const listed = await scene.provider.organization.org('GET', `/admin/tokens?clientId=${scene.agent.id}`);
    expect(JSON.stringify(listed.body)).not.toContain(decodeJwt(token).jti);
    await scene.provider.service.sweep();
    const { name } = scene.provider.organization.organization.store;
    expect(scene.provider.service.idsOf(name, 'tokens')).not.toContain(decodeJwt(token).jti);
  });

  test('with the session of the user', async () => {
    const made = await scene.session(scene.user, ['users.read']);
    const { token } = await scene.exchanged(scene.agent, made.access);
    expect(await scene.isGood(token)).toBe(true);
    await scene.provider.organization.org('DELETE', `/admin/sessions/${made.session.id}`);
    expect(await scene.isGood(token)).toBe(false);
  });

  test('with the client of the token that it was exchanged for, though it is another’s', async () => {
    const other = await RelyingParty.register(scene.provider, { mayAct: [scene.agent.id], scopes: ['users.read'] });
    const { access } = await agreed(scene.provider, other, scene.user, ['users.read']);
    const { token } = await scene.exchanged(scene.agent, access);
    await scene.provider.admin('DELETE', `/admin/clients/${other.id}`);
    expect(await scene.isGood(token)).toBe(false);
    const listed = await scene.provider.organization.org('GET', `/admin/tokens?clientId=${scene.agent.id}`);
    expect(JSON.stringify(listed.body)).not.toContain(decodeJwt(token).jti);
  });

  test('not later than that', async () => {
    const { access } = await scene.session();
    scene.provider.service.clock.advance(59 * MINUTE);
    const { token, answer } = await scene.exchanged(scene.agent, access);
    expect(answer.at('expires_in')).toBeLessThanOrEqual(60);
    scene.provider.service.clock.advance(MINUTE + 1000);
    expect(await scene.isGood(token)).toBe(false);
  });
});
