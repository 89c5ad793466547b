import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { AgencyScene, delegationType, type TestAgent, tokenIn } from './agency-scene.ts';

let scene: AgencyScene;
let user: NewUser;
let agent: TestAgent;

const viewer = (id: string, subject: string) => ({ object: `docs:${id}`, relation: 'viewer', subject });

beforeAll(async () => {
  scene = await AgencyScene.start('delegated-decisions');
  user = await scene.user('docs:read', 'docs:write', 'users.read', 'tuples.read');
  agent = await scene.agent('docs:read', 'docs:delete', 'users.read', 'tuples.read');
  await scene.permission('docs:write');
});
afterAll(() => scene.stop());

describe('with a token by a delegation', () => {
  test('user, agent and ceiling must all allow it, and the explanation says who did not', async () => {
    const scopes = ['docs:read', 'docs:write', 'docs:delete', 'tuples.read'];
    const { token } = await scene.delegated(user, agent, { scopes });
    const cases: readonly [string, readonly string[]][] = [
      ['docs:read', []],
      ['docs:write', ['agent']],
      ['docs:delete', ['user']],
      ['users.read', ['ceiling']],
      ['roles.read', ['user', 'agent', 'ceiling']],
    ];
    for (const [permission, deniedBy] of cases) {
      const answer = await scene.call(token, 'POST', '/authz/check', { permission, explain: true });
      expect([permission, answer.at('allowed'), answer.at('explanation.deniedBy') ?? []]).toEqual([
        permission,
        deniedBy.length === 0,
        deniedBy,
      ]);
      const parties = answer.list('explanation.children') as { party: string }[];
      expect(parties.map(({ party }) => party)).toEqual(['user', 'agent', 'ceiling']);
    }
  });

  test('no form of the question passes the ceiling', async () => {
    const { token } = await scene.delegated(user, agent, { scopes: ['docs:read', 'tuples.read'] });
    const permissions = ['docs:read', 'users.read'];
    const ask = async (path: string, body: object) => (await scene.call(token, 'POST', path, body)).body;
    expect(await ask('/authz/check-bulk', { checks: permissions.map((permission) => ({ permission })) })).toMatchObject(
      {
        results: [{ allowed: true }, { allowed: false }],
      },
    );
    expect(await ask('/authz/check-any', { permissions })).toMatchObject({ matched: ['docs:read'] });
    expect(await ask('/authz/check-all', { permissions })).toMatchObject({ allowed: false, denied: ['users.read'] });
    for (const [permission, allowed] of [
      ['docs:read', true],
      ['users.read', false],
    ] as const) {
      const abac = (await ask('/abac/check', { permission })) as { allowed: boolean; sources: unknown[] };
      expect([abac.allowed, abac.sources.length > 0]).toEqual([allowed, allowed]);
      const question = { object: `permission:${permission}`, relation: 'granted', subject: `user:${user.id}` };
      expect(await ask('/zanzibar/check', question)).toMatchObject({ allowed });
      expect(await ask('/zanzibar/check-bulk', { checks: [question] })).toMatchObject({ results: [{ allowed }] });
    }
    const listed = await scene.call(token, 'GET', '/authz/permissions?limit=100');
    expect(listed.list('data.data').map((each) => (each as { permission: string }).permission)).toEqual([
      'docs:read',
      'tuples.read',
    ]);
    const objects = await scene.call(token, 'POST', '/zanzibar/list-objects', {
      type: 'permission',
      relation: 'granted',
    });
    expect(objects.list('objects').toSorted()).toEqual(['permission:docs:read', 'permission:tuples.read']);
  });

  test('relations count where a permission of the ceiling stands for them, and no others', async () => {
    const one = await scene.user();
    const other = await scene.agent();
    const both = [`user:${one.id}`, `agent:${other.id}`];
    await scene.tuples('writes', ...both.map((subject) => viewer('shared', subject)), viewer('mine', `user:${one.id}`));
    const { token } = await scene.delegated(one, other, { scopes: ['docs:read'] });
    const ask = async (object: string, relation: string) =>
      (await scene.call(token, 'POST', '/zanzibar/check', { object, relation })).at('allowed');
    expect(await ask('docs:shared', 'can_read')).toBe(true);
    expect(await ask('docs:mine', 'can_read')).toBe(false);
    expect(await ask('docs:shared', 'viewer')).toBe(false);
    expect(await scene.check(token, 'docs:read', 'docs:shared')).toBe(true);
    expect(await scene.check(token, 'docs:read')).toBe(false);
  });

  test('objects of the ceiling bound every answer, and a question without one is denied', async () => {
    const one = await scene.user('docs:read', 'tuples.read');
    const { token } = await scene.delegated(one, agent, {
      scopes: ['docs:read', 'tuples.read'],
      resources: ['docs:1'],
    });
    expect(await scene.check(token, 'docs:read', 'docs:1')).toBe(true);
    expect(await scene.check(token, 'docs:read', 'docs:2')).toBe(false);
    expect(await scene.check(token, 'docs:read')).toBe(false);
    expect((await scene.call(token, 'GET', '/authz/permissions')).at('data.data')).toEqual([]);
    // administration is about no object of the ceiling
    const listing = await scene.call(token, 'POST', '/zanzibar/list-objects', { type: 'docs', relation: 'can_read' });
    expect(listing.status).toBe(403);
    expect((await scene.call(token, 'POST', '/authz/check', { permission: 'docs:read', explain: true })).status).toBe(
      403,
    );
  });

  test('lists have what the checks allow', async () => {
    const one = await scene.user('tuples.read');
    const other = await scene.agent('tuples.read');
    const subjects = [`user:${one.id}`, `agent:${other.id}`];
    const shared = ['a', 'b', 'c'].flatMap((id) => subjects.map((subject) => viewer(`list-${id}`, subject)));
    await scene.tuples('writes', ...shared, viewer('list-d', `user:${one.id}`));
    const { token } = await scene.delegated(one, other, { scopes: ['docs:read', 'tuples.read'] });
    const list = async (relation: string): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor: unknown; ; ) {
        const body = { type: 'docs', relation, limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const page = await scene.call(token, 'POST', '/zanzibar/list-objects', body);
        found.push(...(page.list('objects') as string[]));
        cursor = page.at('cursor');
        if (cursor === undefined) return found.sort();
      }
    };
    expect(await list('can_read')).toEqual(['docs:list-a', 'docs:list-b', 'docs:list-c']);
    expect(await list('viewer')).toEqual([]);
  });

  test('tuples and context that it brings along pass nothing', async () => {
    const one = await scene.user('authz:check');
    const other = await scene.agent('authz:check');
    const { token } = await scene.delegated(one, other, { scopes: ['authz:check'] });
    const contextualTuples = [`user:${one.id}`, `agent:${other.id}`].map((subject) => viewer('what-if', subject));
    const body = { object: 'docs:what-if', relation: 'can_read', contextualTuples };
    expect((await scene.call(token, 'POST', '/zanzibar/check', body)).at('allowed')).toBe(false);
    const covered = (await scene.delegated(one, other, { scopes: ['authz:check', 'docs:read'] })).token;
    expect((await scene.call(covered, 'POST', '/zanzibar/check', body)).at('allowed')).toBe(true);
    const narrow = (await scene.delegated(one, other, { scopes: ['docs:read'] })).token;
    expect((await scene.call(narrow, 'POST', '/zanzibar/check', body)).status).toBe(403);
    expect(
      (await scene.call(narrow, 'POST', '/authz/check', { permission: 'docs:read', subject: 'user:x' })).status,
    ).toBe(403);
  });

  test('administration needs the right of both, and the scope', async () => {
    const { token } = await scene.delegated(user, agent, { scopes: ['users.read'] });
    expect((await scene.call(token, 'GET', '/admin/users')).status).toBe(200);
    expect((await scene.call(token, 'GET', '/admin/roles')).status).toBe(403);
    const other = await scene.agent();
    const weak = (await scene.delegated(user, other, { scopes: ['users.read'] })).token;
    expect((await scene.call(weak, 'GET', '/admin/users')).status).toBe(403);
    const bounded = await scene.delegated(user, agent, { scopes: ['users.read'], resources: ['docs:1'] });
    expect((await scene.call(bounded.token, 'GET', '/admin/users')).status).toBe(403);
  });

  test('a narrower token reaches less', async () => {
    const { id } = await scene.delegated(user, agent, { scopes: ['docs:read', 'users.read'] });
    const named = { subject_token: id, subject_token_type: delegationType };
    const token = tokenIn(await scene.exchange(agent, { ...named, scope: 'users.read roles.read' }));
    expect([await scene.check(token, 'users.read'), await scene.check(token, 'docs:read')]).toEqual([true, false]);
  });

  test('what it gives away all three must hold', async () => {
    const rights = ['permissions.grant', 'tuples.write', 'docs:read'];
    const admin = await scene.user(...rights, 'docs:write');
    const other = await scene.agent(...rights);
    const { token } = await scene.delegated(admin, other, { scopes: [...rights, 'docs:write'] });
    const target = await scene.user();
    const give = async (permission: string) => {
      const tuple = { object: `permission:${permission}`, relation: 'granted', subject: `user:${target.id}` };
      return (await scene.call(token, 'POST', '/zanzibar/tuples', { writes: [tuple] })).status;
    };
    expect([await give('docs:read'), await give('docs:write'), await give('users.read')]).toEqual([200, 403, 403]);
  });
});

describe('it ends', () => {
  const ends: readonly [string, (who: { user: NewUser; agent: TestAgent; id: string }) => Promise<unknown>][] = [
    ['with the delegation', ({ id }) => scene.provider.admin('DELETE', `/admin/delegations/${id}`)],
    ['with the user', ({ user: { id } }) => scene.provider.admin('DELETE', `/admin/users/${id}`)],
    ['with the block of the user', ({ user: { id } }) => scene.provider.admin('POST', `/admin/users/${id}/block`)],
    ['with its time', async () => scene.provider.service.clock.advance(3_600_001)],
  ];

  test.each(ends)('%s', async (_, end) => {
    const one = await scene.user('docs:read');
    const expiresAt = new Date(scene.provider.now() + 3_600_000).toISOString();
    const { id, token } = await scene.delegated(one, agent, { scopes: ['docs:read'], expiresAt } as never);
    expect(await scene.check(token, 'docs:read')).toBe(true);
    await end({ user: one, agent, id });
    expect((await scene.call(token, 'POST', '/authz/check', { permission: 'docs:read' })).status).toBe(401);
    const again = await scene.exchange(agent, { subject_token: id, subject_token_type: delegationType });
    expect(again.status).toBe(400);
  });

  test('a user who loses the right loses it at the next question', async () => {
    const one = await scene.user('docs:read');
    const { token } = await scene.delegated(one, agent, { scopes: ['docs:read'] });
    expect(await scene.check(token, 'docs:read')).toBe(true);
    await scene.grant('docs:read', `user:${one.id}`, 'deletes');
    expect(await scene.check(token, 'docs:read')).toBe(false);
  });
});

describe('it is refused', () => {
  test('where it would reach further than the ceiling', async () => {
    const { id, token } = await scene.delegated(user, agent, { scopes: ['docs:read', 'users.read'] });
    expect((await scene.call(token, 'GET', '/oauth/userinfo')).status).toBe(403);
    const onward = await scene.call(token, 'POST', '/delegations', { agentId: agent.id, scopes: ['docs:read'] });
    expect([onward.status, onward.text('detail')]).toEqual([403, 'Who acts for a user delegates nothing onward.']);
    expect((await scene.call(token, 'GET', '/delegations')).status).toBe(403);
    expect((await scene.call(token, 'DELETE', `/delegations/${id}`)).status).toBe(403);
    const form = { subject_token: token, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    expect((await scene.exchange(agent, form)).text('error')).toBe('invalid_request');
    const { slug } = scene.provider.organization.organization;
    for (const path of ['/account', '/account/sessions', '/device']) {
      const answer = await fetch(`${scene.provider.service.url}/orgs/${slug}${path}`, {
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([path, answer.status === 200 && (await answer.text()).includes(user.email)]).toEqual([path, false]);
    }
  });

  test('it says who acts, and tells nothing of what the user has', async () => {
    const { token } = await scene.delegated(user, agent, { scopes: ['docs:read'] });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.id, client_id: agent.id, act: { sub: agent.id }, scope: 'docs:read' });
    for (const name of ['roles', 'groups', 'permissions']) expect(claims).not.toHaveProperty(name);
  });
});
