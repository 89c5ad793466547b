import { expect, test } from 'vitest';
import { time } from '../../../server/in-family.ts';
import { expectError, expectStatus, person, schemaOf, team, word } from './messages.ts';
import { atBothBases } from './provider.ts';

atBothBases('RFC 7644, 3.3: creating resources', 'scim-creating', (scim) => {
  test('3.3: creating answers 201 with the resource', async () => {
    const sent = person({ displayName: 'Ada L.' });
    const answer = expectStatus(await scim().post('/Users', sent), 201);
    expect(answer.body).toMatchObject({ ...sent, id: expect.stringMatching(/\S/) });
  });

  test('3.3: the Location header is the URI of what was created, absolute, and the same as meta.location', async () => {
    for (const [path, body] of [
      ['/Users', person()],
      ['/Groups', team()],
    ] as const) {
      const answer = expectStatus(await scim().post(path, body), 201);
      const location = answer.text('meta.location');
      expect(answer.headers.get('location')).toBe(location);
      expect(new URL(location).pathname).toBe(`${scim().basePath}${path}/${answer.text('id')}`);
    }
  });

  test('3.3: what is created can be retrieved at its Location', async () => {
    const answer = expectStatus(await scim().post('/Users', person()), 201);
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    const shown = await scim().get(pathname.slice(scim().basePath.length));
    expect({ status: shown.status, body: shown.body }).toEqual({ status: 200, body: answer.body });
  });

  test('3.3: values of read-only attributes are ignored', async () => {
    const created = await scim().newUser({
      id: 'mine',
      groups: [{ value: 'mine' }],
      meta: {
        resourceType: 'Group',
        created: '2001-01-01T00:00:00Z',
        version: 'W/"mine"',
        location: 'https://a.example',
      },
    });
    expect(created.id).not.toBe('mine');
    expect(created).not.toHaveProperty('groups');
    expect(JSON.stringify(created.meta)).not.toMatch(/mine|2001|a\.example/);
    expect(created.meta).toMatchObject({ resourceType: 'User', created: time });
  });

  test('3.3: an attribute whose value is null, or an empty list, is unassigned', async () => {
    const created = await scim().newUser({ title: null, phoneNumbers: [], displayName: 'Ada' });
    expect(created).not.toHaveProperty('title');
    expect(created).not.toHaveProperty('phoneNumbers');
    expect(created).toHaveProperty('displayName', 'Ada');
  });

  test('3.3: a user name that another user has is answered by 409 and uniqueness', async () => {
    const first = await scim().newUser();
    expectError(await scim().post('/Users', person({ userName: first.userName })), 409, 'uniqueness');
  });

  test('3.3: a display name that another group has is answered by 409 and uniqueness', async () => {
    const first = await scim().newGroup();
    expectError(await scim().post('/Groups', team({ displayName: first.displayName })), 409, 'uniqueness');
  });

  test('3.3: what was refused is not there', async () => {
    const { displayName } = await scim().newGroup();
    await scim().post('/Groups', team({ displayName }));
    const found = await scim().query('/Groups', `displayName eq "${displayName}"`);
    expect(found.at('totalResults')).toBe(1);
  });

  test('3.3.1: meta.resourceType is the type of the endpoint', async () => {
    expect(await scim().newUser()).toHaveProperty('meta.resourceType', 'User');
    expect(await scim().newGroup()).toHaveProperty('meta.resourceType', 'Group');
  });

  test.each([
    ['no user name', '/Users', { ...person(), userName: undefined }],
    ['an empty user name', '/Users', person({ userName: '' })],
    ['a user name that is no text', '/Users', person({ userName: 7 })],
    ['no display name of a group', '/Groups', { ...team(), displayName: undefined }],
    ['mail addresses that are a number', '/Users', person({ emails: 7 })],
    ['a name that is a text', '/Users', person({ name: 'Ada' })],
    ['an active that is no truth value', '/Users', person({ active: 'perhaps' })],
  ])('3.3: refuses %s', async (_, path, body) => {
    expectError(await scim().post(path, body), 400, 'invalidValue', 'invalidSyntax');
  });

  test.each([
    ['no schemas', { ...person(), schemas: undefined }],
    ['no schema at all in schemas', person({ schemas: [] })],
    ['the schema of another type', person({ schemas: [schemaOf.group] })],
    ['schemas that is a text', person({ schemas: schemaOf.user })],
  ])('3.1: refuses a resource with %s', async (_, body) => {
    expectError(await scim().post('/Users', body), 400, 'invalidValue', 'invalidSyntax');
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"schemas": ['],
    ['a list', '[]'],
    ['a text', '"Ada"'],
    ['null', 'null'],
  ])('3.3: a body that is %s is answered by 400', async (_, body) => {
    expectError(await scim().post('/Users', body), 400, 'invalidSyntax', 'invalidValue');
  });

  test('3.9: attributes of the answer are chosen by the query', async () => {
    const answer = expectStatus(await scim().post('/Users?attributes=userName', person({ title: 'Dr' })), 201);
    expect(answer.body).toMatchObject({
      schemas: [schemaOf.user],
      id: expect.any(String),
      userName: expect.any(String),
    });
    expect(answer.body).not.toHaveProperty('title');
    expect(answer.body).not.toHaveProperty('emails');
  });

  test('3.3: a group is created with its members', async () => {
    const [first, second] = [await scim().newUser(), await scim().newUser()];
    const members = [{ value: first.id }, { value: second.id, display: 'Second' }];
    const group = await scim().newGroup({ members, externalId: word() });
    const shown = await scim().shown(`/Groups/${group.id}`);
    expect((shown.members as { value: string }[]).map(({ value }) => value).sort()).toEqual(
      [first.id, second.id].sort(),
    );
  });
});
