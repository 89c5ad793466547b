import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseTuple } from '../../engine/index.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`demoted-${++count}`);
  const role = await org.tenant('POST', '/admin/roles', { body: { slug: 'clerks', name: 'Clerks' } });
  expect(role.status).toBe(201);
});
afterAll(() => service.stop());

/** A key that may create roles and keys, by a role or by grants of its own; and its subject. */
async function clerk(): Promise<{ readonly key: string; readonly id: string }> {
  const permissions = ['roles.create', 'groups.create', 'roles.assign', 'tuples.write', 'settings.manage'];
  const made = await org.tenant('POST', '/admin/api-keys', { body: { name: 'clerk', permissions } });
  expect(made.status).toBe(201);
  return (made.body as { data: { key: string; id: string } }).data;
}

const requests = [
  ['a role that is created', 'POST', '/admin/roles', { slug: 'made', name: 'Made' }],
  ['a group that is created', 'POST', '/admin/groups', { name: 'made' }],
  ['a key that is created', 'POST', '/admin/api-keys', { name: 'made' }],
  ['a tuple of rights that is written', 'POST', '/zanzibar/tuples', { writes: ['role:clerks#assignee@user:made'] }],
] as const;

describe('Rights: whoever is demoted between the judgement and the commit does not get through', () => {
  test.each(requests)('%s', async (_, method, path, body) => {
    const { key, id } = await clerk();
    let demoted: Promise<unknown> | undefined;
    service.beforeNextCommit(async () => {
      // everything that gives the key its rights, in a commit of its own
      demoted = org.tenant('DELETE', `/admin/api-keys/${id}`);
      await demoted;
    });
    const answer = await org.tenant(method, path, { key, body });
    expect(demoted).toBeDefined();
    expect([401, 403]).toContain(answer.status);
    expect(JSON.stringify((await org.tenant('GET', '/admin/roles')).body)).not.toContain('"made"');
  });

  test('one permission is enough', async () => {
    const { key, id } = await clerk();
    const { store } = org.organization;
    const removed = ['settings.manage', 'roles.create'].map((slug) =>
      parseTuple(`permission:${slug}#granted@api_key:${id}`),
    );
    service.beforeNextCommit(() =>
      org.tenant('POST', '/zanzibar/tuples', {
        body: { deletes: removed.map(({ object, relation, subject }) => ({ object, relation, subject })) },
      }),
    );
    const answer = await org.tenant('POST', '/admin/roles', { key, body: { slug: 'made', name: 'Made' } });
    expect(answer.status).toBe(403);
    expect(service.read(() => store.readTuples({ object: 'role:made' }).tuples)).toEqual([]);
  });

  test('who keeps the right gets through, whatever else is taken away meanwhile', async () => {
    const { key } = await clerk();
    service.beforeNextCommit(() =>
      org.tenant('POST', '/zanzibar/tuples', { body: { deletes: ['role:clerks#assignee@user:nobody'] } }),
    );
    const answer = await org.tenant('POST', '/admin/roles', { key, body: { slug: 'made', name: 'Made' } });
    expect(answer.status).toBe(201);
  });

  const excluding = [
    'model',
    '  schema 1.1',
    'type permission',
    '  relations',
    '    define listed: [api_key]',
    '    define granted: [user] but not listed',
  ];

  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'a grant that comes to have an end, which passes',
      async (id) => {
        const expiresAt = new Date(service.clock.now() + 1000).toISOString();
        const writes = ['groups.create', 'settings.manage'].map((slug) => {
          return { object: `permission:${slug}`, relation: 'granted', subject: `api_key:${id}`, expiresAt };
        });
        await org.tenant('POST', '/zanzibar/tuples', { body: { writes } });
        service.clock.advance(2000);
      },
    ],
    [
      'a model that excludes',
      async (id) => {
        const model = { dsl: excluding.join('\n') };
        const plain = { dsl: model.dsl.replace(' but not listed', '') };
        expect((await org.tenant('POST', '/zanzibar/models', { body: plain })).status).toBe(201);
        const writes = ['groups.create', 'settings.manage'].map((slug) => `permission:${slug}#listed@api_key:${id}`);
        expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
        expect((await org.tenant('POST', '/zanzibar/models', { body: model })).status).toBe(201);
      },
    ],
  ])('by %s', async (_, demote) => {
    const { key, id } = await clerk();
    service.beforeNextCommit(() => demote(id));
    const answer = await org.tenant('POST', '/admin/groups', { key, body: { name: 'made' } });
    expect(answer.status).toBe(403);
  });

  const create = (key: string) => org.tenant('POST', '/admin/groups', { key, body: { name: 'made' } });

  test('by a role that is deleted', async () => {
    const role = (await org.tenant('POST', '/admin/roles', { body: { slug: 'makers', name: 'Makers' } })).text(
      'data.id',
    );
    const writes = ['permission:groups.create#granted@role:makers#assignee'];
    expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    const maker = await org.tenant('POST', '/admin/api-keys', { body: { name: 'maker', roles: ['makers'] } });
    service.beforeNextCommit(() => org.tenant('DELETE', `/admin/roles/${role}`));
    expect((await create(maker.text('data.key'))).status).toBe(403);
  });

  test('as a client that is deactivated', async () => {
    const own = { scopes: ['groups.create'], permissions: ['groups.create'] };
    const body = { name: 'program', grantTypes: ['client_credentials'], ...own };
    const client = await org.tenant('POST', '/admin/clients', { body });
    const id = client.text('data.clientId');
    const secret = client.text('data.clientSecret');
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { headers, body: form.toString() };
    const answer = await service.call('POST', `/t/${org.organization.slug}/api/v1/oauth/token`, sent);
    const token = answer.text('access_token');
    expect((await org.tenant('GET', '/authz/permissions', { key: token })).status).toBe(200);
    service.beforeNextCommit(async () => {
      const off = await org.tenant('PATCH', `/admin/clients/${id}`, { body: { isActive: false } });
      expect(off.status).toBe(200);
    });
    expect((await create(token)).status).toBe(401);
  });
});
