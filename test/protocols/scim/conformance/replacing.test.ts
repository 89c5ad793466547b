import { expect, test } from 'vitest';
import { employee, expectError, expectStatus, person, schemaOf, team, word } from './messages.ts';
import { atBothBases } from './provider.ts';

atBothBases('RFC 7644, 3.5.1: replacing with PUT', 'scim-replacing', (scim) => {
  test('answers 200 with the whole resource', async () => {
    const { id, meta } = await scim().newUser();
    const sent = person({ title: 'Dr', active: false });
    const answer = expectStatus(await scim().put(`/Users/${id}`, sent), 200);
    expect(answer.body).toMatchObject({ ...sent, id, meta: { created: (meta as { created: string }).created } });
    expect(await scim().shown(`/Users/${id}`)).toEqual(answer.body);
  });

  test('values that are sent replace those that were there', async () => {
    const { id } = await scim().newUser({
      phoneNumbers: [
        { value: '1', type: 'work' },
        { value: '2', type: 'home' },
      ],
    });
    const phoneNumbers = [{ value: '3', type: 'pager' }];
    expectStatus(await scim().put(`/Users/${id}`, person({ phoneNumbers })), 200);
    expect((await scim().shown(`/Users/${id}`)).phoneNumbers).toEqual(phoneNumbers);
  });

  test('what is not sent is no longer there', async () => {
    const { id } = await scim().make('/Users', employee({ department: 'Tours' }, { title: 'Dr', externalId: word() }));
    const after = expectStatus(await scim().put(`/Users/${id}`, person()), 200).body;
    for (const name of ['title', 'externalId', schemaOf.enterprise]) expect(after).not.toHaveProperty([name]);
    expect(after).toHaveProperty('schemas', [schemaOf.user]);
  });

  test('values of read-only attributes are ignored', async () => {
    const user = await scim().newUser();
    const group = await scim().newGroup({ members: [{ value: user.id }] });
    const sent = person({
      id: 'mine',
      groups: [],
      meta: { ...(user.meta as object), resourceType: 'X', created: '2001-01-01T00:00:00Z' },
    });
    const after = expectStatus(await scim().put(`/Users/${user.id}`, sent), 200).body;
    expect(after).toMatchObject({ id: user.id, meta: { resourceType: 'User' }, groups: [{ value: group.id }] });
    expect(after).toHaveProperty('meta.created', (user.meta as { created: string }).created);
  });

  test('a resource can be sent back as it was answered', async () => {
    const created = await scim().make('/Users', employee({ department: 'Tours' }, { title: 'Dr' }));
    const after = expectStatus(await scim().put(`/Users/${created.id}`, created), 200).body;
    const { meta: _, ...rest } = created;
    expect(after).toMatchObject(rest);
  });

  test.each([
    ['a user without its user name', { userName: undefined }],
    ['a user with an empty user name', { userName: '' }],
    ['a user with null as user name', { userName: null }],
  ])('a required attribute must be sent: refuses %s', async (_, without) => {
    const created = await scim().newUser();
    expectError(
      await scim().put(`/Users/${created.id}`, { ...person(), ...without }),
      400,
      'invalidValue',
      'mutability',
    );
    expect(await scim().shown(`/Users/${created.id}`)).toEqual(created);
  });

  test('refuses a group without its display name', async () => {
    const created = await scim().newGroup();
    expectError(
      await scim().put(`/Groups/${created.id}`, { schemas: [schemaOf.group] }),
      400,
      'invalidValue',
      'mutability',
    );
  });

  test('nothing is created: an unknown id is answered by 404', async () => {
    const sent = person();
    expectError(await scim().put('/Users/018f0000-0000-7000-8000-000000000000', sent), 404);
    expectError(await scim().put('/Groups/018f0000-0000-7000-8000-000000000000', team()), 404);
    expect((await scim().query('/Users', `userName eq "${sent.userName}"`)).at('totalResults')).toBe(0);
  });

  test('a user name, or a display name, that another one has is answered by 409 and uniqueness', async () => {
    const [user, group] = [await scim().newUser(), await scim().newGroup()];
    const [other, otherGroup] = [await scim().newUser(), await scim().newGroup()];
    expectError(await scim().put(`/Users/${other.id}`, person({ userName: user.userName })), 409, 'uniqueness');
    expectError(
      await scim().put(`/Groups/${otherGroup.id}`, team({ displayName: group.displayName })),
      409,
      'uniqueness',
    );
    expect(await scim().shown(`/Users/${other.id}`)).toEqual(other);
  });

  test('the members of a group are those that are sent, and nobody else', async () => {
    const [first, second] = [await scim().newUser(), await scim().newUser()];
    const group = await scim().newGroup({ members: [{ value: first.id }] });
    const replaced = team({ displayName: group.displayName, members: [{ value: second.id }] });
    expectStatus(await scim().put(`/Groups/${group.id}`, replaced), 200);
    expect((await scim().shown(`/Groups/${group.id}`)).members).toMatchObject([{ value: second.id }]);
    expectStatus(await scim().put(`/Groups/${group.id}`, team({ displayName: group.displayName })), 200);
    expect(await scim().shown(`/Groups/${group.id}`)).not.toHaveProperty('members');
    expect(await scim().shown(`/Users/${first.id}`)).not.toHaveProperty('groups');
  });

  test('a display name changes', async () => {
    const { id } = await scim().newGroup();
    const sent = team();
    expect(expectStatus(await scim().put(`/Groups/${id}`, sent), 200).body).toMatchObject(sent);
  });

  test('the same values again are no error', async () => {
    const sent = person();
    const { id } = await scim().make('/Users', sent);
    for (let time = 0; time < 2; time++) expectStatus(await scim().put(`/Users/${id}`, sent), 200);
  });
});
