/** What the provisioning service of Entra ID sends of groups, in the forms of both of its generations. */
import { expect, test } from 'vitest';
import { expectStatus, type Operation, schemaOf, word } from '../conformance/messages.ts';
import { atBothBases, type Made } from '../conformance/provider.ts';
import { asEntra, directoryGroup, directoryUser } from './entra.ts';

atBothBases('Entra ID, what is sent of groups', 'entra-groups', (scim) => {
  const entra = () => asEntra(scim());
  const create = async (): Promise<Made> =>
    expectStatus(await entra().post('/Groups', directoryGroup()), 201).body as Made;
  const createUser = async (): Promise<string> =>
    expectStatus(await entra().post('/Users', directoryUser()), 201).text('id');
  const change = async (group: Made, ...operations: readonly Operation[]) =>
    expectStatus(await entra().patch(`/Groups/${group.id}`, ...operations), 200, 204);
  const members = async ({ id }: Made): Promise<string[]> => {
    const group = await scim().shown(`/Groups/${id}`);
    return ((group.members ?? []) as { value: string }[]).map(({ value }) => value).sort();
  };

  test('a group is created with the schema that is no schema of the protocol', async () => {
    const sent = directoryGroup();
    const created = expectStatus(await entra().post('/Groups', sent), 201);
    const { schemas: _, meta: __, ...rest } = sent;
    expect(created.body).toMatchObject(rest);
    expect(created.at('schemas')).toContain(schemaOf.group);
  });

  test('a change of members is answered by 204 where no attributes are asked for', async () => {
    const group = await create();
    const answer = await change(group, {
      op: 'Add',
      path: 'members',
      value: [{ $ref: null, value: await createUser() }],
    });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
  });

  test('members are added and removed in each of the forms', async () => {
    const group = await create();
    const [a, b, c] = [await createUser(), await createUser(), await createUser()];
    await change(group, { op: 'Add', path: 'members', value: [{ $ref: null, value: a }] });
    await change(
      group,
      { op: 'Add', path: 'members', value: [{ value: b }] },
      { op: 'Add', path: 'members', value: [{ value: c }] },
    );
    expect(await members(group)).toEqual([a, b, c].sort());
    await change(group, { op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] });
    expect(await members(group)).toEqual([b, c].sort());
    await change(group, { op: 'Remove', path: `members[value eq "${b}"]` });
    expect(await members(group)).toEqual([c]);
    await change(group, { op: 'Add', path: 'members', value: [a, b] });
    expect(await members(group)).toEqual([a, b, c].sort());
    await change(group, { op: 'Remove', path: 'members', value: [{ value: a }, { value: b }] });
    expect(await members(group)).toEqual([c]);
    await change(group, { op: 'Remove', path: 'members', value: c });
    expect(await members(group)).toEqual([]);
  });

  test('several members are added by one operation', async () => {
    const group = await create();
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => createUser()));
    await change(group, { op: 'Add', path: 'members', value: ids.map((value) => ({ value })) });
    expect(await members(group)).toEqual(ids.toSorted());
  });

  test('a member that nobody knows is no error, and is no member', async () => {
    const group = await create();
    const known = await createUser();
    const unknown = crypto.randomUUID();
    await change(group, { op: 'Add', path: 'members', value: [{ value: unknown }, { value: known }] });
    expect(await members(group)).toEqual([known]);
    await change(group, { op: 'Remove', path: `members[value eq "${unknown}"]` });
    expect(await members(group)).toEqual([known]);
  });

  test('the display name changes, with a path and without one', async () => {
    const group = await create();
    const [first, second] = [`Group ${word()}`, `Group ${word()}`];
    await change(group, { op: 'Replace', path: 'displayName', value: first });
    expect(await scim().shown(`/Groups/${group.id}`)).toHaveProperty('displayName', first);
    await change(group, { op: 'Replace', value: { displayName: second, id: group.id } });
    expect(await scim().shown(`/Groups/${group.id}`)).toHaveProperty('displayName', second);
  });

  test('a group is found by its name, without its members, and asked for a member', async () => {
    const group = await create();
    const user = await createUser();
    await change(group, { op: 'Add', path: 'members', value: [{ value: user }] });
    const byName = await scim().query(
      '/Groups',
      `displayName eq "${group.displayName}"`,
      '&excludedAttributes=members',
    );
    expect(byName.body).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
    expect(byName.at('Resources.0')).not.toHaveProperty('members');
    for (const [id, total] of [
      [user, 1],
      [await createUser(), 0],
    ] as const) {
      const filter = `id eq "${group.id}" and members eq "${id}"`;
      expect((await scim().query('/Groups', filter, '&excludedAttributes=members')).at('totalResults')).toBe(total);
    }
  });

  test('a group is deleted, and made again', async () => {
    const sent = directoryGroup();
    const { id } = await scim().make('/Groups', sent);
    expectStatus(await scim().delete(`/Groups/${id}`), 204);
    expect((await scim().make('/Groups', sent)).id).not.toBe(id);
  });
});
