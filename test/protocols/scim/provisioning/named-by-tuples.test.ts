import { expect, test } from 'vitest';
import { provisioned, user } from './organization.ts';

const on = provisioned();

test('a group that a tuple made, whose name has a stroke, is provisioned like any other', async () => {
  const org = on();
  const { id: member } = await org.make('/Users', user('ada'));
  const tuple = { object: 'group:openfga/core', relation: 'member', subject: `user:${member}` };
  expect((await org.admin.org.post('/zanzibar/tuples', { writes: [tuple] })).status).toBe(200);
  const filter = encodeURIComponent('displayName eq "openfga/core"');
  const found = (await org.send('GET', `/Groups?filter=${filter}`)).list('Resources') as { id: string }[];
  expect(found).toMatchObject([{ displayName: 'openfga/core', members: [{ value: member }] }]);
  const path = `/Groups/${found[0]?.id}`;
  expect((await org.send('GET', path)).body).toMatchObject({ displayName: 'openfga/core' });
  const out = await org.patch(path, { op: 'remove', path: `members[value eq "${member}"]` });
  expect(out.status).toBe(204);
  const renamed = await org.patch(path, { op: 'replace', path: 'displayName', value: 'Core / OpenFGA' });
  expect(renamed.status).toBeLessThan(300);
  expect((await org.send('GET', path)).body).toMatchObject({ displayName: 'Core / OpenFGA' });
  // what it is called to the engine stays
  const shown = await org.admin.call('GET', `/groups/${encodeURIComponent('openfga/core')}`);
  expect(org.admin.inside(shown)).toMatchObject({
    slug: 'openfga/core',
    displayName: 'Core / OpenFGA',
    memberCount: 0,
  });
  expect((await org.send('DELETE', path)).status).toBe(204);
  expect((await org.send('GET', path)).status).toBe(404);
});

test('an escaped stroke in a path is a part of the id, which nothing has in SCIM', async () => {
  for (const method of ['GET', 'DELETE']) {
    for (const id of ['openfga%2Fcore', '..%2FUsers', '%2F']) {
      for (const kind of ['Users', 'Groups']) {
        const answer = await on().send(method, `/${kind}/${id}`);
        expect([method, kind, id, answer.status]).toEqual([method, kind, id, 404]);
        expect(answer.body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '404' });
      }
    }
  }
});
