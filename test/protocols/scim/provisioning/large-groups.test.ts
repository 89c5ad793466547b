import { beforeAll, expect, test } from 'vitest';
import { InFamily } from '../../../server/in-family.ts';
import { sharedService } from '../../../server/shared-service.ts';
import { group, type Provisioned, provision, user } from './organization.ts';

const USERS = 1100;

let org: Provisioned;
const ids: string[] = [];

beforeAll(async () => {
  const service = await sharedService();
  org = await provision(new InFamily(await service.organization(`large${Date.now().toString(36)}`), 'org'));
  for (let from = 0; from < USERS; from += 550) {
    const answer = await org.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: Array.from({ length: 550 }, (_, index) => ({
        method: 'POST',
        path: '/Users',
        bulkId: `u${index}`,
        data: user(`member${from + index}`),
      })),
    });
    for (const { location } of answer.list('Operations') as { location: string }[]) {
      ids.push(location.slice(location.lastIndexOf('/') + 1));
    }
  }
}, 120_000);

const conditional = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) => {
  const { service, slug } = org.admin.org;
  return service.call(method, `/orgs/${slug}/scim2.0${path}`, { key: org.token, headers, body });
};
const members = async (path: string) => (await org.send('GET', path)).list('members') as { value: string }[];

test('a group of many members is made, read, changed and emptied', async () => {
  expect(ids).toHaveLength(USERS);
  const made = await org.make('/Groups', group('Everybody', ...ids));
  expect((made.members as { value: string }[]).map(({ value }) => value).sort()).toEqual(ids.toSorted());
  const path = `/Groups/${made.id}`;
  expect((await members(path)).map(({ value }) => value).sort()).toEqual(ids.toSorted());
  const [first = '', second = ''] = ids;
  const out = await org.patch(path, { op: 'remove', path: `members[value eq "${first}"]` });
  expect(out.status).toBe(204);
  const few = await org.patch(path, { op: 'remove', path: 'members', value: [{ value: second }] });
  expect(few.status).toBe(204);
  expect(await members(path)).toHaveLength(USERS - 2);
  const back = await org.patch(path, { op: 'add', path: 'members', value: ids.map((value) => ({ value })) });
  expect(back.status).toBe(204);
  expect(await members(path)).toHaveLength(USERS);
  expect((await org.send('PUT', path, group('Everybody', first, second))).body).toMatchObject({
    members: [{ value: first }, { value: second }],
  });
});

test('a large group is answered whole after a change, with its version, or without its members where that is asked', async () => {
  const without = await org.send('POST', '/Groups?excludedAttributes=members', group('All', ...ids));
  expect(without.status).toBe(201);
  expect(without.body).not.toHaveProperty('members');
  const path = `/Groups/${without.text('id')}`;
  const named = await org.patch(`${path}?attributes=members`, {
    op: 'replace',
    path: 'displayName',
    value: 'Them all',
  });
  expect(named.status).toBe(200);
  expect(named.list('members')).toHaveLength(USERS);
  expect(named.body).not.toHaveProperty('displayName');
  const put = await org.send('PUT', path, group('Everyone', ...ids));
  expect(put.status).toBe(200);
  expect(put.list('members')).toHaveLength(USERS);
  expect(put.headers.get('location')).toBe(put.at('meta.location'));
  const version = put.text('meta.version');
  expect(put.headers.get('etag')).toBe(version);
  const read = await org.send('GET', path);
  expect([read.headers.get('etag'), read.at('meta.version')]).toEqual([version, version]);
  expect((await org.send('GET', `${path}?attributes=members.display`)).list('members')).toHaveLength(USERS);
  expect((await conditional('GET', path, { 'if-none-match': version })).status).toBe(304);
  const late = { 'if-match': version };
  expect((await conditional('PUT', path, late, group('Some', ...ids.slice(1)))).status).toBe(200);
  expect((await conditional('PUT', path, late, group('Others', ...ids))).status).toBe(412);
});

test('members of a large group are meant by their value alone', async () => {
  const { id } = await org.make('/Groups', group('Many', ...ids));
  const byName = await org.patch(`/Groups/${id}`, { op: 'remove', path: 'members[display co "member1"]' });
  expect(byName).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
  expect((await org.send('GET', `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty('members');
});

test('what is wrong with a large change is said as of a small one, and changes nothing', async () => {
  const twice = group('many', ...ids);
  expect(await org.send('POST', '/Groups', twice)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  await org.configure({ strict: true });
  const strangers = group('With strangers', ...ids, 'nobody');
  expect(await org.send('POST', '/Groups', strangers)).toMatchObject({
    status: 400,
    body: { scimType: 'invalidValue' },
  });
  await org.configure({ strict: false });
  expect((await org.send('GET', '/Groups?filter=displayName%20sw%20%22With%22')).at('totalResults')).toBe(0);
  expect(await org.send('PUT', '/Groups/nobody', group('x', ...ids))).toMatchObject({ status: 404 });
});
