/** The cases about groups that the validator of Entra ID runs, by the names that its reports give them. */
import { expect, test } from 'vitest';
import { expectError, expectStatus, type Operation } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, validatorGroup, validatorUser } from './entra.ts';

const unknown = 'a0891725-bf13-48fb-ac3e-c536309a0bfb';

atBothBases('Entra validator, groups', 'entra-validator-groups', (scim) => {
  const entra = () => asEntra(scim());
  const create = async (): Promise<Made> =>
    expectStatus(await entra().post('/Groups', validatorGroup()), 201).body as Made;
  const createUser = async (): Promise<string> => (await scim().make('/Users', validatorUser())).id;
  const find = async (displayName: unknown, rest = '') =>
    expectStatus(await entra().get(`/Groups?${rest}filter=displayName+eq+%22${displayName}%22`), 200);
  const members = async (id: string): Promise<string[]> => {
    const group = await scim().shown(`/Groups/${id}`);
    return ((group.members ?? []) as { value: string }[]).map(({ value }) => value).sort();
  };
  const change = async (id: string, ...operations: readonly Operation[]) =>
    expectStatus(await entra().patch(`/Groups/${id}`, ...operations), 200, 204);

  test('Create a new Group', async () => {
    const sent = validatorGroup();
    const answer = expectStatus(await entra().post('/Groups', sent), 201);
    expect(answer.body).toMatchObject({ ...sent, id: expect.any(String), meta: { resourceType: 'Group' } });
    expect(answer.headers.get('location')).toBe(answer.text('meta.location'));
  });

  test('Create a duplicate Group', async () => {
    const { displayName } = await create();
    expectError(await entra().post('/Groups', validatorGroup({ displayName })), 409, 'uniqueness');
  });

  test('Get group by id excluding members', async () => {
    const group = await create();
    await change(group.id, { op: 'add', path: 'members', value: [{ value: await createUser() }] });
    const shown = await scim().shown(`/Groups/${group.id}?excludedAttributes=members`);
    expect(shown).toMatchObject({ id: group.id, displayName: group.displayName });
    expect(shown).not.toHaveProperty('members');
  });

  test('Filter for existing group excluding members', async () => {
    const group = await create();
    await change(group.id, { op: 'add', path: 'members', value: [{ value: await createUser() }] });
    const found = await find(group.displayName, 'excludedAttributes=members&');
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
    expect(found.at('Resources.0')).not.toHaveProperty('members');
  });

  test('Filter for an existing group', async () => {
    const group = await create();
    expect((await find(group.displayName)).body).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
  });

  test('Filter for a non-existing group', async () => {
    const found = await find('NOBODY');
    expect(found.at('totalResults')).toBe(0);
    expect(found.at('Resources') ?? []).toEqual([]);
  });

  test('Filter for existing group different case', async () => {
    const group = await create();
    const found = await find(String(group.displayName).toLowerCase());
    expect(found.body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.id, displayName: group.displayName }],
    });
  });

  test('Patch Group - Replace Attributes', async () => {
    const { id, displayName } = await create();
    const externalId = crypto.randomUUID();
    await change(id, { op: 'replace', value: { externalId } });
    expect(await scim().shown(`/Groups/${id}`)).toMatchObject({ externalId, displayName });
  });

  test('Update Group displayName', async () => {
    const { id } = await create();
    const { displayName } = validatorGroup();
    await change(id, { op: 'replace', value: { displayName } });
    expect(await scim().shown(`/Groups/${id}`)).toMatchObject({ displayName });
    expect((await find(displayName)).at('totalResults')).toBe(1);
  });

  test('Patch Group - Add Member', async () => {
    const { id } = await create();
    const user = await createUser();
    await change(id, { op: 'replace', path: 'members', value: [{ value: user }] });
    expect(await members(id)).toEqual([user]);
  });

  test('Patch Group - Remove Member', async () => {
    const { id } = await create();
    const [first, second] = [await createUser(), await createUser()];
    await change(id, { op: 'replace', path: 'members', value: [{ value: first }, { value: second }] });
    expect(await members(id)).toEqual([first, second].sort());
    await change(id, { op: 'remove', path: `members[value eq "${first}"]` });
    expect(await members(id)).toEqual([second]);
  });

  test('Delete a Group', async () => {
    const { id } = await create();
    expectStatus(await scim().delete(`/Groups/${id}`), 204);
    expectError(await entra().get(`/Groups/${id}`), 404);
  });

  test('Preview: Patch Group - Multiple Ops on same attribute', async () => {
    const { id } = await create();
    const user = await createUser();
    await change(
      id,
      { op: 'add', path: 'members', value: [{ value: user }] },
      { op: 'remove', path: `members[value eq "${user}"]` },
    );
    expect(await members(id)).toEqual([]);
  });

  test('Preview: Delete a non-existent Group', async () => {
    expectError(await scim().delete(`/Groups/${unknown}`), 404);
  });

  test('Preview: Delete the same Group twice', async () => {
    const { id } = await create();
    expectStatus(await scim().delete(`/Groups/${id}`), 204);
    expectError(await scim().delete(`/Groups/${id}`), 404);
  });
});
