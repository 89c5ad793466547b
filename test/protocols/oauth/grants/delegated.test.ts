import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RelyingParty } from '../relying-party.ts';
import { ExchangeScene, exchange } from './exchange-scene.ts';
import { agreed } from './issuing.ts';

let scene: ExchangeScene;

beforeAll(async () => {
  scene = await ExchangeScene.start('delegated');
});
afterAll(() => scene.stop());

describe('with a delegated token both must be allowed', () => {
  const check = async (token: string, permission: string): Promise<boolean> => {
    const answer = await scene.provider.organization.org('POST', '/authz/check', { key: token, body: { permission } });
    return answer.at('allowed') === true;
  };

  test('at each decision anew, whoever loses it', async () => {
    const who = await scene.newUser(['users.read', 'roles.read']);
    const { access } = await scene.session(who);
    const { token } = await scene.exchanged(scene.agent, access);
    expect([await check(access, 'roles.read'), await check(token, 'roles.read')]).toEqual([true, false]);
    expect([await check(token, 'users.read'), await scene.provider.status(token, '/admin/users')]).toEqual([true, 200]);
    await scene.grant('users.read', `oauth_client:${scene.agent.id}`, 'deletes');
    expect([await check(token, 'users.read'), await scene.provider.status(token, '/admin/users')]).toEqual([
      false,
      403,
    ]);
    await scene.grant('users.read', `oauth_client:${scene.agent.id}`);
    await scene.grant('users.read', `user:${who.id}`, 'deletes');
    expect([await check(token, 'users.read'), await scene.provider.status(token, '/admin/users')]).toEqual([
      false,
      403,
    ]);
    await scene.grant('users.read', `user:${who.id}`);
    expect([await check(token, 'users.read'), await scene.provider.status(token, '/admin/users')]).toEqual([true, 200]);
  });

  test('in every form of the question', async () => {
    const who = await scene.newUser(['users.read', 'roles.read']);
    const { token } = await scene.exchanged(scene.agent, (await scene.session(who)).access);
    const ask = async (path: string, body: unknown) =>
      (await scene.provider.organization.org('POST', path, { key: token, body })).body as Record<string, unknown>;
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
    const listed = await scene.provider.organization.org('GET', '/authz/permissions', { key: token });
    expect(JSON.stringify(listed.body)).toContain('users.read');
    expect(JSON.stringify(listed.body)).not.toContain('roles.read');
  });

  test('an agent that is switched off may nothing', async () => {
    const one = await RelyingParty.register(scene.provider, {
      grantTypes: [exchange],
      redirectUris: [],
      scopes: ['users.read'],
      permissions: ['users.read'],
    });
    const other = await RelyingParty.register(scene.provider, { mayAct: [one.id], scopes: ['users.read'] });
    const { token } = await scene.exchanged(
      one,
      (await agreed(scene.provider, other, scene.user, ['users.read'])).access,
    );
    expect(await check(token, 'users.read')).toBe(true);
    await scene.provider.admin('PATCH', `/admin/clients/${one.id}`, { isActive: false });
    expect(await scene.isGood(token)).toBe(false);
  });

  test('what is done is on record with who did it', async () => {
    await scene.grant('settings.manage', `oauth_client:${scene.agent.id}`);
    const admin = await scene.newUser(['settings.manage']);
    const wide = await RelyingParty.register(scene.provider, { mayAct: [scene.agent.id], scopes: ['settings.manage'] });
    await scene.provider.admin('PATCH', `/admin/clients/${scene.agent.id}`, {
      scopes: ['users.read', 'docs:read', 'settings.manage'],
    });
    const { token } = await scene.exchanged(
      scene.agent,
      (await agreed(scene.provider, wide, admin, ['settings.manage'])).access,
    );
    const body = { name: `acted${Date.now()}` };
    const made = await scene.provider.organization.tenant('POST', '/admin/groups', { key: token, body });
    expect(made.status).toBe(201);
    const log = await scene.provider.organization.org('GET', '/admin/audit-logs?eventType=admin.action&limit=100');
    expect(JSON.stringify(log.body)).toContain(`"actedBy":"oauth_client:${scene.agent.id}"`);
    await scene.grant('settings.manage', `oauth_client:${scene.agent.id}`, 'deletes');
  });
});
