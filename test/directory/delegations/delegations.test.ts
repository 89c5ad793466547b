import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgencyScene, type TestAgent } from '../../access/agency/agency-scene.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { agreed } from '../../protocols/oauth/grants/issuing.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';

const DAY_MS = 86_400_000;

let scene: AgencyScene;
let agent: TestAgent;
let user: NewUser;

beforeAll(async () => {
  scene = await AgencyScene.start('delegations');
  agent = await scene.agent();
  user = await scene.user('docs:read', 'docs:write');
});
afterAll(() => scene.stop());

const inDays = (days: number): string => new Date(scene.provider.now() + days * DAY_MS).toISOString();
const create = (token: string, more: object = {}) =>
  scene.call(token, 'POST', '/delegations', { agentId: agent.id, scopes: ['docs:read'], ...more });

describe('what people delegate by a token', () => {
  test('is created, listed, and withdrawn by them alone', async () => {
    const token = await scene.token(user);
    const made = await create(token, { scopes: ['docs:read', 'docs:read'], resources: ['docs:1'] });
    expect(made.status).toBe(201);
    const id = made.text('data.data.id');
    const shown = {
      id,
      userId: user.id,
      agentId: agent.id,
      agentName: expect.stringContaining('Agent'),
      scopes: ['docs:read'],
      resources: ['docs:1'],
      createdAt: inDays(0),
      expiresAt: inDays(30),
    };
    expect(made.at('data.data')).toEqual(shown);
    expect((await scene.call(token, 'GET', '/delegations')).at('data.data')).toEqual([shown]);
    const tenant = await scene.provider.organization.tenant('GET', '/delegations', { key: token });
    expect(tenant.at('data')).toEqual([shown]);

    const stranger = await scene.token(await scene.user());
    expect((await scene.call(stranger, 'GET', '/delegations')).at('data.data')).toEqual([]);
    expect((await scene.call(stranger, 'DELETE', `/delegations/${id}`)).status).toBe(404);
    expect((await scene.call(token, 'DELETE', `/delegations/${id}`)).status).toBe(204);
    expect((await scene.call(token, 'DELETE', `/delegations/${id}`)).status).toBe(404);
    expect((await scene.call(token, 'GET', '/delegations')).at('data.data')).toEqual([]);
  });

  test('is refused where something in it is none, and says where', async () => {
    const token = await scene.token(user);
    const faults: readonly [object, string][] = [
      [{ agentId: 'nobody' }, 'agentId'],
      [{ scopes: ['docs:read', 'no:such'] }, 'scopes[1]'],
      [{ scopes: [] }, 'scopes'],
      [{ resources: [] }, 'resources'],
      [{ resources: ['docs:1', 'docs:*'] }, 'resources[1]'],
      [{ resources: ['no object'] }, 'resources[0]'],
      [{ expiresAt: inDays(0) }, 'expiresAt'],
      [{ expiresAt: inDays(91) }, 'expiresAt'],
    ];
    for (const [fault, path] of faults) {
      const answer = await create(token, fault);
      expect([answer.status, answer.text('errors.0.path')], JSON.stringify(answer.body)).toEqual([400, path]);
    }
    expect((await create(token, { expiresAt: inDays(90) })).status).toBe(201);
  });

  test('needs a token that covers it', async () => {
    const narrow = await scene.token(user, ['docs:read']);
    expect((await create(narrow)).status).toBe(201);
    const answer = await create(narrow, { scopes: ['docs:read', 'docs:write'] });
    expect([answer.status, answer.text('detail')]).toEqual([403, 'The token does not cover docs:write.']);
  });

  test('is for people alone', async () => {
    for (const key of [scene.provider.organization.key, await scene.provider.token(await scene.provider.client([]))]) {
      for (const answer of [await create(key), await scene.call(key, 'GET', '/delegations')]) {
        expect([answer.status, answer.text('detail')]).toEqual([
          403,
          'Only users delegate. Call this with an access token of a user.',
        ]);
      }
    }
  });

  test('not by an application that somebody has let in from outside', async () => {
    await scene.provider.admin('PATCH', '/admin/settings/auth', {
      registration: { dynamic_client_registration_enabled: true },
    });
    const party = await RelyingParty.register(scene.provider, { name: 'Own' });
    expect((await create((await agreed(scene.provider, party, user, ['docs:read'])).access)).status).toBe(201);
    const registered = await scene.provider.service.call(
      'POST',
      `/orgs/${scene.provider.organization.organization.slug}/api/v1/connect/register`,
      { body: { redirect_uris: ['https://elsewhere.example/callback'], client_name: 'Elsewhere' } },
    );
    const id = registered.text('client_id');
    const { access } = await agreed(scene.provider, { id }, user, ['docs:read', 'permissions']);
    const answer = await create(access);
    expect([answer.status, answer.text('detail')]).toEqual([
      403,
      'Only applications of the organization itself delegate for a user.',
    ]);
  });

  test('is bounded, and goes when it is over, and with its user', async () => {
    const who = await scene.user();
    const token = await scene.token(who);
    for (let made = 0; made < 100; made++) expect((await create(token, { expiresAt: inDays(1) })).status).toBe(201);
    expect((await create(token)).status).toBe(422);
    const listed = () => scene.provider.admin('GET', `/admin/delegations?userId=${who.id}`);
    expect((await listed()).at('meta.total')).toBe(100);
    scene.provider.service.clock.advance(DAY_MS + 1);
    expect((await scene.call(await scene.token(who), 'GET', '/delegations')).at('data.meta.total')).toBe(0);
    await scene.provider.service.sweep();
    expect((await listed()).at('meta.total')).toBe(0);
    expect((await create(await scene.token(who))).status).toBe(201);
    expect((await scene.provider.admin('DELETE', `/admin/users/${who.id}`)).status).toBe(204);
    expect((await listed()).at('meta.total')).toBe(0);
  });
});

describe('administrators', () => {
  test('see delegations and withdraw them, with agents.manage', async () => {
    const id = (await create(await scene.token(user))).text('data.data.id');
    const other = await scene.agent();
    const key = await scene.provider.organization.newKey('agents.manage');
    const listed = await scene.call(key, 'GET', `/admin/delegations?agentId=${agent.id}&limit=100`);
    expect(listed.list('data.data').map((each) => (each as { id: string }).id)).toContain(id);
    expect((await scene.call(key, 'GET', `/admin/delegations?agentId=${other.id}`)).at('data.data')).toEqual([]);
    const none = await scene.provider.organization.newKey('users.read');
    expect((await scene.call(none, 'DELETE', `/admin/delegations/${id}`)).status).toBe(403);
    expect((await scene.call(key, 'DELETE', `/admin/delegations/${id}`)).status).toBe(204);
    expect((await scene.call(key, 'DELETE', `/admin/delegations/${id}`)).status).toBe(404);
    const log = await scene.provider.organization.org('GET', '/admin/audit-logs?action=delegation.withdraw&limit=1');
    expect(JSON.stringify(log.body)).toContain(id);
  });

  test('of another organization find nothing', async () => {
    const id = (await create(await scene.token(user))).text('data.data.id');
    const neighbour = await scene.provider.neighbour('delegations-next');
    expect((await neighbour.admin('DELETE', `/admin/delegations/${id}`)).status).toBe(404);
    expect((await neighbour.admin('GET', '/admin/delegations')).at('meta.total')).toBe(0);
  });
});
