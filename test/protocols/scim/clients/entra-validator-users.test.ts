/** The cases about users that the validator of Entra ID runs, by the names that its reports give them. */
import { describe, expect, test } from 'vitest';
import { expectError, expectStatus, schemaOf } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, manager, managerOf, shownAs, validatorUser } from './entra.ts';

const unknown = 'd950a5ce-61da-4979-8423-4600c745a897';

/** Each attribute that the validator changes, with a path for it, and where its value is shown. */
const verbose: readonly (readonly [path: string, shownAt: readonly (string | number)[]])[] = [
  ['displayName', ['displayName']],
  ['title', ['title']],
  ['preferredLanguage', ['preferredLanguage']],
  ['userType', ['userType']],
  ['nickName', ['nickName']],
  ['locale', ['locale']],
  ['timezone', ['timezone']],
  ['profileUrl', ['profileUrl']],
  ...['givenName', 'familyName', 'formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'].map(
    (name) => [`name.${name}`, ['name', name]] as const,
  ),
  ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'].map(
    (name) => [`addresses[type eq "work"].${name}`, ['addresses', 0, name]] as const,
  ),
  ['phoneNumbers[type eq "work"].value', ['phoneNumbers', 0, 'value']],
  ['phoneNumbers[type eq "mobile"].value', ['phoneNumbers', 1, 'value']],
  ['phoneNumbers[type eq "fax"].value', ['phoneNumbers', 2, 'value']],
  ...['employeeNumber', 'department', 'costCenter', 'organization', 'division'].map(
    (name) => [`${schemaOf.enterprise}:${name}`, [schemaOf.enterprise, name]] as const,
  ),
  ['roles[primary eq "True"].display', ['roles', 0, 'display']],
  ['roles[primary eq "True"].value', ['roles', 0, 'value']],
  ['roles[primary eq "True"].type', ['roles', 0, 'type']],
];

const at = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Record<string | number, unknown> | undefined)?.[name], value);

atBothBases('Entra validator, users', 'entra-validator-users', (scim) => {
  const entra = () => asEntra(scim());
  const create = async (): Promise<Made> =>
    expectStatus(await entra().post('/Users', validatorUser()), 201).body as Made;
  const findByName = async (userName: unknown) => {
    const answer = await entra().get(`/Users?filter=userName+eq+%22${encodeURIComponent(String(userName))}%22`);
    return expectStatus(answer, 200);
  };

  test('Create a new User', async () => {
    const sent = validatorUser();
    const created = expectStatus(await entra().post('/Users', sent), 201);
    expect(created.body).toMatchObject({ ...shownAs(sent), id: expect.any(String) });
    const found = await findByName(sent.userName);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [shownAs(sent)] });
  });

  test('Create a duplicate User', async () => {
    const { userName } = await create();
    expectError(await entra().post('/Users', validatorUser({ userName })), 409, 'uniqueness');
  });

  test('Filter for an existing user', async () => {
    const user = await create();
    const found = await findByName(user.userName);
    expect(found.body).toMatchObject({ schemas: [schemaOf.list], totalResults: 1, Resources: [{ id: user.id }] });
  });

  test('Filter for a non-existing user', async () => {
    const found = await findByName('nobody@none.example');
    expect(found.body).toMatchObject({ schemas: [schemaOf.list], totalResults: 0 });
    expect(found.at('Resources') ?? []).toEqual([]);
  });

  test('Filter for an existing user with a different case', async () => {
    const user = await create();
    const found = await findByName(String(user.userName).toUpperCase());
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: user.id, userName: user.userName }] });
  });

  describe('Patch User - Replace Attributes Verbose', () => {
    test('all attributes in one request', async () => {
      const { id } = await create();
      const operations = verbose.map(([path], number) => ({ op: 'replace', path, value: `Value${number}` }));
      const email = { op: 'replace', path: 'emails[type eq "work"].value', value: `new.${id}@hammes.example` };
      expectStatus(await entra().patch(`/Users/${id}`, ...operations, email), 200);
      const shown = await scim().shown(`/Users/${id}`);
      for (const [number, [path, where]] of verbose.entries()) {
        expect({ path, value: at(shown, where) }).toEqual({ path, value: `Value${number}` });
      }
      expect(shown).toHaveProperty('emails.0.value', email.value);
    });

    test('all attributes in one request, to a user that has none of them: each is made', async () => {
      const { id } = await scim().newUser();
      const operations = verbose.map(([path], number) => ({ op: 'Add', path, value: `Value${number}` }));
      expectStatus(await entra().patch(`/Users/${id}`, ...operations), 200);
      const shown = JSON.stringify(await scim().shown(`/Users/${id}`));
      for (const number of verbose.keys()) expect(shown).toContain(`"Value${number}"`);
    });
  });

  test('Update User userName', async () => {
    const user = await create();
    const userName = `renamed.${user.id}@hermann.example`;
    const answer = expectStatus(await entra().patch(`/Users/${user.id}`, { op: 'replace', value: { userName } }), 200);
    expect(answer.at('userName')).toBe(userName);
    expect((await findByName(userName)).at('Resources.0.id')).toBe(user.id);
    expect((await findByName(user.userName)).at('totalResults')).toBe(0);
  });

  test('Patch User - Disable User', async () => {
    const user = await create();
    const answer = await entra().patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false });
    expect(expectStatus(answer, 200).at('active')).toBe(false);
    expect((await scim().shown(`/Users/${user.id}`)).active).toBe(false);
    expect((await findByName(user.userName)).at('Resources.0.active')).toBe(false);
  });

  test('Patch User - Add Manager', async () => {
    const { id } = await create();
    const answer = await entra().patch(`/Users/${id}`, { op: 'add', path: manager, value: { value: 'AXTKDLNRKMKT' } });
    expect(managerOf(expectStatus(answer, 200).body as Made)).toMatchObject({ value: 'AXTKDLNRKMKT' });
    expect(Object.keys(await scim().shown(`/Users/${id}`)).filter((name) => name.startsWith('urn:'))).toEqual([
      schemaOf.enterprise,
    ]);
  });

  test('Patch User - Replace Manager', async () => {
    const { id } = await create();
    const answer = await entra().patch(`/Users/${id}`, {
      op: 'replace',
      path: manager,
      value: { value: 'CBEQXYNPNAZS' },
    });
    expect(managerOf(expectStatus(answer, 200).body as Made)).toMatchObject({ value: 'CBEQXYNPNAZS' });
  });

  test('Patch User - Remove Manager', async () => {
    for (const operation of [
      { op: 'replace', path: manager, value: { value: '' } },
      { op: 'replace', path: manager, value: '' },
      { op: 'remove', path: manager },
      { op: 'remove', path: manager, value: { value: 'IHZXFLMQGJKS' } },
    ]) {
      const { id } = await create();
      const answer = expectStatus(await entra().patch(`/Users/${id}`, operation), 200);
      expect(managerOf(answer.body as Made)).toBeUndefined();
      expect(answer.body).toHaveProperty([schemaOf.enterprise, 'department']);
    }
  });

  test('Delete a User', async () => {
    const { id } = await create();
    expectStatus(await scim().delete(`/Users/${id}`), 204);
    expectError(await entra().get(`/Users/${id}`), 404);
  });

  test('Preview: Patch User - Multiple Ops on different attributes', async () => {
    const { id } = await create();
    const answer = await entra().patch(
      `/Users/${id}`,
      { op: 'add', path: 'displayName', value: 'One' },
      { op: 'remove', path: 'title' },
      { op: 'replace', path: 'nickName', value: 'Three' },
      { op: 'add', path: 'emails[type eq "other"].value', value: `other.${id}@hammes.example` },
    );
    const { body } = expectStatus(answer, 200);
    expect(body).toMatchObject({ displayName: 'One', nickName: 'Three' });
    expect(body).not.toHaveProperty('title');
    const other = (body as { emails: { type: string; primary?: boolean }[] }).emails.find(
      ({ type }) => type === 'other',
    );
    expect(other).toMatchObject({ value: `other.${id}@hammes.example` });
    expect(other?.primary ?? false).toBe(false);
  });

  test('Preview: Patch User - Multiple Ops on same attribute', async () => {
    const { id } = await create();
    const answer = await entra().patch(
      `/Users/${id}`,
      { op: 'add', path: 'title', value: 'One' },
      { op: 'remove', path: 'title' },
      { op: 'add', path: 'title', value: 'Two' },
    );
    expect(expectStatus(answer, 200).at('title')).toBe('Two');
  });

  test('Preview: Delete a non-existent User', async () => {
    expectError(await scim().delete(`/Users/${unknown}`), 404);
  });

  test('Preview: Delete the same User twice', async () => {
    const { id } = await create();
    expectStatus(await scim().delete(`/Users/${id}`), 204);
    expectError(await scim().delete(`/Users/${id}`), 404);
  });
});
