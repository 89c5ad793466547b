import { describe, expect, test } from 'vitest';
import { group, provisioned, user } from '../provisioning/organization.ts';
import { type Asked, everything, patch, validated } from './trying.ts';

const on = provisioned();

/** Without what is made anew each time. */
function lasting(resource: unknown): unknown {
  const { id: _, meta: __, ...rest } = (resource ?? {}) as Record<string, unknown>;
  return rest;
}

interface Ids {
  readonly ada: string;
  readonly bob: string;
  readonly sales: string;
}

const cases: readonly { name: string; asked: (ids: Ids) => Asked; status: number; changes: (ids: Ids) => object[] }[] =
  [
    {
      name: 'a new user',
      asked: () => ({ method: 'POST', path: '/Users', body: user('carol', { password: 'a Secret of 7 words' }) }),
      status: 201,
      changes: () => [
        { resourceType: 'User', action: 'create', setsPassword: true, attributes: { userName: { after: 'carol' } } },
      ],
    },
    {
      name: 'a user who is there',
      asked: () => ({ method: 'POST', path: '/Users', body: user('ada') }),
      status: 409,
      changes: () => [],
    },
    {
      name: 'a user without a name',
      asked: () => ({ method: 'POST', path: '/Users', body: { schemas: user('x').schemas } }),
      status: 400,
      changes: () => [],
    },
    {
      name: 'a title',
      asked: ({ ada }) => ({
        method: 'PATCH',
        path: `/Users/${ada}`,
        body: patch({ op: 'Add', path: 'title', value: 'Dr' }),
      }),
      status: 200,
      changes: ({ ada }) => [
        { id: ada, action: 'update', attributes: { title: { after: 'Dr' } }, setsPassword: false, endsSessions: false },
      ],
    },
    {
      name: 'what is so already',
      asked: ({ ada }) => ({
        method: 'PATCH',
        path: `/Users/${ada}`,
        body: patch({ op: 'replace', path: 'active', value: 'True' }),
      }),
      status: 200,
      changes: () => [],
    },
    {
      name: 'a deactivation',
      asked: ({ ada }) => ({
        method: 'PATCH',
        path: `/Users/${ada}`,
        body: patch({ op: 'replace', value: { active: false } }),
      }),
      status: 200,
      changes: ({ ada }) => [
        { id: ada, action: 'update', endsSessions: true, attributes: { active: { before: true, after: false } } },
      ],
    },
    {
      name: 'a replacement',
      asked: ({ bob }) => ({ method: 'PUT', path: `/Users/${bob}`, body: user('robert') }),
      status: 200,
      changes: ({ bob }) => [{ id: bob, attributes: { userName: { before: 'bob', after: 'robert' } } }],
    },
    {
      name: 'another version',
      asked: ({ bob }) => ({ method: 'PUT', path: `/Users/${bob}`, body: user('robert'), ifMatch: 'W/"other"' }),
      status: 412,
      changes: () => [],
    },
    {
      name: 'somebody whom there is not',
      asked: () => ({ method: 'PATCH', path: '/Users/nobody', body: patch({ op: 'add', path: 'title', value: 'x' }) }),
      status: 404,
      changes: () => [],
    },
    {
      name: 'a deletion',
      asked: ({ bob }) => ({ method: 'DELETE', path: `/Users/${bob}` }),
      status: 204,
      changes: ({ bob }) => [{ id: bob, resourceType: 'User', action: 'delete', endsSessions: true }],
    },
    {
      name: 'a new group',
      asked: ({ ada, bob }) => ({ method: 'POST', path: '/Groups', body: group('Support', ada, bob) }),
      status: 201,
      changes: ({ ada, bob }) => [
        {
          resourceType: 'Group',
          action: 'create',
          attributes: { displayName: { after: 'Support' } },
          membersAdded: { count: 2, ids: expect.arrayContaining([ada, bob]) },
        },
      ],
    },
    {
      name: 'members who come and go',
      asked: ({ ada, bob, sales }) => ({
        method: 'PATCH',
        path: `/Groups/${sales}?attributes=members`,
        body: patch(
          { op: 'add', path: 'members', value: [{ value: bob }] },
          { op: 'remove', path: `members[value eq "${ada}"]` },
        ),
      }),
      status: 200,
      changes: ({ ada, bob, sales }) => [
        {
          id: sales,
          action: 'update',
          attributes: {},
          membersAdded: { count: 1, ids: [bob] },
          membersRemoved: { count: 1, ids: [ada] },
        },
      ],
    },
    {
      name: 'a group that is not shown',
      asked: ({ sales }) => ({
        method: 'PATCH',
        path: `/Groups/${sales}`,
        body: patch({ op: 'replace', path: 'displayName', value: 'Sold' }),
      }),
      status: 204,
      changes: ({ sales }) => [{ id: sales, attributes: { displayName: { before: 'Sales', after: 'Sold' } } }],
    },
    {
      name: 'the end of a group',
      asked: ({ sales }) => ({ method: 'DELETE', path: `/Groups/${sales}` }),
      status: 204,
      changes: ({ sales }) => [{ id: sales, resourceType: 'Group', action: 'delete' }],
    },
    {
      name: 'one user',
      asked: ({ ada }) => ({ method: 'GET', path: `/Users/${ada}` }),
      status: 200,
      changes: () => [],
    },
    {
      name: 'a list',
      asked: () => ({ method: 'GET', path: '/Users?filter=userName%20eq%20%22ada%22&count=1' }),
      status: 200,
      changes: () => [],
    },
    {
      name: 'a filter that cannot be read',
      asked: () => ({ method: 'GET', path: '/Groups?filter=displayName+is+Sales' }),
      status: 400,
      changes: () => [],
    },
  ];

describe('a request is tried', () => {
  test.each(cases)('$name: as it is answered then, and nothing is changed', async ({ asked, status, changes }) => {
    const org = on();
    const ada = (await org.make('/Users', user('ada'))).id;
    const bob = (await org.make('/Users', user('bob'))).id;
    const sales = (await org.make('/Groups', group('Sales', ada))).id;
    const ids = { ada, bob, sales };
    const before = await everything(org);
    const request = asked(ids);
    const outcome = await validated(org, request);
    expect(outcome).toMatchObject({ status, changes: changes(ids) });
    expect(await everything(org)).toEqual(before);
    const { method, path, body, ifMatch } = request;
    const sent = await org.admin.org.service.call(method, `/orgs/${org.admin.org.slug}/scim2.0${path}`, {
      key: org.token,
      body,
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
    });
    expect(sent.status).toBe(outcome.status);
    if (sent.status !== 204) expect(lasting(outcome.response)).toEqual(lasting(sent.body));
    expect(JSON.stringify(outcome)).not.toContain('Secret');
  });

  test.each(['org', 'tenant'] as const)('by its whole address, in the %s family', async (family) => {
    const org = on();
    const { slug, service } = org.admin.org;
    for (const base of [`/t/${slug}/scim/v2`, `${service.url}/orgs/${slug}/scim2.0`]) {
      const outcome = await validated(org, { method: 'POST', path: `${base}/Users`, body: user('ada') }, family);
      expect(outcome.status).toBe(201);
      const here = family === 'org' ? `/orgs/${slug}/scim2.0/Users/` : `/t/${slug}/scim/v2/Users/`;
      expect(outcome.response).toMatchObject({ meta: { location: expect.stringContaining(here) } });
    }
  });

  test('as the settings decide: no administrator is touched, and nothing at all while SCIM is off', async () => {
    const org = on();
    const { id } = await org.make('/Users', user('boss'));
    await org.admin.org.write(`permission:settings.manage#granted@user:${id}`);
    const asked = { method: 'DELETE', path: `/Users/${id}` };
    expect(await validated(org, asked)).toMatchObject({ status: 403, response: { status: '403' }, changes: [] });
    await org.configure({ allow_administrators: true });
    expect((await validated(org, asked)).status).toBe(204);
    await org.configure({ provisioning: { delete_users: false } });
    expect((await validated(org, asked)).status).toBe(403);
    await org.configure({ enabled: false });
    for (const each of [asked, { method: 'GET', path: '/Users' }]) {
      expect(await validated(org, each)).toMatchObject({
        status: 403,
        response: { detail: 'SCIM is switched off in the settings of this organization.' },
      });
    }
  });

  test('only where it is about users or groups, or is a bulk request', async () => {
    const org = on();
    const refusals: [method: string, path: string, field: string][] = [
      ['PUT', '/Bulk', 'path'],
      ['POST', '/Bulk/x', 'path'],
      ['GET', '/Me', 'path'],
      ['POST', '/Users/.search', 'path'],
      ['POST', '/Users/x', 'path'],
      ['DELETE', '/Users', 'path'],
      ['GET', '/Users/%ff', 'path'],
      ['GET', 'Users', 'path'],
      ['GET', '/Groups/a/b', 'path'],
      ['HEAD', '/Users', 'method'],
    ];
    for (const [method, path, field] of refusals) {
      const answer = await org.admin.call('POST', '/scim/validate', { method, path });
      expect({ path, status: answer.status, field: answer.at('errors.0.path') }).toEqual({ path, status: 400, field });
    }
  });

  test('for full administration alone', async () => {
    const org = on();
    const { key } = await org.admin.org.newKey({ permissions: ['users.create', 'settings.read', 'audit.read'] });
    const asked = { method: 'GET', path: '/Users' };
    expect((await org.admin.call('POST', '/scim/validate', asked, key)).status).toBe(403);
    expect((await org.admin.call('POST', '/scim/validate', asked, org.token)).status).toBe(401);
  });
});
