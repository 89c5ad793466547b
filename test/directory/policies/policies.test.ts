import { describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals, families, InFamily, time, uuid } from '../../server/in-family.ts';

const on = scene();
const sales = {
  name: 'Sales by day',
  description: 'From nine to five',
  permissions: ['docs:read'],
  appliesTo: ['user'],
  condition: 'subject.team == "sales" && environment.hour >= 9.0 && environment.hour < 17.0',
  enabled: true,
};
const shown = { id: uuid, ...sales, createdAt: time, updatedAt: time };

interface Named {
  readonly id: string;
}

const docsRead = () => on.org.directory('permission:docs:read', 'permission:docs:write');

describe.each(families)('policies in the %s family', (family) => {
  const here = () => new InFamily(on.org, family);

  test('are created, read, replaced, changed and deleted', async () => {
    await docsRead();
    const admin = here();
    const made = await admin.call('POST', '/policies', sales);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual(admin.created(shown));
    const { id } = admin.inside(made) as Named;
    expect((await admin.call('GET', `/policies/${id}`)).body).toEqual(admin.single(shown));
    const changed = await admin.call('PATCH', `/policies/${id}`, { enabled: false, createdAt: 'ignored' });
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.body).toEqual(admin.single({ ...shown, enabled: false }));
    const body = { name: 'Everybody', permissions: ['docs:write'], condition: 'true', appliesTo: ['agent', 'user'] };
    const replaced = await admin.call('PUT', `/policies/${id}`, body);
    expect(replaced.body).toEqual(admin.single({ ...shown, ...body, description: '', enabled: true }));
    expect((await admin.call('GET', `/policies/${id}`)).body).toEqual(replaced.body);
    expect((await admin.call('DELETE', `/policies/${id}`)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'PUT' ? sales : method === 'PATCH' ? {} : undefined;
      expect((await admin.call(method, `/policies/${id}`, sent)).status).toBe(404);
    }
    expect((await on.org.call('GET', `/zanzibar/tuples?object=policy:${id}`)).list('tuples')).toEqual([]);
  });

  test('are listed, searched and sorted', async () => {
    await docsRead();
    const admin = here();
    for (const name of ['Beta', 'Alpha'])
      await admin.make('POST', '/policies', { ...sales, name, enabled: name === 'Beta' });
    expect((await admin.call('GET', '/policies?sortBy=name')).body).toEqual(
      admin.list([
        { ...shown, name: 'Alpha', enabled: false },
        { ...shown, name: 'Beta' },
      ]),
    );
    expect((await admin.call('GET', '/policies?enabled=true&search=bET')).body).toEqual(
      admin.list([{ ...shown, name: 'Beta' }]),
    );
    expect(await admin.call('GET', '/policies?sortBy=condition')).toMatchObject({ status: 400 });
  });

  test('are refused with the place of the fault', async () => {
    await docsRead();
    const admin = here();
    await admin.make('POST', '/policies', sales);
    const other = { ...sales, name: 'Other' };
    await expectRefusals(
      (body) => admin.call('POST', '/policies', body),
      [
        { name: 'no name', body: { ...sales, name: undefined }, path: 'name' },
        { name: 'no condition', body: { ...other, condition: undefined }, path: 'condition' },
        { name: 'no permission', body: { ...other, permissions: [] }, path: 'permissions' },
        {
          name: 'unknown permission',
          body: { ...other, permissions: ['docs:read', 'docs:eat'] },
          path: 'permissions[1]',
        },
        {
          name: 'permission named twice',
          body: { ...other, permissions: ['docs:read', 'docs:read'] },
          path: 'permissions',
        },
        { name: 'for nobody', body: { ...other, appliesTo: [] }, path: 'appliesTo' },
        { name: 'for groups', body: { ...other, appliesTo: ['group'] }, path: 'appliesTo[0]' },
        { name: 'condition too long', body: { ...other, condition: `"${'x'.repeat(4096)}" == ""` }, path: 'condition' },
        { name: 'no bool', body: { ...other, condition: 'subject.team' }, path: 'condition' },
        { name: 'no CEL', body: { ...other, condition: 'subject.team ==' }, path: 'condition' },
        { name: 'unknown variable', body: { ...other, condition: 'tenant.name == "x"' }, path: 'condition' },
        { name: 'unknown field', body: { ...other, effect: 'deny' }, path: 'effect' },
        { name: 'the same name', body: { ...sales, name: 'SALES by day' }, status: 409, path: 'name' },
        {
          name: 'system permission',
          body: { ...other, permissions: ['users.read'] },
          status: 422,
          path: 'permissions[0]',
        },
      ],
    );
    const wrong = await admin.call('POST', '/policies', { ...other, condition: 'true &&\n  subject.a + ' });
    expect(wrong.at('errors.0.message')).toMatch(/^2:\d+ /);
  });

  test('can be tried before and after they are made', async () => {
    await docsRead();
    const admin = here();
    const { id } = await admin.make('POST', '/policies', { ...sales, enabled: false });
    const user = await admin.make('POST', '/users', { email: 'anne@policies.example', name: 'Anne' });
    const { condition } = sales;
    const attempt = async (body: object, path = '/policies/test') => admin.inside(await admin.call('POST', path, body));
    const environment = { hour: 10 };
    const no = { applies: false, missing: [], error: null };
    expect(await attempt({ condition, subject: { team: 'sales' }, environment })).toEqual({ ...no, applies: true });
    expect(await attempt({ condition, subject: { team: 'hr' }, environment })).toEqual(no);
    expect(await attempt({ condition, environment })).toEqual({ ...no, missing: ['subject.team'] });
    expect(await attempt({ condition: 'subject.team > 3.0', subject: { team: 'x' } })).toEqual({
      ...no,
      error: expect.stringContaining('overload'),
    });
    expect(await attempt({ subject: { team: 'sales' }, environment }, `/policies/${id}/test`)).toEqual({
      ...no,
      applies: true,
    });
    // what is on record of a user wins over what is supplied
    const asUser = { condition: 'subject.name == "Anne"', userId: user.id, subject: { name: 'Eve' } };
    expect(await attempt(asUser)).toEqual({ ...no, applies: true });
    await expectRefusals(
      (body) => admin.call('POST', '/policies/test', body),
      [
        { name: 'no condition', body: {}, path: 'condition' },
        { name: 'no bool', body: { condition: '1' }, path: 'condition' },
        { name: 'unknown user', body: { condition, userId: 'nobody' }, path: 'userId' },
        { name: 'attributes of a wrong type', body: { condition, subject: [] }, path: 'subject' },
      ],
    );
    expect((await admin.call('POST', '/policies/unknown/test', {})).status).toBe(404);
  });

  test('of another organization are not found', async () => {
    const other = await on.service.organization(`other-policies-${family}`);
    await other.directory('permission:docs:read');
    const { id } = await new InFamily(other, family).make('POST', '/policies', sales);
    const admin = here();
    for (const [method, body] of [['GET'], ['PUT', sales], ['DELETE']] as const) {
      expect((await admin.call(method, `/policies/${id}`, body)).status).toBe(404);
    }
  });
});

describe('decisions', () => {
  const admin = () => new InFamily(on.org, 'org');
  const check = async (body: object) => (await on.org.post('/authz/check', { permission: 'docs:read', ...body })).body;
  const abac = async (body: object) => (await on.org.post('/abac/check', { permission: 'docs:read', ...body })).body;

  test('rest on what is on record, and on what is supplied beside it', async () => {
    await docsRead();
    const made = await admin().make('POST', '/users', { email: 'anne@deciding.example', name: 'Anne' });
    await admin().make('PATCH', `/users/${made.id}`, { metadata: { team: 'sales' } });
    const { id } = await admin().make('POST', '/policies', { ...sales, condition: 'subject.team == "sales"' });
    const subject = `user:${made.id}`;
    expect(await check({ subject })).toMatchObject({ allowed: true });
    expect(await abac({ subject })).toMatchObject({ allowed: true, sources: [{ type: 'policy', id }] });
    // nobody works somewhere else by saying so
    expect(await abac({ subject, subjectAttributes: { team: 'hr' } })).toMatchObject({ allowed: true });
    expect(await check({ subject, context: { subject: { team: 'hr' } } })).toMatchObject({ allowed: true });
    const stranger = { subject: 'user:elsewhere' };
    expect(await check(stranger)).toMatchObject({ allowed: false, missing: ['subject.team'] });
    expect(await abac({ ...stranger, subjectAttributes: { team: 'sales' } })).toMatchObject({ allowed: true });
    expect(await check({ subject: 'agent:robot', context: { subject: { team: 'sales' } } })).toMatchObject({
      allowed: false,
    });
    const permissions = await on.org.call('GET', `/authz/permissions?subject=${subject}`);
    expect(permissions.body).toMatchObject({
      data: { data: [{ permission: 'docs:read', sources: [{ type: 'policy', id }] }] },
    });
    const bulk = await on.org.post('/authz/check-bulk', {
      checks: [
        { permission: 'docs:read', subject },
        { permission: 'docs:write', subject },
      ],
    });
    expect(bulk.list('results')).toMatchObject([{ allowed: true }, { allowed: false }]);
  });

  test('of a resource allow what its relation allows, also where a policy lacks something', async () => {
    await on.org.model('type docs', '  relations', '    define owner: [user]', '    define can_read: owner');
    await docsRead();
    await admin().make('POST', '/policies', { ...sales, condition: 'subject.team == "sales"' });
    await on.org.write('docs:a#owner@user:elsewhere');
    const asked = ['a', 'b'].map((id) => ({
      permission: 'docs:read',
      subject: 'user:elsewhere',
      resource: { type: 'docs', id },
    }));
    const answers = [{ allowed: true }, { allowed: false, missing: ['subject.team'] }];
    const bulk = await on.org.post('/authz/check-bulk', { checks: asked });
    expect(bulk.list('results')).toEqual(answers);
    for (const [place, question] of asked.entries()) expect(await check(question)).toMatchObject(answers[place] ?? {});
  });

  test('change with the policy, at once', async () => {
    await docsRead();
    const policy = { ...sales, condition: 'resource.owner == subject.id' };
    const { id } = await admin().make('POST', '/policies', policy);
    const ask = (owner: string) =>
      abac({ subject: 'user:anne', resource: { type: 'docs', id: 'a', attributes: { owner } } });
    expect(await ask('anne')).toMatchObject({ allowed: true });
    expect(await ask('bob')).toMatchObject({ allowed: false });
    await admin().make('PATCH', `/policies/${id}`, { enabled: false });
    expect(await ask('anne')).toMatchObject({ allowed: false, sources: [] });
    await admin().make('PATCH', `/policies/${id}`, { enabled: true, condition: 'true' });
    expect(await ask('bob')).toMatchObject({ allowed: true });
    await admin().make('PATCH', `/policies/${id}`, { permissions: ['docs:write'] });
    expect(await ask('bob')).toMatchObject({ allowed: false });
    await admin().make('PATCH', `/policies/${id}`, { permissions: ['docs:read'], appliesTo: ['agent'] });
    expect(await ask('bob')).toMatchObject({ allowed: false });
    expect(await abac({ subject: 'agent:a' })).toMatchObject({ allowed: true });
    await on.org.call('DELETE', `/admin/policies/${id}`);
    expect(await abac({ subject: 'agent:a' })).toMatchObject({ allowed: false });
  });

  test('go on where the organization has a model of its own', async () => {
    await docsRead();
    await admin().make('POST', '/policies', { ...sales, condition: 'now.getFullYear() > 2000' });
    await on.org.model('type docs', '  relations', '    define owner: [user]', '    define can_read: owner');
    expect(await check({ subject: 'user:anne' })).toMatchObject({ allowed: true });
    const models = (await on.org.call('GET', '/zanzibar/models')).list('data.data').length;
    await admin().make('POST', '/policies', { ...sales, name: 'Second' });
    expect((await on.org.call('GET', '/zanzibar/models')).list('data.data')).toHaveLength(models);
  });
});
