import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentRecords, elevationSubject, grant, taskRecords } from '../../../src/directory/records/index.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { AgencyScene, type TestAgent } from './agency-scene.ts';

let scene: AgencyScene;
let lender: NewUser;
let agent: TestAgent;

const viewer = (id: string, subject: string) => ({ object: `docs:${id}`, relation: 'viewer', subject });
const status = async (token: string) =>
  (await scene.call(token, 'POST', '/authz/check', { permission: 'docs:read' })).status;

beforeAll(async () => {
  scene = await AgencyScene.start('elevated-decisions');
  lender = await scene.user('docs:write', 'users.read', 'docs:delete', 'tuples.read');
  agent = await scene.agent('docs:read', 'tuples.read');
});
afterAll(() => scene.stop());

describe('with a token of an elevation', () => {
  test('the agent may what is its own, and what is lent by one who has it', async () => {
    const { id, token } = await scene.elevated(lender, agent, { scopes: ['docs:write', 'tuples.read'] });
    for (const [permission, allowed] of [
      ['docs:read', true],
      ['docs:write', true],
      ['docs:delete', false],
    ] as const) {
      expect([permission, await scene.check(token, permission)]).toEqual([permission, allowed]);
    }
    const explained = await scene.call(token, 'POST', '/authz/check', { permission: 'docs:delete', explain: true });
    expect(explained.at('explanation')).toMatchObject({
      rule: 'union',
      deniedBy: ['agent'],
      children: [{ party: 'agent' }, { deniedBy: ['ceiling', 'grant'] }],
    });
    const abac = await scene.call(token, 'POST', '/abac/check', { permission: 'docs:write' });
    expect(abac.body).toMatchObject({ allowed: true, sources: [{ type: 'jit', id }] });
    const listed = await scene.call(token, 'GET', '/authz/permissions');
    expect(listed.at('data.data')).toMatchObject([
      { permission: 'docs:read', sources: [{ type: 'direct' }] },
      { permission: 'docs:write', sources: [{ type: 'jit', id }] },
      { permission: 'tuples.read', sources: [{ type: 'direct' }, { type: 'jit', id }] },
    ]);
  });

  test('in every form of the question', async () => {
    const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
    const permissions = ['docs:read', 'docs:write', 'docs:delete', 'users.read'];
    const ask = async (path: string, body: object) => (await scene.call(token, 'POST', path, body)).body;
    expect(await ask('/authz/check-bulk', { checks: permissions.map((permission) => ({ permission })) })).toMatchObject(
      {
        results: [{ allowed: true }, { allowed: true }, { allowed: false }, { allowed: false }],
      },
    );
    expect(await ask('/authz/check-any', { permissions })).toMatchObject({ matched: ['docs:read', 'docs:write'] });
    expect(await ask('/authz/check-all', { permissions })).toMatchObject({ denied: ['docs:delete', 'users.read'] });
    for (const [permission, allowed] of [
      ['docs:write', true],
      ['docs:delete', false],
    ] as const) {
      const question = { object: `permission:${permission}`, relation: 'granted' };
      expect(await ask('/zanzibar/check', question)).toMatchObject({ allowed });
      expect(await ask('/zanzibar/check', { ...question, subject: `user:${lender.id}` })).toMatchObject({ allowed });
      expect(
        await ask('/zanzibar/check-bulk', { checks: [{ ...question, subject: `user:${lender.id}` }] }),
      ).toMatchObject({ results: [{ allowed }] });
    }
  });

  test('the objects that it was lent for bound it, and the lender must have it there', async () => {
    const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'], resources: ['docs:1'] });
    expect(await scene.check(token, 'docs:write', 'docs:1')).toBe(true);
    expect(await scene.check(token, 'docs:write', 'docs:2')).toBe(false);
    expect(await scene.check(token, 'docs:write')).toBe(false);
    const one = await scene.user();
    await scene.tuples('writes', viewer('lent-1', `user:${one.id}`), viewer('lent-2', `user:${one.id}`));
    const other = await scene.agent('tuples.read');
    const onObjects = await scene.elevated(one, other, {
      scopes: ['docs:read'],
      resources: ['docs:lent-1', 'docs:lent-3'],
    });
    const related = async (object: string, relation = 'can_read') =>
      (await scene.call(onObjects.token, 'POST', '/zanzibar/check', { object, relation })).at('allowed');
    expect(await scene.check(onObjects.token, 'docs:read', 'docs:lent-1')).toBe(true);
    expect(await scene.check(onObjects.token, 'docs:read', 'docs:lent-3')).toBe(false);
    expect([await related('docs:lent-1'), await related('docs:lent-2'), await related('docs:lent-3')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(await related('docs:lent-1', 'viewer')).toBe(false);
  });

  test('lists have what is its own, then what is lent, each once', async () => {
    const one = await scene.user();
    const other = await scene.agent('tuples.read');
    await scene.grant('docs:read', `user:${one.id}`);
    const [user, own] = [`user:${one.id}`, `agent:${other.id}`];
    await scene.tuples(
      'writes',
      ...['a', 'b', 'c'].map((id) => viewer(`own-${id}`, own)),
      ...['b', 'c'].map((id) => viewer(`own-${id}`, user)),
      ...['x', 'y', 'z'].map((id) => viewer(`lent-${id}`, user)),
    );
    const { token } = await scene.elevated(one, other, { scopes: ['docs:read', 'tuples.read'] });
    const found: string[] = [];
    for (let cursor: unknown; ; ) {
      const body = { type: 'docs', relation: 'can_read', limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      const page = await scene.call(token, 'POST', '/zanzibar/list-objects', body);
      expect(page.status).toBe(200);
      found.push(...(page.list('objects') as string[]));
      cursor = page.at('cursor');
      if (cursor === undefined) break;
    }
    expect(found.toSorted()).toEqual(
      ['own-a', 'own-b', 'own-c', 'lent-x', 'lent-y', 'lent-z'].map((id) => `docs:${id}`).sort(),
    );
    for (const object of found) {
      const checked = await scene.call(token, 'POST', '/zanzibar/check', { object, relation: 'can_read' });
      expect([object, checked.at('allowed')]).toEqual([object, true]);
    }
  });

  test('nobody lends by a tuple that the question brings along', async () => {
    const one = await scene.user('authz:check');
    const other = await scene.agent('authz:check');
    await scene.grant('docs:read', `user:${one.id}`);
    const { token } = await scene.elevated(one, other, { scopes: ['docs:read', 'authz:check'] });
    const contextualTuples = [viewer('dreamt', `user:${one.id}`)];
    const body = { object: 'docs:dreamt', relation: 'can_read', contextualTuples };
    expect((await scene.call(token, 'POST', '/zanzibar/check', body)).at('allowed')).toBe(false);
    const forged = { object: 'permission:docs:delete', relation: 'granted', subject: 'elevation:x' };
    const refused = await scene.call(token, 'POST', '/zanzibar/check', { ...body, contextualTuples: [forged] });
    expect(refused.status).toBe(400);
  });

  test('administration: what is lent opens it, and is never given away', async () => {
    const admin = await scene.user('users.read', 'agents.manage', 'docs:write', 'tuples.write');
    const other = await scene.agent('docs:read');
    const scopes = ['users.read', 'agents.manage', 'docs:write', 'docs:read', 'tuples.write'];
    const { token } = await scene.elevated(admin, other, { scopes });
    expect((await scene.call(token, 'GET', '/admin/users')).status).toBe(200);
    expect((await scene.call(token, 'GET', '/admin/roles')).status).toBe(403);
    const give = async (permission: string) => {
      const tuple = { object: `permission:${permission}`, relation: 'granted', subject: `agent:${other.id}` };
      return (await scene.call(token, 'POST', '/zanzibar/tuples', { writes: [tuple] })).status;
    };
    expect([await give('docs:write'), await give('users.read'), await give('docs:read')]).toEqual([403, 403, 200]);
    const bounded = await scene.elevated(admin, other, { scopes: ['users.read'], resources: ['docs:1'] });
    expect((await scene.call(bounded.token, 'GET', '/admin/users')).status).toBe(403);
  });

  test('it is refused where it would reach further', async () => {
    const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
    expect((await scene.call(token, 'GET', '/oauth/userinfo')).status).toBe(403);
    expect(
      (await scene.call(token, 'POST', '/delegations', { agentId: agent.id, scopes: ['docs:write'] })).status,
    ).toBe(403);
    const form = { subject_token: token, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' };
    expect((await scene.exchange(agent, form)).text('error')).toBe('invalid_request');
    const stranger = await scene.agent('docs:read');
    expect((await scene.exchange(stranger, form)).text('error')).toBe('invalid_request');
  });
});

describe('it ends', () => {
  test('at its time, also before anything was swept', async () => {
    const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
    expect(await scene.check(token, 'docs:write')).toBe(true);
    scene.provider.service.clock.advance(300_000);
    expect(await status(token)).toBe(401);
  });

  const store = () => scene.provider.organization.organization.store;
  const submit = (...changes: Parameters<typeof scene.provider.service.submit>[0]) =>
    scene.provider.service.submit(changes);
  const ends: readonly [string, (who: { user: NewUser; agent: TestAgent; id: string }) => Promise<unknown>][] = [
    ['with the block of the lender', ({ user }) => scene.provider.admin('POST', `/admin/users/${user.id}/block`)],
    ['with the lender', ({ user }) => scene.provider.admin('DELETE', `/admin/users/${user.id}`)],
    ['with the last right of the lender', ({ user }) => scene.grant('docs:write', `user:${user.id}`, 'deletes')],
    [
      'when it is taken back',
      ({ id }) => {
        const task = scene.provider.service.read(() => taskRecords.get(store(), id));
        if (task === undefined) throw new Error(`there is no task ${id}`);
        const ended = { at: scene.provider.now(), by: 'user:x' };
        return submit(taskRecords.put(store(), id, { ...task.document, ended }));
      },
    ],
    [
      'when the agent is switched off',
      ({ agent: { id } }) => {
        const entry = scene.provider.service.read(() => agentRecords.get(store(), id));
        if (entry === undefined) throw new Error(`there is no agent ${id}`);
        return submit(agentRecords.put(store(), id, { ...entry.document, isActive: false }));
      },
    ],
    ['with the agent', ({ agent: { id } }) => submit(agentRecords.delete(store(), id))],
  ];

  test.each(ends)('%s', async (_, end) => {
    const one = await scene.user('docs:write');
    const other = await scene.agent();
    const { id, token } = await scene.elevated(one, other, { scopes: ['docs:write'] });
    expect(await scene.check(token, 'docs:write')).toBe(true);
    await end({ user: one, agent: other, id });
    expect(await status(token)).toBe(401);
    expect((await scene.exchange(other, { jit_task_id: id })).status).toBeGreaterThanOrEqual(400);
  });

  test('a lender who keeps something lends that alone', async () => {
    const one = await scene.user('docs:write', 'docs:delete');
    const { token } = await scene.elevated(one, agent, { scopes: ['docs:write', 'docs:delete'] });
    await scene.grant('docs:write', `user:${one.id}`, 'deletes');
    expect([await scene.check(token, 'docs:write'), await scene.check(token, 'docs:delete')]).toEqual([false, true]);
  });

  test('a right of the lender that ends by itself ends what is lent at that time', async () => {
    const one = await scene.user();
    await scene.permission('docs:write');
    const expiresAt = new Date(scene.provider.now() + 60_000).toISOString();
    const tuple = { object: 'permission:docs:write', relation: 'granted', subject: `user:${one.id}`, expiresAt };
    await scene.tuples('writes', tuple);
    const { token } = await scene.elevated(one, agent, { scopes: ['docs:write'] });
    expect(await scene.check(token, 'docs:write')).toBe(true);
    scene.provider.service.clock.advance(60_000);
    expect(await status(token)).toBe(401);
  });

  test('a tuple without the task does not help', async () => {
    const one = await scene.user('docs:write');
    const id = await scene.lent(one, agent, { scopes: ['docs:write'] }, { status: 'pending' });
    const tuples = [grant('docs:write', elevationSubject(id))];
    await submit({ op: 'write_tuples', store: store().name, tuples });
    expect((await scene.exchange(agent, { jit_task_id: id })).text('error')).toBe('authorization_pending');
  });
});
