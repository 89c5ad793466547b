import { beforeEach, describe, expect, test } from 'vitest';
import { scene } from '../../../security/organizations.ts';
import { InFamily } from '../../../server/in-family.ts';
import type { Answer } from '../../../server/running-service.ts';
import { group, type Provisioned, provision, user } from '../provisioning/organization.ts';
import { bulkRequest, errorOf, patch, post, statuses } from './fake-provider.ts';

const families = [
  { family: 'org', base: (slug: string) => `/orgs/${slug}/scim2.0` },
  { family: 'tenant', base: (slug: string) => `/t/${slug}/scim/v2` },
] as const;

const team = (bulkId: string, ...members: string[]) => post(bulkId, group(bulkId, ...members), '/Groups');
const users = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => post(`u${from + n}`, user(`u${from + n}`)));

describe.each(families)('POST /Bulk, in the $family family', ({ base }) => {
  const on = scene();
  let org: Provisioned;
  beforeEach(async () => {
    org = await provision(new InFamily(on.org, 'org'));
  });
  const send = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    on.service.call('POST', `${base(on.org.slug)}/Bulk`, { key: org.token, body, headers });
  const bulk = async (operations: readonly unknown[], more: object = {}) => {
    const answer = await send({ schemas: [bulkRequest], Operations: operations, ...more });
    expect(answer.status).toBe(200);
    return answer.body as Parameters<typeof statuses>[0];
  };
  const total = async (path: string) => Number((await org.send('GET', `${path}?count=0`)).at('totalResults'));
  const members = async (location: string | undefined) => {
    const found = await on.service.call('GET', new URL(location ?? '').pathname, { key: org.token });
    return found.list('members').map((each) => (each as { display: string }).display);
  };

  test('does operations that refer to each other, in any order', async () => {
    const response = await bulk([
      team('sales', 'bulkId:anne', 'bulkId:ben'),
      patch('/Groups/bulkId:sales', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'remove', path: 'members[value eq "bulkId:ben"]' }],
      }),
      post('ben', user('ben')),
      post('anne', user('anne')),
    ]);
    expect(statuses(response)).toEqual(['201', '200', '201', '201']);
    expect(response.Operations.map(({ location }) => location)).toEqual([
      expect.stringContaining(`${base(on.org.slug)}/Groups/`),
      response.Operations[0]?.location,
      expect.stringContaining(`${base(on.org.slug)}/Users/`),
      expect.stringContaining('/Users/'),
    ]);
    expect(await members(response.Operations[0]?.location)).toEqual(['anne']);
  });

  test('refuses circles, and does the rest', async () => {
    const response = await bulk([team('a', 'bulkId:b'), team('b', 'bulkId:a'), post('anne', user('anne'))]);
    expect(statuses(response)).toEqual(['409', '409', '201']);
    expect(errorOf(response, 0).detail).toContain('a, b');
    expect([await total('/Groups'), await total('/Users')]).toEqual([0, 1]);
  });

  test('stops after as many errors as the client accepts', async () => {
    const operations = [...users(3), ...users(3), ...users(3, 3)].map((each, n) => ({ ...each, bulkId: `b${n}` }));
    const response = await bulk(operations, { failOnErrors: 2 });
    expect(statuses(response)).toEqual(['201', '201', '201', '409', '409']);
    expect(await total('/Users')).toBe(3);
  });

  test('tells by a second answer what the first request has done', async () => {
    const operations = [...users(5), team('sales', 'bulkId:u0', 'bulkId:u4')];
    expect(new Set(statuses(await bulk(operations)))).toEqual(new Set(['201']));
    const again = await bulk(operations);
    expect(statuses(again)).toEqual(['409', '409', '409', '409', '409', '400']);
    expect(errorOf(again, 0)).toMatchObject({ scimType: 'uniqueness' });
    expect([await total('/Users'), await total('/Groups')]).toEqual([5, 1]);
  });

  test('does 1,000 operations, and refuses more with the bound', async () => {
    const response = await bulk(users(1000));
    expect(statuses(response).filter((status) => status === '201').length).toBe(1000);
    expect(await total('/Users')).toBe(1000);
    expect(await send({ schemas: [bulkRequest], Operations: users(1001, 1000) })).toMatchObject({
      status: 413,
      body: { status: '413', detail: 'The number of operations (1001) exceeds the maxOperations (1000).' },
    });
    expect(await total('/Users')).toBe(1000);
  });

  test('reads 1 MB, and refuses more with the bound', async () => {
    const body = JSON.stringify({ schemas: [bulkRequest], Operations: users(1) });
    expect(await send(body.padEnd(1_048_577))).toMatchObject({
      status: 413,
      body: { status: '413', detail: 'The body is larger than 1048576 bytes, which is the limit here.' },
    });
    expect(await total('/Users')).toBe(0);
    expect((await send(body.padEnd(1_048_576))).status).toBe(200);
  });

  test.each([
    { name: 'no JSON', body: '{"schemas":', status: 400, scimType: 'invalidSyntax' },
    { name: 'a name twice', body: '{"schemas":[],"schemas":[]}', status: 400, scimType: 'invalidSyntax' },
    { name: 'a reserved name', body: '{"__proto__":{}}', status: 400, scimType: 'invalidSyntax' },
    { name: 'too deep', body: '['.repeat(100), status: 400, scimType: 'invalidSyntax' },
    { name: 'no bulk request', body: {}, status: 400, scimType: 'invalidSyntax' },
  ])('refuses what cannot be read: $name', async ({ body, status, scimType }) => {
    expect(await send(body)).toMatchObject({ status, body: { status: String(status), scimType } });
  });

  test('takes the media types of the protocol, and no others', async () => {
    const body = { schemas: [bulkRequest], Operations: users(1) };
    expect((await send(body, { 'content-type': 'application/scim+json' })).status).toBe(200);
    expect((await send(body, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('is for credentials of provisioning alone, and each operation asks for what the settings allow', async () => {
    const body = { schemas: [bulkRequest], Operations: users(2) };
    const asAdministrator = await on.service.call('POST', `${base(on.org.slug)}/Bulk`, { key: on.org.key, body });
    expect(asAdministrator.status).toBe(401);
    await org.configure({ provisioning: { create_users: false } });
    expect(statuses(await bulk(users(2)))).toEqual(['403', '403']);
    expect(await total('/Users')).toBe(0);
  });

  test('ends with its credential: what is done after that is nothing', async () => {
    const tokens = (await org.admin.call('GET', '/settings/scim/tokens')).body as { data: { data: { id: string }[] } };
    const running = bulk(users(1000));
    await expect.poll(() => total('/Users')).toBeGreaterThan(20);
    const [{ id } = { id: '' }] = tokens.data.data;
    expect((await org.admin.call('DELETE', `/settings/scim/tokens/${id}`)).status).toBeLessThan(300);
    const found = statuses(await running);
    expect(new Set(found)).toEqual(new Set(found.includes('401') ? ['201', '401'] : ['201']));
    const left = await org.admin.call('GET', '/users?limit=1');
    expect(left.at('data.meta.total')).toBe(found.filter((status) => status === '201').length);
  });
});

describe('bulk requests of several organizations', () => {
  const on = scene();

  test('leave each other room for their passwords', async () => {
    const neighbour = await on.service.organization(`${on.org.slug}b`);
    const orgs = await Promise.all([on.org, neighbour].map((each) => provision(new InFamily(each, 'org'))));
    const password = 'Correct-Horse-1-Battery';
    const operations = Array.from({ length: 70 }, (_, n) => post(`p${n}`, user(`p${n}`, { password })));
    const answers = await Promise.all(
      orgs.map((org) => org.send('POST', '/Bulk', { schemas: [bulkRequest], Operations: operations })),
    );
    for (const { body } of answers) {
      expect(new Set(statuses(body as Parameters<typeof statuses>[0]))).toEqual(new Set(['201']));
    }
  }, 60_000);
});
