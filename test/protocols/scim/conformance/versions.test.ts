import { describe, expect, test } from 'vitest';
import { expectError, expectStatus, patchOf, person, team } from './messages.ts';
import { atBothBases, type Made } from './provider.ts';

const versionOf = ({ meta }: Made): string => (meta as { version: string }).version;
const ifMatch = (version: string) => ({ headers: { 'if-match': version } });
const change = patchOf({ op: 'add', path: 'title', value: 'Dr' });

atBothBases('RFC 7644, 3.14: versions', 'scim-versions', (scim) => {
  test('the ETag header is meta.version, wherever a resource is answered', async () => {
    const created = expectStatus(await scim().post('/Users', person()), 201);
    const path = `/Users/${created.text('id')}`;
    const answers = [created, await scim().get(path), await scim().put(path, person())];
    for (const answer of answers) {
      expect(answer.headers.get('etag')).toBe(answer.text('meta.version'));
      expect(answer.headers.get('etag')).toMatch(/^W\/"[^"]+"$/);
    }
    const patched = expectStatus(await scim().send('PATCH', path, change), 200, 204);
    expect(patched.headers.get('etag')).toBe(versionOf(await scim().shown(path)));
  });

  test('a version is another one after each change, and the same without one', async () => {
    const user = await scim().newUser();
    const path = `/Users/${user.id}`;
    expect(versionOf(await scim().shown(path))).toBe(versionOf(user));
    const changed = await scim().patched(path, { op: 'add', path: 'title', value: 'Dr' });
    expect(versionOf(changed)).not.toBe(versionOf(user));
    const replaced = expectStatus(await scim().put(path, person()), 200).body as Made;
    expect(versionOf(replaced)).not.toBe(versionOf(changed));
  });

  test('a change of members is a change of the group', async () => {
    const [user, group] = [await scim().newUser(), await scim().newGroup()];
    const added = await scim().patched(`/Groups/${group.id}`, {
      op: 'add',
      path: 'members',
      value: [{ value: user.id }],
    });
    expect(versionOf(added)).not.toBe(versionOf(group));
  });

  describe('If-None-Match', () => {
    test('the version that it names is answered by 304 without a body', async () => {
      const user = await scim().newUser();
      for (const version of [versionOf(user), `W/"other", ${versionOf(user)}`, '*']) {
        const answer = await scim().get(`/Users/${user.id}`, { headers: { 'if-none-match': version } });
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 304, body: '' });
        expect(answer.headers.get('etag')).toBe(versionOf(user));
      }
    });

    test('another version is answered by the resource', async () => {
      const user = await scim().newUser();
      const answer = await scim().get(`/Users/${user.id}`, { headers: { 'if-none-match': 'W/"other"' } });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: user });
    });
  });

  describe('If-Match', () => {
    test('PUT, PATCH and DELETE of another version are answered by 412, and change nothing', async () => {
      const user = await scim().newUser();
      const path = `/Users/${user.id}`;
      expectError(await scim().put(path, person(), ifMatch('W/"other"')), 412);
      expectError(await scim().send('PATCH', path, change, ifMatch('W/"other"')), 412);
      expectError(await scim().delete(path, ifMatch('W/"other"')), 412);
      expect(await scim().shown(path)).toEqual(user);
      const group = await scim().newGroup();
      expectError(await scim().put(`/Groups/${group.id}`, team(), ifMatch('W/"other"')), 412);
      expect(await scim().shown(`/Groups/${group.id}`)).toEqual(group);
    });

    test('the version that was read is taken once', async () => {
      const user = await scim().newUser();
      const path = `/Users/${user.id}`;
      expectStatus(await scim().send('PATCH', path, change, ifMatch(versionOf(user))), 200, 204);
      expectError(await scim().send('PATCH', path, change, ifMatch(versionOf(user))), 412);
      const now = versionOf(await scim().shown(path));
      expectStatus(await scim().put(path, person(), ifMatch(`W/"other", ${now}`)), 200);
      expectStatus(await scim().delete(path, ifMatch(versionOf(await scim().shown(path)))), 204);
    });

    test('any version will do for *', async () => {
      const { id } = await scim().newUser();
      expectStatus(await scim().send('PATCH', `/Users/${id}`, change, ifMatch('*')), 200, 204);
    });

    test('of many that change the same version at once, one succeeds', async () => {
      const user = await scim().newUser();
      const each = (title: number) => patchOf({ op: 'replace', path: 'title', value: `t${title}` });
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map((number) =>
          scim().send('PATCH', `/Users/${user.id}`, each(number), ifMatch(versionOf(user))),
        ),
      );
      const refused = answers.filter(({ status }) => status === 412);
      expect(refused).toHaveLength(4);
    });
  });
});
