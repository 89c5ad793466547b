/** The steps of Okta's SCIM 2.0 specification test, required and optional, and what its provisioning sends beside them. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../../server/running-service.ts';
import { type Body, expectError, expectStatus, patchOf, schemaOf, word } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';

const oktaHeaders = {
  'accept-charset': 'utf-8',
  'content-type': 'application/scim+json; charset=utf-8',
  accept: 'application/scim+json',
  'user-agent': 'OKTA SCIM Integration',
};
const jsonHeaders = { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' };

function oktaUser(): Body & { readonly userName: string } {
  const name = word();
  return {
    schemas: [schemaOf.user],
    userName: name,
    name: { givenName: 'Isadora', familyName: name },
    emails: [{ primary: true, value: `${name}@okta.example`, type: 'work' }],
    displayName: `Isadora ${name}`,
    active: true,
  };
}

atBothBases('Okta SCIM 2.0 specification test', 'okta', (scim) => {
  const get = (path: string): Promise<Answer> => scim().get(path, { headers: oktaHeaders });
  let existing: Made;
  beforeAll(async () => {
    existing = await scim().newUser();
  });

  test('Required: Users endpoint, the first user of a page of one', async () => {
    const { body } = expectStatus(await get('/Users?count=1&startIndex=1'), 200);
    expect(body).toMatchObject({
      schemas: [schemaOf.list],
      itemsPerPage: expect.any(Number),
      startIndex: expect.any(Number),
      totalResults: expect.any(Number),
      Resources: [
        {
          id: expect.stringMatching(/\S/),
          name: { familyName: expect.stringMatching(/\S/), givenName: expect.stringMatching(/\S/) },
          userName: expect.stringMatching(/\S/),
          active: expect.any(Boolean),
          emails: [{ value: expect.stringMatching(/\S/) }],
        },
      ],
    });
  });

  test('Required: a user by its id', async () => {
    const { id, name, userName, active, emails } = existing;
    expect(expectStatus(await get(`/Users/${id}`), 200).body).toMatchObject({ id, name, userName, active, emails });
  });

  test('Required: an invalid user by its user name is an empty list', async () => {
    const answer = expectStatus(await get('/Users?filter=userName eq "abcdefgh@atko.example"'), 200);
    expect(answer.body).toMatchObject({ schemas: [schemaOf.list], totalResults: 0 });
  });

  test('Required: an invalid user by its id is answered by 404', async () => {
    expectError(await get('/Users/010101001010101011001010101011'), 404);
  });

  test('Required: a random user does not exist, is created, shown, and cannot be created again', async () => {
    const sent = oktaUser();
    const filter = `/Users?filter=userName eq "${sent.userName}"`;
    expect(expectStatus(await get(filter), 200).body).toMatchObject({ schemas: [schemaOf.list], totalResults: 0 });
    const created = expectStatus(await scim().post('/Users', sent, { headers: jsonHeaders }), 201);
    expect(created.body).toMatchObject(sent);
    expect(expectStatus(await get(`/Users/${created.text('id')}`), 200).body).toMatchObject(sent);
    expectError(await scim().post('/Users', sent, { headers: jsonHeaders }), 409, 'uniqueness');
  });

  test('Required: user names in capital letters', async () => {
    const capitals = String(existing.userName).toUpperCase();
    const answer = expectStatus(await get(`/Users?filter=userName eq "${capitals}"`), 200);
    expect(answer.at('Resources.0.id')).toBe(existing.id);
  });

  test('Optional: Groups endpoint', async () => {
    await scim().newGroup();
    const { body } = expectStatus(await get('/Groups'), 200);
    expect(body).toMatchObject({
      totalResults: expect.any(Number),
      Resources: [expect.objectContaining({ id: expect.any(String) })],
    });
  });

  test('Required: 401', async () => {
    const headers = { ...oktaHeaders, authorization: 'non-token' };
    expectError(await scim().get('/Users?filter=userName eq "X"', { token: null, headers }), 401);
  });

  test('Required: 404', async () => {
    expectError(await get('/Users/00919288221112222'), 404);
  });

  describe('the steps that were drafted for it', () => {
    const put = (id: string, body: Body): Promise<Answer> => scim().put(`/Users/${id}`, body, { headers: oktaHeaders });

    test('PUT /Users: attributes are added', async () => {
      const sent = oktaUser();
      const { id } = await scim().make('/Users', sent);
      const changed = { ...sent, id, middleName: 'Excluded', title: 'Dr', meta: { resourceType: 'User' }, groups: [] };
      expect(expectStatus(await put(id, changed), 200).body).toMatchObject({ ...sent, id, title: 'Dr' });
      expect(await scim().shown(`/Users/${id}`)).toHaveProperty('title', 'Dr');
    });

    test('PUT /Users: a user is deactivated, and activated again', async () => {
      const sent = oktaUser();
      const { id } = await scim().make('/Users', sent);
      for (const active of [false, true]) {
        expect(expectStatus(await put(id, { ...sent, id, active }), 200).at('active')).toBe(active);
        expect(await scim().shown(`/Users/${id}`)).toHaveProperty('active', active);
      }
    });

    test('PATCH /Users: a user is deactivated, and activated again', async () => {
      const { id } = await scim().newUser();
      for (const active of [false, true]) {
        const body = patchOf({ op: 'replace', value: { active } });
        expectStatus(await scim().send('PATCH', `/Users/${id}`, body, { headers: oktaHeaders }), 200, 204);
        expect(await scim().shown(`/Users/${id}`)).toHaveProperty('active', active);
      }
    });

    test('PUT /Users: the password is set, and not answered', async () => {
      const sent = oktaUser();
      const { id } = await scim().make('/Users', sent);
      const answer = expectStatus(await put(id, { ...sent, id, password: 'correct-Horse-9-battery' }), 200);
      expect(answer.body).not.toHaveProperty('password');
    });

    test('POST, GET, PUT and DELETE /Groups', async () => {
      const [first, second] = [await scim().newUser(), await scim().newUser()];
      const displayName = `Okta ${word()}`;
      const sent = { schemas: [schemaOf.group], displayName, members: [] };
      const created = expectStatus(await scim().post('/Groups', sent, { headers: oktaHeaders }), 201);
      const path = `/Groups/${created.text('id')}`;
      expect(expectStatus(await get(path), 200).at('displayName')).toBe(displayName);
      const members = [{ value: first.id, display: String(first.userName) }];
      const renamed = { ...sent, id: created.at('id'), displayName: `${displayName} 2`, members };
      expectStatus(await scim().put(path, renamed, { headers: oktaHeaders }), 200);
      expect(await scim().shown(path)).toMatchObject({
        displayName: `${displayName} 2`,
        members: [{ value: first.id }],
      });
      const operations = [
        { op: 'remove', path: `members[value eq "${first.id}"]` },
        { op: 'add', path: 'members', value: [{ value: second.id, display: String(second.userName) }] },
      ];
      expectStatus(await scim().send('PATCH', path, patchOf(...operations), { headers: oktaHeaders }), 200, 204);
      expect((await scim().shown(path)).members).toMatchObject([{ value: second.id }]);
      expectStatus(await scim().delete(path, { headers: oktaHeaders }), 204);
      expectError(await get(path), 404);
    });

    test('PATCH /Groups: the name is replaced together with the id, and the members', async () => {
      const group = await scim().newGroup();
      const user = await scim().newUser();
      const displayName = `Okta ${word()}`;
      await scim().patched(`/Groups/${group.id}`, { op: 'replace', value: { id: group.id, displayName } });
      const value = [{ value: user.id, display: String(user.userName) }];
      const after = await scim().patched(`/Groups/${group.id}`, { op: 'replace', path: 'members', value });
      expect(after).toMatchObject({ displayName, members: [{ value: user.id }] });
    });
  });

  test('an import reads all pages of 100', async () => {
    const answer = expectStatus(await get('/Users?startIndex=1&count=100'), 200);
    expect(answer.list('Resources')).toHaveLength(Math.min(100, answer.at('totalResults') as number));
  });
});
