/** What the provisioning service of Entra ID sends of users, in the forms of both of its generations. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectStatus, type Operation, schemaOf } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, directoryUser, manager, managerOf } from './entra.ts';

const enterprise = schemaOf.enterprise;

atBothBases('Entra ID, what is sent of users', 'entra-users', (scim) => {
  const entra = () => asEntra(scim());
  const create = async (): Promise<Made> =>
    expectStatus(await entra().post('/Users', directoryUser()), 201).body as Made;
  const change = async (user: Made, ...operations: readonly Operation[]): Promise<Made> =>
    expectStatus(await entra().patch(`/Users/${user.id}`, ...operations), 200).body as Made;

  test('a user is looked for, created, and found by both of its names', async () => {
    const { meta: _, roles: __, title: ___, ...rest } = directoryUser();
    const sent = { ...directoryUser(), ...rest };
    const before = await scim().query('/Users', `userName eq "${sent.userName}"`);
    expect(before.body).toMatchObject({ totalResults: 0 });
    const created = expectStatus(await entra().post('/Users', sent), 201);
    expect(created.body).toMatchObject({ ...rest, schemas: [schemaOf.user] });
    for (const filter of [`userName eq "${sent.userName}"`, `externalId eq "${sent.externalId}"`]) {
      expect((await scim().query('/Users', filter)).at('Resources.0.id')).toBe(created.at('id'));
    }
  });

  test.each([
    ['Replace', 'False', false],
    ['replace', 'false', false],
    ['Add', 'False', false],
    ['Replace', 'True', true],
    ['Replace', false, false],
  ])('%s of active by %j', async (op, value, active) => {
    const user = await create();
    expect((await change(user, { op, path: 'active', value })).active).toBe(active);
    expect((await scim().shown(`/Users/${user.id}`)).active).toBe(active);
  });

  test('a user is disabled, found, and restored', async () => {
    const user = await create();
    await change(user, { op: 'Replace', path: 'active', value: 'False' });
    const found = await scim().query('/Users', `userName eq "${user.userName}"`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id, active: false }] });
    expect((await change(user, { op: 'Replace', path: 'active', value: 'True' })).active).toBe(true);
  });

  test('disabling without a path', async () => {
    const user = await create();
    expect((await change(user, { op: 'Replace', value: { active: 'False' } })).active).toBe(false);
  });

  test('dotted names, names with a URI and names with a filter, without a path', async () => {
    const user = await create();
    const after = await change(user, {
      op: 'replace',
      value: {
        'name.givenName': 'Oswaldo',
        'name.familyName': 'Rylan',
        displayName: 'Oswaldo Rylan',
        [`${enterprise}:employeeNumber`]: '4711',
        'emails[type eq "work"].value': `oswaldo.${user.id}@fabrikam.example`,
      },
    });
    expect(after).toMatchObject({
      name: { givenName: 'Oswaldo', familyName: 'Rylan', formatted: 'givenName familyName' },
      displayName: 'Oswaldo Rylan',
      [enterprise]: { employeeNumber: '4711' },
      emails: [{ type: 'work', primary: true, value: `oswaldo.${user.id}@fabrikam.example` }],
    });
    expect(Object.keys(after).filter((name) => /[.[]|:employeeNumber$/.test(name) && name !== enterprise)).toEqual([]);
  });

  test('a list of operations, each with its path, as the first generation sends them', async () => {
    const user = await create();
    const email = `updated.${user.id}@fabrikam.example`;
    const after = await change(
      user,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Add', path: `${enterprise}:department`, value: 'Sales' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Berlin' },
    );
    expect(after).toMatchObject({
      emails: [{ value: email, type: 'work' }],
      name: { familyName: 'updatedFamilyName', givenName: 'givenName' },
      [enterprise]: { department: 'Sales' },
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      addresses: [{ type: 'work', locality: 'Berlin' }],
    });
  });

  test('an email of a type that is not there is made, with its type, and is not the primary one', async () => {
    const user = await create();
    const value = `home.${user.id}@fabrikam.example`;
    const { emails } = await change(user, { op: 'Replace', path: 'emails[type eq "home"].value', value });
    const home = (emails as { type: string; value: string; primary?: boolean }[]).find(({ type }) => type === 'home');
    expect(home).toMatchObject({ value });
    expect(home?.primary ?? false).toBe(false);
    expect(emails).toHaveLength(2);
  });

  test('an attribute is emptied by a text without characters, and again by null', async () => {
    const user = await create();
    await change(
      user,
      { op: 'Add', path: 'title', value: 'Dr' },
      { op: 'Add', path: `${enterprise}:department`, value: 'D' },
    );
    for (const value of ['', null]) {
      const after = await change(
        user,
        { op: 'replace', path: 'title', value },
        { op: 'replace', path: `${enterprise}:department`, value },
        { op: 'replace', path: 'phoneNumbers[type eq "work"].value', value },
      );
      expect(after).not.toHaveProperty('title');
      expect(after).not.toHaveProperty([enterprise]);
      expect(after).not.toHaveProperty('phoneNumbers');
    }
  });

  test('roles whose primary is a text are taken, and answered with a truth value', async () => {
    const user = await create();
    const role = { id: 'r1', value: 'admin', display: 'Admin', type: 'WindowsAzureActiveDirectoryRole' };
    const after = await change(user, { op: 'Add', path: 'roles', value: [{ ...role, primary: 'True' }] });
    expect(after.roles).toMatchObject([{ value: 'admin', display: 'Admin', primary: true }]);
    const byPrimary = await change(user, { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'reader' });
    expect(byPrimary.roles).toMatchObject([{ value: 'reader', primary: true }]);
  });

  test('the id of the resource itself among the values is no change', async () => {
    const user = await create();
    expect(await change(user, { op: 'Replace', value: { id: user.id, title: 'Dr' } })).toMatchObject({
      id: user.id,
      title: 'Dr',
    });
  });

  describe('the manager', () => {
    let boss: Made;
    beforeAll(async () => {
      boss = await create();
    });

    test.each([
      ['a value', (id: string) => ({ value: id })],
      ['a bare text', (id: string) => id],
      ['a value whose $ref is null', (id: string) => ({ $ref: null, value: id })],
    ])('is added as %s', async (_, value) => {
      const user = await create();
      const after = await change(user, { op: 'Add', path: manager, value: value(boss.id) });
      expect(managerOf(after)).toMatchObject({ value: boss.id });
    });

    test.each([
      { op: 'Remove', path: manager },
      { op: 'Replace', path: manager, value: '' },
      { op: 'Replace', path: manager, value: null },
      { op: 'Replace', path: manager, value: { value: '' } },
      { op: 'Replace', path: manager, value: { value: null } },
      { op: 'Replace', path: `${manager}.value`, value: '' },
    ])('is removed by %j', async (operation) => {
      const user = await create();
      await change(user, { op: 'Add', path: manager, value: { value: boss.id } });
      expect(managerOf(await change(user, operation))).toBeUndefined();
    });

    test('is asked for in a filter', async () => {
      const user = await create();
      await change(user, { op: 'Add', path: manager, value: { value: boss.id } });
      for (const filter of [
        `id eq "${user.id}" and manager eq "${boss.id}"`,
        `id eq "${user.id}" and ${manager}.value eq "${boss.id}"`,
      ]) {
        const found = await scim().query('/Users', filter, '&attributes=id');
        expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] });
      }
    });
  });

  describe('filters', () => {
    test.each([
      ['with plus signs for spaces', (name: string) => `filter=userName+eq+%22${encodeURIComponent(name)}%22`],
      ['in capital letters', (name: string) => `filter=${encodeURIComponent(`userName EQ "${name.toUpperCase()}"`)}`],
      ['without quotes', (name: string) => `filter=${encodeURIComponent(`userName eq ${name}`)}`],
    ])('%s', async (_, query) => {
      const user = await create();
      const answer = expectStatus(await entra().get(`/Users?${query(String(user.userName))}`), 200);
      expect(answer.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id }] });
    });
  });

  test('an unknown attribute in PUT is no error', async () => {
    const user = await create();
    const answer = await scim().put(`/Users/${user.id}`, {
      ...directoryUser(),
      shoeSize: 43,
      [`${enterprise}:x`]: 'y',
    });
    expect(expectStatus(answer, 200).body).not.toHaveProperty('shoeSize');
  });

  test('a name that is taken is answered by 409 and uniqueness', async () => {
    const user = await create();
    expectError(await entra().post('/Users', { ...directoryUser(), userName: user.userName }), 409, 'uniqueness');
  });
});
