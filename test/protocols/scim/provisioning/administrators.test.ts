import { expect, test } from 'vitest';
import { group, type Provisioned, provisioned, user } from './organization.ts';

const on = provisioned();

/** A user who holds full administration by a role. */
async function administrator(org: Provisioned): Promise<string> {
  const { id } = await org.make('/Users', user('root'));
  await org.admin.make('PUT', `/users/${id}/roles`, { roles: ['ROLE_TENANT_ADMIN'] });
  return id;
}

/** Gives the members of a group a permission, by a role. */
async function giveThroughRole(org: Provisioned, groupId: string, slug: string): Promise<void> {
  const found = await org.admin.call('GET', `/permissions?search=${slug}`);
  const permission = (org.admin.inside(found) as { id: number; slug: string }[]).find((each) => each.slug === slug);
  const role = await org.admin.make('POST', '/roles', { slug: 'through', name: 'Through' });
  await org.admin.make('POST', `/roles/${role.id}/permissions`, { permissionId: permission?.id });
  await org.admin.make('POST', `/groups/${groupId}/roles`, { roleId: role.id });
}

/** A group whose members may read users: a right to administer. */
async function powerful(org: Provisioned): Promise<string> {
  const { id } = await org.make('/Groups', group('Help desk'));
  await giveThroughRole(org, id, 'users.read');
  return id;
}

test('provisioning changes no part of an administrator, nor removes one', async () => {
  const org = on();
  const id = await administrator(org);
  const before = (await org.send('GET', `/Users/${id}`)).body;
  const attempts = [
    org.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
    org.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Nobody' }),
    org.patch(`/Users/${id}`, { op: 'replace', path: 'password', value: 'Correct-Horse-1-Battery' }),
    org.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value: 'evil@people.example' }] }),
    org.send('PUT', `/Users/${id}`, user('root', { title: 'Nobody' })),
    org.send('DELETE', `/Users/${id}`),
  ];
  for (const answer of await Promise.all(attempts)) expect(answer).toMatchObject({ status: 403 });
  expect((await org.send('GET', `/Users/${id}`)).body).toEqual(before);
});

test('provisioning makes no administrator, nor takes one out of a group', async () => {
  const org = on();
  const { id } = await org.make('/Users', user('ada'));
  const groupId = await powerful(org);
  const member = [{ value: id }];
  expect(await org.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: member })).toMatchObject({
    status: 403,
  });
  await org.admin.make('POST', `/groups/${groupId}/members`, { userId: id });
  const out = [
    org.patch(`/Groups/${groupId}`, { op: 'remove', path: `members[value eq "${id}"]` }),
    org.patch(`/Groups/${groupId}`, { op: 'replace', path: 'members', value: [] }),
    org.send('PUT', `/Groups/${groupId}`, group('Help desk')),
    org.send('DELETE', `/Groups/${groupId}`),
  ];
  for (const answer of await Promise.all(out)) expect(answer).toMatchObject({ status: 403 });
  expect((await org.send('GET', `/Groups/${groupId}`)).body).toMatchObject({ members: [{ value: id }] });
});

test('unless the settings say so; the last administrator stays even then', async () => {
  const org = on();
  const id = await administrator(org);
  const groupId = await powerful(org);
  await org.configure({ allow_administrators: true });
  const added = await org.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value: id }] });
  expect(added.status).toBe(204);
  expect((await org.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200);
});

test('ordinary permissions reach those who are provisioned into a group', async () => {
  const org = on();
  const { id } = await org.make('/Users', user('ada'));
  const { id: groupId } = await org.make('/Groups', group('Writers'));
  await org.admin.make('POST', '/permissions', { slug: 'docs:write', name: 'Write' });
  await giveThroughRole(org, groupId, 'docs:write');
  const asked = { subject: `user:${id}`, permission: 'docs:write' };
  const may = async () => {
    const { slug, service, key } = org.admin.org;
    const answer = await service.call('POST', `/orgs/${slug}/api/v1/authz/check`, { key, body: asked });
    return JSON.stringify(answer.body).includes('"allowed":true');
  };
  expect(await may()).toBe(false);
  await org.patch(`/Groups/${groupId}`, { op: 'add', path: 'members', value: [{ value: id }] });
  expect(await may()).toBe(true);
  await org.patch(`/Users/${id}`, { op: 'Replace', value: { active: 'False' } });
  expect(await may()).toBe(false);
  await org.patch(`/Users/${id}`, { op: 'Replace', value: { active: true } });
  expect(await may()).toBe(true);
});

test('the address by which somebody is called is nobody else’s', async () => {
  const org = on();
  await org.make('/Users', user('boss', { userName: 'boss@corp.example' }));
  const { id } = await org.make('/Users', user('ada'));
  const emails = [{ value: 'Boss@corp.example', primary: true }];
  const attempts = [
    org.send('POST', '/Users', user('eve', { emails })),
    org.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: emails }),
    org.send('PUT', `/Users/${id}`, user('ada', { emails })),
  ];
  for (const answer of await Promise.all(attempts)) {
    expect(answer).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  }
  const own = user('own', { userName: 'own@corp.example', emails: [{ value: 'own@corp.example' }] });
  const { id: ownId } = await org.make('/Users', own);
  expect((await org.send('PUT', `/Users/${ownId}`, { ...own, title: 'Own' })).status).toBe(200);
});
