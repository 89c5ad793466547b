import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isForScim } from '../../../src/access/guard/index.ts';
import { systemPermissions } from '../../../src/kernel/rights/index.ts';
import { provisioningPermissions } from '../../../src/protocols/scim/index.ts';
import { platformKey } from '../../server/running-service.ts';
import { ProvisioningScene } from './provisioning-scene.ts';

const everything = Object.keys(systemPermissions);
const day = 86_400_000;

let scene: ProvisioningScene;
let token: string;
let id: string;

beforeAll(async () => {
  scene = await ProvisioningScene.start('provisioning');
});
beforeEach(async () => {
  await scene.set({ enabled: true, allow_administrators: false });
  ({ id, token } = await scene.token());
});
afterAll(() => scene.stop());

const path = () => `/admin/settings/scim/tokens/${id}`;

describe('a SCIM token', () => {
  test('may exactly what provisioning needs, in whichever thread it is judged', async () => {
    for (const place of ['/probe', '/probe/elsewhere']) {
      const answer = await scene.ask(token, place, { permissions: everything });
      expect(answer).toMatchObject({ status: 200, body: { subject: `scim_token:${id}` } });
      expect(answer.list('may').toSorted()).toEqual([...provisioningPermissions].toSorted());
    }
  });

  test('is a credential in both families, and in its own organization alone', async () => {
    const neighbour = await scene.provider.neighbour(`neighbour-${id}`);
    await neighbour.admin('PATCH', '/admin/settings/scim', { enabled: true });
    const options = { key: token, body: { permissions: [] } };
    expect((await scene.provider.organization.tenant('POST', '/probe', options)).status).toBe(200);
    for (const family of ['org', 'tenant'] as const) {
      expect((await neighbour.organization[family]('POST', '/probe', options)).status).toBe(401);
    }
  });

  test('opens nothing else', async () => {
    const wrong: string[] = [];
    for (const endpoint of scene.provider.service.endpoints) {
      const { access, method, path: place } = endpoint;
      if (access === 'public' || isForScim({ endpoint })) continue;
      const address = place.replaceAll(/\{(?:tenant|orgId)\}/g, 'provisioning').replaceAll(/\{\w+\}/g, 'x');
      const controller = new AbortController();
      const { status } = await fetch(scene.provider.service.url + address, {
        method,
        headers: { authorization: `Bearer ${token}` },
        signal: controller.signal,
      });
      controller.abort();
      if (status !== 401) wrong.push(`${method} ${place}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });

  test('fails with its revocation, its rotation and its end', async () => {
    const others = await scene.token({ name: 'Other' });
    expect((await scene.ask(token)).status).toBe(200);
    const rotated = await scene.provider.admin('POST', `${path()}/rotate`);
    expect(rotated.status).toBe(200);
    expect((await scene.ask(token)).status).toBe(401);
    const fresh = rotated.text('data.token');
    expect((await scene.ask(fresh)).status).toBe(200);
    expect((await scene.provider.admin('DELETE', path())).status).toBe(204);
    expect((await scene.ask(fresh)).status).toBe(401);
    expect((await scene.ask(others.token)).status).toBe(200);
    scene.provider.service.clock.advance(366 * day);
    expect((await scene.ask(others.token)).status).toBe(401);
  });

  test('commits nothing that was planned before its revocation', async () => {
    scene.provider.service.beforeNextCommit(() => scene.provider.admin('DELETE', path()));
    const answer = await scene.ask(token, '/probe/changes', {});
    expect(answer).toMatchObject({ status: 401, body: { detail: 'The credential is no longer valid.' } });
  });

  test('commits nothing that was planned before the settings took its right', async () => {
    await scene.set({ allow_administrators: true });
    const give = { give: 'role:ROLE_TENANT_ADMIN#assignee' };
    expect((await scene.ask(token, '/probe/changes', give)).status).toBe(200);
    scene.provider.service.beforeNextCommit(() => scene.set({ allow_administrators: false }));
    expect((await scene.ask(token, '/probe/changes', give)).status).toBe(403);
  });

  test('is told of in the audit log by id and name', async () => {
    await scene.ask(token, '/probe/changes', {});
    const log = await scene.provider.admin('GET', `/admin/audit-logs?action=probe.change&actorId=${id}`);
    expect(log.list('items').length + log.list('data').length).toBeGreaterThan(0);
    expect(JSON.stringify(log.body)).toContain('"actorType":"scim_token"');
    expect(JSON.stringify(log.body)).toContain('"actorName":"Entra"');
  });
});

describe('at an endpoint for SCIM', () => {
  test('no other credential counts, and the refusal speaks SCIM', async () => {
    const { key } = scene.provider.organization;
    const cookie = { cookie: `session=${token}` };
    for (const headers of [{}, { authorization: `Bearer ${key}` }, { authorization: `ApiKey ${key}` }, cookie]) {
      const address = '/orgs/provisioning/api/v1/probe';
      const answer = await scene.provider.service.call('POST', address, { headers, body: { permissions: [] } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="relata"/);
      expect(answer.headers.get('www-authenticate')).not.toContain('ApiKey');
      expect(answer.headers.get('content-type')).toContain('application/scim+json');
      expect(answer.body).toMatchObject({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
        detail: expect.any(String),
      });
    }
  });

  test('the platform key does not count', async () => {
    const settings = '/orgs/provisioning/api/v1/admin/settings';
    expect((await scene.provider.service.call('GET', settings, { key: platformKey })).status).toBe(200);
    expect((await scene.ask(platformKey)).status).toBe(401);
  });

  test('nothing is done while SCIM is switched off', async () => {
    await scene.set({ enabled: false });
    expect(await scene.ask(token)).toMatchObject({
      status: 403,
      body: { status: '403', detail: 'SCIM is switched off in the settings of this organization.' },
    });
    await scene.set({ enabled: true });
    expect((await scene.ask(token)).status).toBe(200);
  });
});

describe('no administrator is made, changed or removed', () => {
  const ask = (body: object) => scene.ask(token, '/probe/changes', body);
  const refusals: [name: string, body: object][] = [
    ['by giving what administers', { give: 'role:ROLE_TENANT_ADMIN#assignee' }],
    ['by taking it', { take: 'role:ROLE_TENANT_ADMIN#assignee' }],
    ['by touching who has it', { touch: 'user:boss' }],
    ['by giving a single permission of Relata’s', { give: 'group:desk#member' }],
    ['by touching a help desk', { touch: 'user:desk' }],
  ];

  beforeAll(async () => {
    for (const slug of ['desk', 'reader']) await scene.provider.admin('POST', '/admin/roles', { slug, name: slug });
    for (const name of ['desk', 'readers']) await scene.provider.admin('POST', '/admin/groups', { name });
    await scene.provider.admin('POST', '/admin/permissions', { slug: 'doc:read', name: 'Read' });
    const written = await scene.provider.admin('POST', '/zanzibar/tuples', {
      writes: [
        { object: 'permission:settings.manage', relation: 'granted', subject: 'user:boss' },
        { object: 'permission:users.reset_password', relation: 'granted', subject: 'role:desk#assignee' },
        { object: 'role:desk', relation: 'assignee', subject: 'group:desk#member' },
        { object: 'group:desk', relation: 'member', subject: 'user:desk' },
        { object: 'permission:doc:read', relation: 'granted', subject: 'role:reader#assignee' },
        { object: 'role:reader', relation: 'assignee', subject: 'group:readers#member' },
        { object: 'group:readers', relation: 'member', subject: 'user:reader' },
      ],
    });
    expect(written.body).toMatchObject({ revision: expect.any(String) });
  });

  test.each(refusals)('%s', async (_, body) => {
    expect((await ask(body)).status).toBe(403);
    await scene.set({ allow_administrators: true });
    expect((await ask(body)).status).toBe(200);
  });

  test('while what an organization’s own groups give is given and taken freely', async () => {
    for (const body of [
      { give: 'group:readers#member' },
      { take: 'group:readers#member' },
      { touch: 'user:reader' },
      { touch: 'user:nobody' },
    ]) {
      expect((await ask(body)).status).toBe(200);
    }
  });
});
