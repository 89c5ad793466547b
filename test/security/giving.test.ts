import { describe, expect, test } from 'vitest';
import type { NewKey } from '../server/running-service.ts';
import { forbidden, refused, scene } from './organizations.ts';

const on = scene();

describe('Rights 2: system tuples have one door', () => {
  const doors: [tuple: string, permission: string][] = [
    ['group:eng#member@user:anne', 'groups.members'],
    ['role:editor#assignee@user:anne', 'roles.assign'],
    ['permission:docs:read#granted@user:anne', 'permissions.grant'],
  ];

  test.each(doors)('%s needs %s', async (tuple, permission) => {
    const without = on.as(await on.org.newKey({ permissions: ['tuples.write'] }));
    expect(await without.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(forbidden);
    expect(await without.post('/zanzibar/tuples', { deletes: [tuple] })).toMatchObject(forbidden);
    // and what it gives must be held: a permission of one's own is, here
    await on.org.write('permission:docs:read#granted@role:holder#assignee');
    await on.org.directory(tuple);
    const withIt = on.as(await on.org.newKey({ permissions: ['tuples.write', permission], roles: ['holder'] }));
    expect((await withIt.post('/zanzibar/tuples', { writes: [tuple] })).status).toBe(200);
    const onlyDoor = on.as(await on.org.newKey({ permissions: [permission] }));
    expect(await onlyDoor.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(forbidden);
  });

  test.each([
    'permission:docs:read#granted@policy:x#applies',
    'permission:docs:read#granted@elevation:t',
    'policy:x#applies@user:*',
    'policy:x#applies@agent:*',
  ])('%s cannot be written raw', async (tuple) => {
    expect(await on.org.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(refused);
    expect(await on.org.post('/zanzibar/tuples', { deletes: [tuple] })).toMatchObject(refused);
  });

  test.each(['role:editor#assignee@user:*', 'permission:docs:read#granted@user:*'])(
    'the unconditional wildcard %s is refused, whatever the model says',
    async (tuple) => {
      await on.org.model(
        'type role',
        '  relations',
        '    define assignee: [user:*]',
        'type permission',
        '  relations',
        '    define granted: [user:*]',
      );
      expect(await on.org.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(refused);
    },
  );

  test('a change of rights is on record, in the commit that makes it', async () => {
    await on.org.write('role:editor#assignee@user:anne');
    const stopped = await on.service.call('GET', '/metrics');
    expect(stopped.status).toBe(200);
    expect((await on.org.call('GET', '/zanzibar/tuples?object=role:editor')).list('tuples')).toHaveLength(1);
  });
});

describe('Rights 3: nobody gives what they do not hold', () => {
  test.each([
    ['a system permission', 'permission:settings.manage#granted@user:eve'],
    ['a role that holds it', 'role:ROLE_TENANT_ADMIN#assignee@user:eve'],
    ['a group that has the role', 'group:admins#member@user:eve'],
    ['a permission of the organization', 'permission:docs:burn#granted@user:eve'],
  ])('%s', async (_name, tuple) => {
    await on.org.write(
      'permission:settings.manage#granted@role:boss#assignee',
      'role:boss#assignee@group:admins#member',
    );
    await on.org.write('permission:docs:burn#granted@user:anne');
    const manager = on.as(
      await on.org.newKey({ permissions: ['tuples.write', 'groups.members', 'roles.assign', 'permissions.grant'] }),
    );
    expect(await manager.post('/zanzibar/tuples', { writes: [tuple] })).toMatchObject(forbidden);
    expect((await on.org.post('/zanzibar/tuples', { writes: [tuple] })).status).toBe(200);
  });

  test('API keys are made and changed by those alone who hold everything', async () => {
    const full = on.as(await on.org.newKey({ permissions: ['settings.manage'] }));
    const every = (await on.org.call('GET', '/admin/permissions?isSystem=true&limit=100')).list('data');
    const all = (every as { slug: string }[]).map(({ slug }) => slug).filter((slug) => slug !== 'settings.manage');
    const almost = on.as(await on.org.newKey({ permissions: all }));
    const body = { name: 'narrow', permissions: ['tuples.read'] };
    expect((await full.post('/admin/api-keys', body)).status).toBe(201);
    expect(await almost.post('/admin/api-keys', body)).toMatchObject(forbidden);
    const { id } = await on.org.newKey({ permissions: ['tuples.read'] });
    expect(await almost.post(`/admin/api-keys/${id}/rotate`, {})).toMatchObject(forbidden);
    expect(await almost.call('PATCH', `/admin/api-keys/${id}`, { body: { name: 'mine' } })).toMatchObject(forbidden);
    expect(await almost.call('DELETE', `/admin/api-keys/${id}`)).toMatchObject(forbidden);
  });

  test('the last administrator cannot be removed or demoted', async () => {
    const [first] = (await on.org.call('GET', '/admin/api-keys')).list('data') as { id: string; subject: string }[];
    const tuple = { object: 'role:ROLE_TENANT_ADMIN', relation: 'assignee', subject: first?.subject };
    const path = `/admin/api-keys/${first?.id}`;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const attempts = () => [
      on.org.post('/zanzibar/tuples', { deletes: [tuple] }),
      on.org.post('/zanzibar/tuples', { writes: [{ ...tuple, expiresAt: inAnHour }] }),
      on.org.post('/zanzibar/tuples', {
        deletes: ['permission:settings.manage#granted@role:ROLE_TENANT_ADMIN#assignee'],
      }),
      on.org.call('PATCH', path, { body: { expiresAt: inAnHour } }),
      on.org.call('DELETE', path),
    ];
    for (const answer of await Promise.all(attempts())) expect(answer).toMatchObject(refused);
    // somebody who only exists as a tuple, and a key that expires, are no other administrators
    await on.org.write('role:ROLE_TENANT_ADMIN#assignee@user:ghost');
    const passing = await on.org.post('/admin/api-keys', {
      name: 'passing',
      roles: ['ROLE_TENANT_ADMIN'],
      expiresAt: inAnHour,
    });
    expect(passing.status).toBe(201);
    expect(await on.org.call('DELETE', path)).toMatchObject(refused);
    // another one for good is
    await on.org.newKey({ roles: ['ROLE_TENANT_ADMIN'] });
    expect((await on.org.call('DELETE', path)).status).toBe(204);
  });

  test('two administrators who remove each other at once: one stays', async () => {
    const others = await Promise.all([1, 2].map(() => on.org.newKey({ roles: ['ROLE_TENANT_ADMIN'] })));
    const [first] = (await on.org.call('GET', '/admin/api-keys')).list('data') as { id: string; name: string }[];
    const [one, two] = others as [NewKey, NewKey];
    expect((await on.as(one).call('DELETE', `/admin/api-keys/${first?.id}`)).status).toBe(204);
    const answers = await Promise.all([
      on.as(one).call('DELETE', `/admin/api-keys/${two.id}`),
      on.as(two).call('DELETE', `/admin/api-keys/${one.id}`),
    ]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(204);
    expect([401, 403, 422]).toContain(statuses[1]);
    const alive = await Promise.all([one, two].map((key) => on.as(key).call('GET', '/admin/api-keys')));
    expect(alive.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('models, keys and other settings need full administration', async () => {
    const almost = on.as(
      await on.org.newKey({
        permissions: ['authz:check', 'tuples.read', 'tuples.write', 'models.read', 'users.update', 'roles.assign'],
      }),
    );
    expect(await almost.post('/zanzibar/models', { dsl: 'model\n  schema 1.1\ntype doc\n' })).toMatchObject(forbidden);
    expect(await almost.post('/admin/api-keys', { name: 'x' })).toMatchObject(forbidden);
  });
});
