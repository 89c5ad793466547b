import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { AgentScene } from './scene.ts';

let service: InProcessService;
let scene: AgentScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_REFUSED: '0' });
});
beforeEach(async () => {
  scene = await AgentScene.at(service, `agent-rights${++count}`);
});
afterAll(() => service.stop());

const statusOf = async (method: string, path: string, body: unknown, key: string) =>
  (await scene.admin(method, path, body, key)).status;

describe('whoever manages agents', () => {
  test('needs the right, and no other', async () => {
    const { id } = await scene.make();
    const other = await scene.narrow('users.read', 'roles.assign', 'permissions.grant');
    const own = await scene.narrow('agents.manage');
    const requests: [method: string, path: string, body?: object][] = [
      ['GET', '/agents'],
      ['GET', `/agents/${id}`],
      ['POST', '/agents', { name: 'New' }],
      ['PUT', `/agents/${id}`, { name: 'Renamed' }],
      ['POST', `/agents/${id}/rotate-key`],
      ['DELETE', `/agents/${id}`],
    ];
    for (const [method, path, body] of requests) {
      expect([method, path, await statusOf(method, path, body, other)]).toEqual([method, path, 403]);
      expect([method, path, await statusOf(method, path, body, own)]).not.toContain(403);
    }
  });

  test('gives an agent nothing that they do not hold, at creation and later', async () => {
    await scene.permissions('docs:read', 'docs:write');
    await scene.admin('POST', '/roles', { name: 'Writer', slug: 'writer' });
    const writes = ['permission:docs:write#granted@role:writer#assignee'];
    await scene.org.tenant('POST', '/zanzibar/tuples', { body: { writes } });
    const key = await scene.narrow('agents.manage', 'docs:read');
    const { id } = await scene.make();
    for (const [rights, status] of [
      [{ permissions: ['docs:read'] }, 201],
      [{ permissions: ['docs:write'] }, 403],
      [{ permissions: ['docs:read', 'users.delete'] }, 403],
      [{ permissions: ['settings.manage'] }, 403],
      [{ roles: ['writer'] }, 403],
      [{ roles: ['ROLE_TENANT_ADMIN'] }, 403],
    ] as const) {
      expect([rights, await statusOf('POST', '/agents', { name: 'New', ...rights }, key)]).toEqual([rights, status]);
      const later = status === 201 ? 200 : status;
      expect([rights, await statusOf('PUT', `/agents/${id}`, rights, key)]).toEqual([rights, later]);
    }
  });

  test('does nothing to an agent that holds more: its key would be theirs', async () => {
    await scene.permissions('docs:write');
    const key = await scene.narrow('agents.manage');
    const powerful = await scene.make({ permissions: ['docs:write'] });
    const attempts: [method: string, path: string, body?: object][] = [
      ['POST', `/agents/${powerful.id}/rotate-key`],
      ['PUT', `/agents/${powerful.id}`, { name: 'Mine' }],
      ['PUT', `/agents/${powerful.id}`, { allowedIps: null }],
      ['PUT', `/agents/${powerful.id}`, { permissions: [] }],
      ['PUT', `/agents/${powerful.id}`, { isActive: false }],
      ['PUT', `/agents/${powerful.id}`, { jwksUri: 'https://evil.example/jwks' }],
      ['DELETE', `/agents/${powerful.id}`],
    ];
    const refused = async (who: string) => {
      for (const [method, path, body] of attempts) {
        expect([who, method, path, body, await statusOf(method, path, body, key)]).toEqual([
          who,
          method,
          path,
          body,
          403,
        ]);
      }
    };
    await refused('an active one');
    // one that is switched off holds nothing now, and would hold all of it again
    expect(await statusOf('PUT', `/agents/${powerful.id}`, { isActive: false }, scene.org.key)).toBe(200);
    await refused('one that is switched off');
    await scene.admin('POST', '/roles', { name: 'Writer', slug: 'writer' });
    const writes = ['permission:docs:write#granted@role:writer#assignee'];
    await scene.org.tenant('POST', '/zanzibar/tuples', { body: { writes } });
    await scene.admin('PUT', `/agents/${powerful.id}`, { permissions: [], roles: ['writer'] });
    await refused('one with a role that is switched off');
    expect(await scene.status(powerful.apiKey)).toBe(401);
    await scene.admin('PUT', `/agents/${powerful.id}`, { isActive: true });
    expect(await scene.status(powerful.apiKey)).toBe(200);
  });

  test('is one who holds it in full where the agent does', async () => {
    const { id } = await scene.make({ roles: ['ROLE_TENANT_ADMIN'] });
    expect(await statusOf('POST', `/agents/${id}/rotate-key`, undefined, await scene.narrow('agents.manage'))).toBe(
      403,
    );
    expect(await statusOf('POST', `/agents/${id}/rotate-key`, undefined, await scene.narrow('settings.manage'))).toBe(
      200,
    );
  });

  test('may be an agent, which gives no more than it holds', async () => {
    const manager = await scene.make({ permissions: ['agents.manage', 'users.read'] });
    const own = (body: object) => statusOf('POST', '/agents', { name: 'Child', ...body }, manager.apiKey);
    expect([await own({ permissions: ['users.read'] }), await own({ permissions: ['users.delete'] })]).toEqual([
      201, 403,
    ]);
    const narrow = await scene.token(manager, 'agents.manage');
    expect(await statusOf('POST', '/agents', { name: 'Child', permissions: ['users.read'] }, narrow)).toBe(403);
  });
});

describe('rights of an agent', () => {
  test('are tuples: sets that a change replaces, and no other change touches', async () => {
    await scene.permissions('docs:read');
    const agent = await scene.make({ permissions: ['docs:read', 'users.read'] });
    expect(await scene.holds(agent.subject, 'docs:read')).toBe(true);
    expect((await scene.admin('PUT', `/agents/${agent.id}`, { name: 'Other' })).at('data.permissions')).toHaveLength(2);
    const changed = await scene.admin('PUT', `/agents/${agent.id}`, { permissions: ['users.read', 'users.read'] });
    expect(changed.at('data.permissions')).toEqual(['users.read']);
    expect(await scene.holds(agent.subject, 'docs:read')).toBe(false);
    const { status } = await scene.org.tenant('GET', '/admin/users', { key: agent.apiKey });
    expect(status).toBe(200);
    const entries = (await scene.admin('GET', `/audit-logs?action=agent.update&limit=10`)).at('data') as object[];
    expect(JSON.stringify(entries)).toContain('docs:read');
    expect(JSON.stringify(entries)).not.toContain('digest');
  });

  test('come by groups, too', async () => {
    const agent = await scene.make();
    await scene.permissions('docs:read');
    await scene.admin('POST', '/groups', { name: 'bots' });
    await scene.admin('POST', '/roles', { name: 'Reader', slug: 'reader' });
    const writes = [
      'permission:docs:read#granted@role:reader#assignee',
      'role:reader#assignee@group:bots#member',
      `group:bots#member@${agent.subject}`,
    ];
    expect((await scene.org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    expect(await scene.holds(agent.subject, 'docs:read')).toBe(true);
  });

  test('never make it the administrator who remains', async () => {
    await scene.make({ roles: ['ROLE_TENANT_ADMIN'] });
    const [own] = (await scene.admin('GET', '/api-keys')).at('data') as { id: string }[];
    expect((await scene.admin('DELETE', `/api-keys/${own?.id}`)).status).toBe(422);
  });

  test('an organization sees and reaches none of another’s', async () => {
    const other = await AgentScene.at(service, `agent-rights-other${count}`);
    const agent = await scene.make({ permissions: ['agents.manage'] });
    for (const [method, path, body] of [
      ['GET', `/agents/${agent.id}`],
      ['PUT', `/agents/${agent.id}`, { name: 'X' }],
      ['POST', `/agents/${agent.id}/rotate-key`],
      ['DELETE', `/agents/${agent.id}`],
    ] as const) {
      expect((await other.admin(method, path, body)).status).toBe(404);
    }
    expect((await other.admin('GET', '/agents')).at('meta.total')).toBe(0);
    expect(await other.status(agent.apiKey)).toBe(401);
    expect(await other.status(await scene.token(agent))).toBe(401);
    const { id } = await other.org.newUser('stranger@agents.example');
    expect((await scene.admin('POST', '/agents', { name: 'A', ownerId: id })).status).toBe(400);
  });
});
