/**
 * What an application must pass before it is published in Entra's gallery, by the names of its 25 tests. Those of the
 * provisioning service are made of the requests that it sends for them; those of tokens are in
 * `entra-gallery-tokens.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { type Body, emptyParts, expectStatus, type Operation, schemaOf, word } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, manager, managerOf, validatorGroup, validatorUser } from './entra.ts';

/** The attributes that Entra's default mapping writes, as a target schema names them. */
const mappedUserAttributes = [
  ...['userName', 'active', 'displayName', 'title', 'preferredLanguage', 'externalId'],
  ...['name.givenName', 'name.familyName', 'name.formatted'],
  'emails[type eq "work"].value',
  ...['streetAddress', 'locality', 'region', 'postalCode', 'country', 'formatted'].map(
    (name) => `addresses[type eq "work"].${name}`,
  ),
  ...['work', 'mobile', 'fax'].map((type) => `phoneNumbers[type eq "${type}"].value`),
  ...['employeeNumber', 'department', 'manager'].map((name) => `${schemaOf.enterprise}:${name}`),
];
const mappedGroupAttributes = ['displayName', 'externalId', 'members'];

interface SchemaShown extends Body {
  readonly id: string;
  readonly attributes: readonly AttributeShown[];
}

interface AttributeShown {
  readonly name: string;
  readonly type: string;
  readonly multiValued: boolean;
  readonly subAttributes?: readonly AttributeShown[];
  readonly canonicalValues?: readonly string[];
}

/** Names as the check makes them of a schema: lists by the canonical values of `type`, or else by their primary value. */
function discoverable({ attributes }: SchemaShown): string[] {
  return attributes.flatMap(({ name, type, multiValued, subAttributes = [] }) => {
    if (name === 'members' || name === 'manager') return [name];
    if (type !== 'complex') return type === 'reference' ? [] : [name];
    if (!multiValued) return subAttributes.map((each) => `${name}.${each.name}`);
    const types = subAttributes.find((each) => each.name === 'type')?.canonicalValues ?? [];
    const parts = subAttributes.filter(
      (each) => each.name !== 'primary' && (types.length === 0 || each.name !== 'type'),
    );
    const filters = types.length === 0 ? ['primary eq "True"'] : types.map((each) => `type eq "${each}"`);
    return filters.flatMap((filter) => parts.map((part) => `${name}[${filter}].${part.name}`));
  });
}

atBothBases('Entra gallery, users and groups', 'entra-gallery', (scim) => {
  const entra = () => asEntra(scim());
  const total = async (path: string, filter: string): Promise<unknown> =>
    (await scim().query(path, filter)).at('totalResults');
  const change = async (path: string, ...operations: readonly Operation[]): Promise<Made> => {
    expectStatus(await entra().patch(path, ...operations), 200, 204);
    return scim().shown(path);
  };

  /** As provisioning creates: looks for it, makes it where it is not there, and looks again. */
  const provision = async (path: '/Users' | '/Groups', sent: Body): Promise<Made> => {
    const name = path === '/Users' ? 'userName' : 'displayName';
    const filter = `${name} eq "${sent[name]}"`;
    expect(await total(path, filter)).toBe(0);
    expectStatus(await entra().post(path, sent), 201);
    const found = await scim().query(path, filter);
    expect(found.at('totalResults')).toBe(1);
    return found.at('Resources.0') as Made;
  };

  test('Create_User_Test', async () => {
    const sent = validatorUser();
    expect(await provision('/Users', sent)).toMatchObject({ userName: sent.userName, active: true });
  });

  test('Update_User_Test', async () => {
    const { id } = await provision('/Users', validatorUser());
    const department = { op: 'Replace', path: `${schemaOf.enterprise}:department`, value: 'Updated department' };
    const after = await change(`/Users/${id}`, { op: 'Replace', path: 'title', value: 'Updated title' }, department);
    expect(after).toMatchObject({
      title: 'Updated title',
      [schemaOf.enterprise]: { department: 'Updated department' },
    });
  });

  test('Disable_User_Test', async () => {
    const { id } = await provision('/Users', validatorUser());
    expect((await change(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).active).toBe(false);
  });

  test('Delete_User_Test', async () => {
    const user = await provision('/Users', validatorUser());
    expectStatus(await scim().delete(`/Users/${user.id}`), 204);
    expect(await total('/Users', `userName eq "${user.userName}"`)).toBe(0);
  });

  test('User_Update_Manager_Test', async () => {
    const [first, second, user] = [
      await scim().newUser(),
      await scim().newUser(),
      await provision('/Users', validatorUser()),
    ];
    const path = `/Users/${user.id}`;
    expect(managerOf(await change(path, { op: 'Add', path: manager, value: first.id }))).toMatchObject({
      value: first.id,
    });
    expect(managerOf(await change(path, { op: 'Replace', path: manager, value: second.id }))).toMatchObject({
      value: second.id,
    });
    expect(managerOf(await change(path, { op: 'Remove', path: manager }))).toBeUndefined();
  });

  describe('Restore_User_Test', () => {
    test('by deactivating and activating', async () => {
      const user = await provision('/Users', validatorUser());
      await change(`/Users/${user.id}`, { op: 'Replace', path: 'active', value: 'False' });
      expect(await total('/Users', `userName eq "${user.userName}"`)).toBe(1);
      expect((await change(`/Users/${user.id}`, { op: 'Replace', path: 'active', value: 'True' })).active).toBe(true);
    });

    test('by deleting and creating', async () => {
      const sent = validatorUser();
      const { id } = await provision('/Users', sent);
      expectStatus(await scim().delete(`/Users/${id}`), 204);
      expect((await provision('/Users', sent)).id).not.toBe(id);
    });
  });

  test('POD_User_Test', async () => {
    const user = await provision('/Users', validatorUser());
    expect(await scim().shown(`/Users/${user.id}`)).toMatchObject({ userName: user.userName });
  });

  test('Create_Group_Test', async () => {
    expect(await provision('/Groups', validatorGroup())).toHaveProperty('displayName');
  });

  test('Update_Group_Test', async () => {
    const { id } = await provision('/Groups', validatorGroup());
    const displayName = `Updated ${word()}`;
    await change(`/Groups/${id}`, { op: 'Replace', path: 'displayName', value: displayName });
    expect(await total('/Groups', `displayName eq "${displayName}"`)).toBe(1);
  });

  test('Delete_Group_Test', async () => {
    const group = await provision('/Groups', validatorGroup());
    expectStatus(await scim().delete(`/Groups/${group.id}`), 204);
    expect(await total('/Groups', `displayName eq "${group.displayName}"`)).toBe(0);
  });

  test('Group_Update_Add_Member_Test', async () => {
    const [user, group] = [await scim().newUser(), await provision('/Groups', validatorGroup())];
    const after = await change(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ value: user.id }] });
    expect(after.members).toMatchObject([{ value: user.id }]);
  });

  test('Group_Update_Remove_Member_Test', async () => {
    const [user, group] = [await scim().newUser(), await provision('/Groups', validatorGroup())];
    await change(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ value: user.id }] });
    const after = await change(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ value: user.id }] });
    expect(after).not.toHaveProperty('members');
  });

  test('POD_Group_Test', async () => {
    const group = await provision('/Groups', validatorGroup());
    expect(await scim().shown(`/Groups/${group.id}`)).toMatchObject({ displayName: group.displayName });
  });

  test('Restore_Group_Test', async () => {
    const sent = validatorGroup();
    const { id } = await provision('/Groups', sent);
    expectStatus(await scim().delete(`/Groups/${id}`), 204);
    expect((await provision('/Groups', sent)).id).not.toBe(id);
  });

  test('Schema_Discoverability_Test', async () => {
    const schemas = expectStatus(await entra().get('/Schemas'), 200).at('Resources') as SchemaShown[];
    const of = (id: string) => schemas.find((each) => each.id === id) as SchemaShown;
    const extensions = schemas.filter(({ id }) => id !== schemaOf.user && id !== schemaOf.group);
    const ofExtensions = extensions.flatMap(({ id, attributes }) => attributes.map(({ name }) => `${id}:${name}`));
    const names = (list: readonly string[]) => new Set(list.map((name) => name.toLowerCase()));
    const users = names([...discoverable(of(schemaOf.user)), ...ofExtensions]);
    const groups = names(discoverable(of(schemaOf.group)));
    expect(mappedUserAttributes.filter((name) => !users.has(name.toLowerCase()))).toEqual([]);
    expect(mappedGroupAttributes.filter((name) => !groups.has(name.toLowerCase()))).toEqual([]);
  });

  test('SCIM_Null_Update_Test', async () => {
    const { id } = await scim().make('/Users', validatorUser());
    const paths = [
      ...['displayName', 'title', 'preferredLanguage', 'nickName', 'userType'],
      ...['name.givenName', 'name.familyName', 'name.formatted'],
      ...['streetAddress', 'locality', 'postalCode'].map((name) => `addresses[type eq "work"].${name}`),
      'phoneNumbers[type eq "mobile"].value',
      ...['employeeNumber', 'department'].map((name) => `${schemaOf.enterprise}:${name}`),
    ];
    for (const value of ['', null]) {
      const after = await change(`/Users/${id}`, ...paths.map((path) => ({ op: 'replace', path, value })));
      for (const name of ['displayName', 'title', 'preferredLanguage', 'nickName', 'userType']) {
        expect(after).not.toHaveProperty(name);
      }
      for (const name of ['givenName', 'familyName', 'formatted']) expect(after).not.toHaveProperty(`name.${name}`);
      for (const name of ['streetAddress', 'locality', 'postalCode'])
        expect(after).not.toHaveProperty(`addresses.0.${name}`);
      for (const name of ['employeeNumber', 'department'])
        expect(after).not.toHaveProperty([schemaOf.enterprise, name]);
      expect(JSON.stringify(after.phoneNumbers)).not.toMatch(/"mobile"[^}]*"value"|"value"[^}]*"mobile"/);
      expect(emptyParts(after)).toEqual([]);
    }
  });

  test('SCIM_User_Create_Test', async () => {
    const sent = validatorUser();
    const created = expectStatus(await entra().post('/Users', sent), 201);
    expect(created.body).toMatchObject({ id: expect.stringMatching(/\S/), userName: sent.userName });
  });

  test('SCIM_User_Update_Test', async () => {
    const { id } = await scim().make('/Users', validatorUser());
    const values = Object.entries({
      displayName: 'Updated',
      title: 'Updated',
      nickName: 'Updated',
      externalId: word(),
    });
    const after = await change(`/Users/${id}`, ...values.map(([path, value]) => ({ op: 'replace', path, value })));
    expect(after).toMatchObject(Object.fromEntries(values));
  });

  test('SCIM_Group_Create_Test', async () => {
    const sent = validatorGroup();
    const created = expectStatus(await entra().post('/Groups', sent), 201);
    expect(created.body).toMatchObject({ id: expect.stringMatching(/\S/), displayName: sent.displayName });
  });

  test('SCIM_Group_Update_Test', async () => {
    const { id } = await scim().make('/Groups', validatorGroup());
    const values = Object.entries({ displayName: `Updated ${word()}`, externalId: word() });
    const after = await change(`/Groups/${id}`, ...values.map(([path, value]) => ({ op: 'replace', path, value })));
    expect(after).toMatchObject(Object.fromEntries(values));
  });

  test('SCIM_Update_Manager_Test', async () => {
    const [first, second, user] = [await scim().newUser(), await scim().newUser(), await scim().newUser()];
    const path = `/Users/${user.id}`;
    expect(managerOf(await change(path, { op: 'Add', path: manager, value: first.id }))).toMatchObject({
      value: first.id,
    });
    expect(managerOf(await change(path, { op: 'Replace', path: manager, value: second.id }))).toMatchObject({
      value: second.id,
    });
    expect(managerOf(await change(path, { op: 'Replace', path: manager, value: '' }))).toBeUndefined();
  });

  test.each([
    ['SCIM_User_Pagination_Test', '/Users'],
    ['SCIM_Group_Pagination_Test', '/Groups'],
  ] as const)('%s', async (_, path) => {
    for (let made = 0; made < 11; made++)
      await scim().make(path, path === '/Users' ? validatorUser() : validatorGroup());
    const seen = new Set<string>();
    for (let page = 0; page < 3; page++) {
      const answer = expectStatus(await entra().get(`${path}?startIndex=${page * 5 + 1}&count=5`), 200);
      expect(answer.at('startIndex')).toBe(page * 5 + 1);
      expect(answer.at('totalResults')).toBeGreaterThanOrEqual(11);
      for (const { id } of answer.list('Resources') as Made[]) seen.add(id);
    }
    expect(seen.size).toBeGreaterThanOrEqual(11);
  });

  test('25 requests a second: as many at once are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => entra().get('/Users?count=1')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
