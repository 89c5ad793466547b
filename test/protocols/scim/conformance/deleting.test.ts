import { expect, test } from 'vitest';
import { expectError, expectStatus, patchOf, person, schemaOf, team } from './messages.ts';
import { atBothBases, Provider } from './provider.ts';

const gone = '018f0000-0000-7000-8000-000000000000';

atBothBases('RFC 7644, 3.6: deleting resources', 'scim-deleting', (scim) => {
  test('answers 204 without a body', async () => {
    for (const [path, { id }] of [
      ['/Users', await scim().newUser()],
      ['/Groups', await scim().newGroup()],
    ] as const) {
      const answer = await scim().delete(`${path}/${id}`);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 204, body: '' });
    }
  });

  test('whatever is asked of a deleted resource is answered by 404', async () => {
    for (const [path, { id }, body] of [
      ['/Users', await scim().newUser(), person()],
      ['/Groups', await scim().newGroup(), team()],
    ] as const) {
      expectStatus(await scim().delete(`${path}/${id}`), 204);
      expectError(await scim().get(`${path}/${id}`), 404);
      expectError(await scim().put(`${path}/${id}`, body), 404);
      expectError(
        await scim().send('PATCH', `${path}/${id}`, patchOf({ op: 'add', path: 'displayName', value: 'x' })),
        404,
      );
      expectError(await scim().delete(`${path}/${id}`), 404);
    }
  });

  test('what was never there is answered by 404', async () => {
    expectError(await scim().delete(`/Users/${gone}`), 404);
    expectError(await scim().delete('/Groups/nothing'), 404);
  });

  test('a deleted resource is in no list and no search', async () => {
    const { id, userName } = await scim().newUser();
    expectStatus(await scim().delete(`/Users/${id}`), 204);
    expect((await scim().query('/Users', `userName eq "${userName}"`)).at('totalResults')).toBe(0);
    const search = { schemas: [schemaOf.search], filter: `id eq "${id}"` };
    expect(expectStatus(await scim().post('/.search', search), 200).at('totalResults')).toBe(0);
  });

  test('a deleted user is in no group', async () => {
    const [user, other] = [await scim().newUser(), await scim().newUser()];
    const group = await scim().newGroup({ members: [{ value: user.id }, { value: other.id }] });
    expectStatus(await scim().delete(`/Users/${user.id}`), 204);
    expect((await scim().shown(`/Groups/${group.id}`)).members).toMatchObject([{ value: other.id }]);
  });

  test('the members of a deleted group stay', async () => {
    const user = await scim().newUser();
    const group = await scim().newGroup({ members: [{ value: user.id }] });
    expectStatus(await scim().delete(`/Groups/${group.id}`), 204);
    expect(await scim().shown(`/Users/${user.id}`)).not.toHaveProperty('groups');
  });

  test('names of what was deleted are free again', async () => {
    const [sent, group] = [person(), team()];
    expectStatus(await scim().delete(`/Users/${(await scim().make('/Users', sent)).id}`), 204);
    await scim().make('/Users', sent);
    expectStatus(await scim().delete(`/Groups/${(await scim().make('/Groups', group)).id}`), 204);
    await scim().make('/Groups', group);
  });

  test('a whole type cannot be deleted', async () => {
    expectError(await scim().delete('/Users'), 405);
    expectError(await scim().delete('/Groups'), 405);
  });

  test('where the settings do not allow it, deleting is answered by 403, and changes nothing', async () => {
    const slug = `${scim().org.slug}-kept`;
    const strict = await Provider.start(slug, scim().family, { provisioning: { delete_users: false } });
    const user = await strict.newUser();
    expectError(await strict.delete(`/Users/${user.id}`), 403);
    expect(await strict.shown(`/Users/${user.id}`)).toEqual(user);
  });
});
