import { describe, expect, test } from 'vitest';
import { expectError, expectStatus, patchOf, person, schemaOf, word } from './messages.ts';
import { atBothBases } from './provider.ts';

const patch = schemaOf.patch;
const add = { op: 'add', path: 'title', value: 'Dr' };

atBothBases('RFC 7644, 3.5.2: modifying with PATCH', 'scim-patching', (scim) => {
  test('answers 200 with the whole resource, or 204', async () => {
    const { id } = await scim().newUser();
    const answer = await scim().patch(`/Users/${id}`, add);
    expectStatus(answer, 200, 204);
    if (answer.status === 200) expect(answer.body).toEqual(await scim().shown(`/Users/${id}`));
    else expect(answer.body).toBe('');
    expect(await scim().shown(`/Users/${id}`)).toHaveProperty('title', 'Dr');
  });

  test('answers 200 with the attributes that are asked for', async () => {
    const user = await scim().newUser();
    const group = await scim().newGroup();
    const body = patchOf({ op: 'add', path: 'members', value: [{ value: user.id }] });
    const answer = expectStatus(await scim().send('PATCH', `/Groups/${group.id}?attributes=displayName`, body), 200);
    expect(Object.keys(answer.body as object).sort()).toEqual(['displayName', 'id', 'schemas']);
  });

  test.each([
    ['no schemas', { Operations: [add] }],
    ['the schema of another message', { schemas: [schemaOf.search], Operations: [add] }],
    ['no operations', { schemas: [patch] }],
    ['an operation that is no object', { schemas: [patch], Operations: ['add'] }],
    ['an operation without op', { schemas: [patch], Operations: [{ path: 'title', value: 'Dr' }] }],
    ['an unknown op', { schemas: [patch], Operations: [{ op: 'move', path: 'title', value: 'Dr' }] }],
    ['operations that are no list', { schemas: [patch], Operations: add }],
    ['add without a value', { schemas: [patch], Operations: [{ op: 'add', path: 'title' }] }],
    ['add without path whose value is a text', { schemas: [patch], Operations: [{ op: 'add', value: 'Dr' }] }],
  ])('refuses %s', async (_, body) => {
    const created = await scim().newUser();
    expectError(await scim().send('PATCH', `/Users/${created.id}`, body), 400, 'invalidSyntax', 'invalidValue');
    expect(await scim().shown(`/Users/${created.id}`)).toEqual(created);
  });

  test.each([
    'emails[type eq "work"',
    'emails[type eq "work"]value',
    'emails[type is "work"].value',
    'name.',
    '.name',
    'na me',
    '[type eq "work"]',
    'name[givenName eq "Ada"].familyName.x',
  ])('refuses the path %s', async (path) => {
    const { id } = await scim().newUser();
    const answer = await scim().patch(`/Users/${id}`, { op: 'replace', path, value: 'x' });
    expectError(answer, 400, 'invalidPath', 'invalidFilter');
  });

  test('an unknown resource is answered by 404', async () => {
    expectError(await scim().patch('/Users/018f0000-0000-7000-8000-000000000000', add), 404);
    expectError(await scim().patch('/Groups/nothing', { op: 'replace', path: 'displayName', value: 'x' }), 404);
  });

  describe('operations are made in their order, and all or none', () => {
    test('each sees what the one before it did', async () => {
      const { id } = await scim().newUser();
      const after = await scim().patched(
        `/Users/${id}`,
        { op: 'add', path: 'title', value: 'one' },
        { op: 'replace', path: 'title', value: 'two' },
        { op: 'add', path: 'nickName', value: 'Ad' },
        { op: 'remove', path: 'nickName' },
      );
      expect(after).toHaveProperty('title', 'two');
      expect(after).not.toHaveProperty('nickName');
    });

    test('where one fails, the resource is as it was', async () => {
      const user = await scim().newUser();
      const bad = { op: 'replace', path: 'active', value: 'perhaps' };
      expectError(await scim().patch(`/Users/${user.id}`, add, bad), 400, 'invalidValue');
      expect(await scim().shown(`/Users/${user.id}`)).toEqual(user);
      const group = await scim().newGroup();
      const members = { op: 'add', path: 'members', value: [{ value: user.id }] };
      expectError(
        await scim().patch(`/Groups/${group.id}`, members, { op: 'remove', path: 'displayName' }),
        400,
        'mutability',
      );
      expect(await scim().shown(`/Groups/${group.id}`)).toEqual(group);
    });
  });

  describe('what the schema says of an attribute binds', () => {
    test.each([
      { op: 'replace', path: 'id', value: 'mine' },
      { op: 'remove', path: 'id' },
      { op: 'replace', path: 'meta.created', value: '2001-01-01T00:00:00Z' },
      { op: 'add', path: 'groups', value: [{ value: 'x' }] },
      { op: 'replace', path: 'groups', value: [{ value: 'x' }] },
      { op: 'remove', path: 'meta' },
    ])('$op of the read-only $path is answered by mutability', async (operation) => {
      const created = await scim().newUser();
      expectError(await scim().patch(`/Users/${created.id}`, operation), 400, 'mutability');
      expect(await scim().shown(`/Users/${created.id}`)).toEqual(created);
    });

    test.each([
      ['/Users', { op: 'remove', path: 'userName' }],
      ['/Groups', { op: 'remove', path: 'displayName' }],
    ])('a required attribute of %s is not removed: mutability', async (path, operation) => {
      const { id } = path === '/Users' ? await scim().newUser() : await scim().newGroup();
      expectError(await scim().patch(`${path}/${id}`, operation), 400, 'mutability');
    });

    test('a member is not changed into another one: mutability', async () => {
      const [user, other] = [await scim().newUser(), await scim().newUser()];
      const { id } = await scim().newGroup({ members: [{ value: user.id }] });
      const path = `members[value eq "${user.id}"].value`;
      expectError(await scim().patch(`/Groups/${id}`, { op: 'replace', path, value: other.id }), 400, 'mutability');
      expect((await scim().shown(`/Groups/${id}`)).members).toMatchObject([{ value: user.id }]);
    });

    test.each([
      { op: 'replace', path: 'userName', value: '' },
      { op: 'replace', path: 'userName', value: 7 },
      { op: 'replace', path: 'userName', value: ['a'] },
      { op: 'replace', path: 'name', value: 'Ada' },
      { op: 'replace', path: 'emails', value: 7 },
      { op: 'add', path: 'x509Certificates', value: [{ value: '§§' }] },
    ])('$op of $path with a value of another type is refused', async (operation) => {
      const { id } = await scim().newUser();
      expectError(await scim().patch(`/Users/${id}`, operation), 400, 'invalidValue', 'mutability', 'invalidSyntax');
    });

    test('a user name, or a display name, that another one has is answered by 409 and uniqueness', async () => {
      const [user, other] = [await scim().newUser(), await scim().newUser()];
      const [group, otherGroup] = [await scim().newGroup(), await scim().newGroup()];
      const name = { op: 'replace', path: 'userName', value: user.userName };
      expectError(await scim().patch(`/Users/${other.id}`, name), 409, 'uniqueness');
      const display = { op: 'replace', path: 'displayName', value: group.displayName };
      expectError(await scim().patch(`/Groups/${otherGroup.id}`, display), 409, 'uniqueness');
    });
  });

  describe('primary', () => {
    test('where a value becomes primary, no other is any longer', async () => {
      const phoneNumbers = [
        { value: '1', type: 'work', primary: true },
        { value: '2', type: 'home' },
      ];
      const { id } = await scim().newUser({ phoneNumbers });
      const path = 'phoneNumbers[type eq "home"].primary';
      const after = await scim().patched(`/Users/${id}`, { op: 'replace', path, value: true });
      const isPrimary = (after.phoneNumbers as { type: string; primary?: boolean }[]).map(({ type, primary }) => [
        type,
        primary === true,
      ]);
      expect(Object.fromEntries(isPrimary)).toEqual({ work: false, home: true });
    });

    test('where a primary value is added, no other is any longer', async () => {
      const { id } = await scim().newUser({ roles: [{ value: 'a', primary: true }] });
      const after = await scim().patched(`/Users/${id}`, {
        op: 'add',
        path: 'roles',
        value: [{ value: 'b', primary: true }],
      });
      const roles = after.roles as { value: string; primary?: boolean }[];
      expect(roles.filter(({ primary }) => primary === true)).toMatchObject([{ value: 'b' }]);
      expect(roles).toHaveLength(2);
    });

    test('where a value is made that is primary, no other is any longer', async () => {
      const { id } = await scim().newUser({ roles: [{ value: 'a', type: 'x', primary: true }] });
      const path = 'roles[type eq "y" and primary eq true].value';
      const after = await scim().patched(`/Users/${id}`, { op: 'add', path, value: 'b' });
      const roles = after.roles as { value: string; primary?: boolean }[];
      expect(roles.map(({ value, primary }) => [value, primary === true])).toEqual([
        ['a', false],
        ['b', true],
      ]);
    });

    test('an operation with two primary values is refused', async () => {
      const { id } = await scim().newUser();
      const value = [
        { value: 'a', primary: true },
        { value: 'b', primary: true },
      ];
      expectError(await scim().patch(`/Users/${id}`, { op: 'replace', path: 'roles', value }), 400, 'invalidValue');
    });
  });

  test('3.10: a path may begin with the URI of the core schema', async () => {
    const { id } = await scim().newUser();
    const path = `${schemaOf.user}:name.familyName`;
    const after = await scim().patched(`/Users/${id}`, { op: 'replace', path, value: 'Lovelace' });
    expect(after).toHaveProperty('name', { givenName: 'Ada', familyName: 'Lovelace' });
  });

  test('names in a path are taken in any case', async () => {
    const { id } = await scim().newUser();
    expect(await scim().patched(`/Users/${id}`, { op: 'replace', path: 'NAME.familyname', value: 'L' })).toHaveProperty(
      'name.familyName',
      'L',
    );
  });

  test('a change of a user name is found under the new one, and not under the old one', async () => {
    const sent = person();
    const { id } = await scim().make('/Users', sent);
    const userName = `${word()}@new.example`;
    await scim().patched(`/Users/${id}`, { op: 'replace', path: 'userName', value: userName });
    expect((await scim().query('/Users', `userName eq "${userName}"`)).at('Resources.0.id')).toBe(id);
    expect((await scim().query('/Users', `userName eq "${sent.userName}"`)).at('totalResults')).toBe(0);
  });
});
