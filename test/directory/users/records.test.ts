import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { type FamilyName, families, People, shownUser, uuid } from './people.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`records${++count}`);
});

const people = (family: FamilyName) => new People(service, org, family);

const profile = {
  username: 'anne',
  name: 'Anne Elk',
  givenName: 'Anne',
  familyName: 'Elk',
  picture: 'https://example.com/anne.png',
  phoneNumber: '+49 30 123456',
  title: 'Palaeontologist',
  locale: 'en-GB',
  zoneinfo: 'Europe/London',
};

describe.each(families)('a user in the %s family', (family) => {
  test('is created with an email alone', async () => {
    const created = await people(family).call('POST', '/users', { email: 'Anne@Example.com' });
    const shown = shownUser(family, { email: 'Anne@Example.com' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual(
      family === 'org' ? { data: { data: shown } } : { data: shown, message: expect.any(String) },
    );
  });

  test('is created with everything, and read by id', async () => {
    const metadata = { department: 'bones', level: 3, nested: { yes: [true] } };
    const said = { email: 'anne@example.com', ...profile, emailVerified: true, isActive: false, metadata };
    const created = await people(family).call('POST', '/users', { ...said, password: 'correct horse' });
    const shown = shownUser(family, said);
    expect(people(family).item(created)).toEqual(shown);
    const read = await people(family).call('GET', `/users/${people(family).item(created).id}`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(people(family).wrapped(shown));
    expect(JSON.stringify(read.body)).not.toContain('argon2');
  });

  test.each([
    ['no email', {}, 'email'],
    ['an email of the wrong type', { email: 7 }, 'email'],
    ['no email address', { email: 'anne' }, 'email'],
    ['two addresses', { email: 'a@example.com,b@example.com' }, 'email'],
    ['a line break in the address', { email: 'a@example.com\nBcc: b@example.com' }, 'email'],
    ['a long address', { email: `a@${'b'.repeat(60)}.${'c'.repeat(200)}.com` }, 'email'],
    ['a name of the wrong type', { email: 'a@example.com', name: ['a'] }, 'name'],
    ['a long name', { email: 'a@example.com', name: 'a'.repeat(201) }, 'name'],
    ['a control character', { email: 'a@example.com', givenName: 'a\u0000' }, 'givenName'],
    ['a picture that is no URL', { email: 'a@example.com', picture: 'javascript:alert(1)' }, 'picture'],
    ['no time zone', { email: 'a@example.com', zoneinfo: 'Mars/Olympus' }, 'zoneinfo'],
    ['no locale', { email: 'a@example.com', locale: 'x' }, 'locale'],
    ['a text as a flag', { email: 'a@example.com', emailVerified: 'true' }, 'emailVerified'],
    ['roles that are no list', { email: 'a@example.com', roles: 'editor' }, 'roles'],
    ['too many roles', { email: 'a@example.com', roles: Array(101).fill('a') }, 'roles'],
    ['an unknown role', { email: 'a@example.com', roles: ['ROLE_TENANT_ADMIN', 'nobody'] }, 'roles[1]'],
    ['an unknown group', { email: 'a@example.com', groups: ['nobody'] }, 'groups[0]'],
    ['an empty password', { email: 'a@example.com', password: '' }, 'password'],
    ['a long password', { email: 'a@example.com', password: 'a'.repeat(257) }, 'password'],
    ['metadata that is no object', { email: 'a@example.com', metadata: [] }, 'metadata'],
    ['large metadata', { email: 'a@example.com', metadata: { a: 'a'.repeat(17_000) } }, 'metadata'],
    ['deep metadata', { email: 'a@example.com', metadata: deep(9) }, 'metadata'],
  ])('is not created with %s', async (_, body, path) => {
    const refused = await people(family).call('POST', '/users', body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(refused.list('errors')).toContainEqual({ path, message: expect.any(String) });
    expect((await people('org').call('GET', '/users')).at('data.meta.total')).toBe(0);
  });

  test('an unknown field is refused', async () => {
    const refused = await people(family).call('POST', '/users', { email: 'a@example.com', isBlocked: true });
    expect(refused.status).toBe(400);
  });

  test.each(['Anne@Example.com', 'anne@example.com', 'ANNE@EXAMPLE.COM'])(
    'a second one with the address %s is a conflict',
    async (email) => {
      await people(family).user('Anne@Example.com');
      const second = await people(family).call('POST', '/users', { email });
      expect(second).toMatchObject({ status: 409, body: { code: 'conflict', errors: [{ path: 'email' }] } });
    },
  );

  test('one address in two spellings of Unicode is one', async () => {
    await people(family).user('zoe\u0308@example.com');
    expect((await people(family).call('POST', '/users', { email: 'zo\u00eb@example.com' })).status).toBe(409);
  });

  test('of many who ask for one address at once, one gets it', async () => {
    const asked = await Promise.all(
      Array.from({ length: 16 }, () => people(family).call('POST', '/users', { email: 'same@example.com' })),
    );
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, ...Array(15).fill(409)]);
  });

  test.each(['PUT', 'PATCH'])('%s changes what is given and nothing else', async (method) => {
    const id = await people(family).user('anne@example.com', { ...profile, metadata: { a: 1 } });
    const changed = await people(family).call(method, `/users/${id}`, { name: 'Anne', title: null });
    const shown = shownUser(family, {
      email: 'anne@example.com',
      ...profile,
      name: 'Anne',
      title: family === 'org' ? '' : null,
      metadata: { a: 1 },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual(people(family).wrapped(shown));
    expect((await people(family).call('GET', `/users/${id}`)).body).toEqual(people(family).wrapped(shown));
  });

  test('what was read can be sent back', async () => {
    const id = await people(family).user('anne@example.com', profile);
    const read = people(family).item(await people(family).call('GET', `/users/${id}`));
    const put = await people(family).call('PUT', `/users/${id}`, read);
    expect(put.status).toBe(200);
    expect(people(family).item(put)).toEqual(read);
  });

  test.each([
    ['an unknown field', { password: 'other horse' }],
    ['a wrong type', { name: 5 }],
    ['a long text', { familyName: 'a'.repeat(201) }],
    ['an address that is none', { email: 'x' }],
    ['a list', []],
  ])('a change with %s is refused', async (_, body) => {
    const id = await people(family).user('anne@example.com');
    expect((await people(family).call('PATCH', `/users/${id}`, body)).status).toBe(400);
  });

  test('a new address is not verified, and cannot be another one’s', async () => {
    const id = await people(family).user('anne@example.com', { emailVerified: true });
    await people(family).user('ben@example.com');
    const taken = await people(family).call('PATCH', `/users/${id}`, { email: 'BEN@example.com' });
    expect(taken).toMatchObject({ status: 409, body: { errors: [{ path: 'email' }] } });
    const changed = await people(family).call('PATCH', `/users/${id}`, { email: 'elk@example.com' });
    expect(people(family).item(changed)).toMatchObject({ email: 'elk@example.com', emailVerified: false });
    const freed = await people(family).call('POST', '/users', { email: 'anne@example.com' });
    expect(freed.status).toBe(201);
  });

  test('a deleted one is gone, and its address is free', async () => {
    const id = await people(family).user('anne@example.com');
    await org.write(`doc:1#viewer@user:${id}`).catch(() => undefined);
    const deleted = await people(family).call('DELETE', `/users/${id}`);
    expect(deleted).toMatchObject({ status: 204, body: '' });
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/block', undefined],
      ['PUT', '/password', { password: 'correct horse' }],
      ['GET', '/roles', undefined],
    ] as const) {
      const gone = await people(family).call(method, `/users/${id}${path}`, body);
      expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    const next = await people(family).user('anne@example.com');
    expect(next).not.toBe(id);
  });

  test('an id of another organization, and one that is none, is not found', async () => {
    const other = await service.organization(`other${count}`);
    const stranger = await new People(service, other, family).user('stranger@example.com');
    for (const id of [stranger, 'x', '%00', 'a'.repeat(400), '00000000-0000-7000-8000-000000000000']) {
      for (const method of ['GET', 'DELETE']) {
        expect((await people(family).call(method, `/users/${id}`)).status).toBe(id === '%00' ? 400 : 404);
      }
      expect((await people(family).call('PATCH', `/users/${id}`, { name: 'a' })).status).toBe(id === '%00' ? 400 : 404);
    }
    expect((await new People(service, other, family).call('GET', `/users/${stranger}`)).status).toBe(200);
  });
});

test('a user is also found by email, whatever its case', async () => {
  const id = await people('tenant').user('Anne+elk@Example.com');
  const found = await people('tenant').call('GET', '/users/anne%2Belk@example.COM');
  expect(found).toMatchObject({ status: 200, body: { data: { id } } });
  const changed = await people('tenant').call('PUT', '/users/anne%2Belk@example.com', { name: 'Anne' });
  expect(changed).toMatchObject({ status: 200, body: { data: { id, name: 'Anne' } } });
  expect((await people('org').call('GET', '/users/anne%2Belk@example.com')).status).toBe(200);
  expect((await people('tenant').call('DELETE', '/users/anne%2Belk@example.com')).status).toBe(204);
});

test('numbers are given once, and never again', async () => {
  const numbers: unknown[] = [];
  for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
    const created = await people('org').call('POST', '/users', { email });
    numbers.push(people('org').item(created).number);
    await people('org').call('DELETE', `/users/${people('org').item(created).id}`);
  }
  expect(new Set(numbers).size).toBe(3);
  expect(numbers).toEqual(numbers.toSorted((a, b) => Number(a) - Number(b)));
});

test('deleting a user removes every tuple that names it, on either side', async () => {
  await org.model(
    'type doc',
    '  relations',
    '    define viewer: [user]',
    'type user',
    '  relations',
    '    define boss: [user]',
  );
  const id = await people('org').user('anne@example.com', { roles: ['ROLE_TENANT_ADMIN'] });
  const other = await people('org').user('ben@example.com');
  await org.write(`doc:1#viewer@user:${id}`, `user:${other}#boss@user:${id}`, `user:${id}#boss@user:${other}`);
  expect((await people('org').call('DELETE', `/users/${id}`)).status).toBe(204);
  for (const filter of [`subject=user:${id}`, `object=user:${id}`]) {
    expect((await org.call('GET', `/zanzibar/tuples?${filter}`)).list('tuples')).toEqual([]);
  }
});

test('each change is on record, without secrets, and personal fields apart', async () => {
  const id = await people('org').user('anne@example.com', { password: 'correct horse battery' });
  await people('org').call('PATCH', `/users/${id}`, { name: 'Anne', metadata: { apiToken: 'hidden-token' } });
  await people('org').call('DELETE', `/users/${id}`);
  const log = await people('org').call('GET', `/audit-logs?targetId=${id}`);
  const entries = people('org').items(log);
  expect(entries.map(({ eventType, action }) => [eventType, action]).toSorted()).toEqual([
    ['user.created', 'user.create'],
    ['user.deleted', 'user.delete'],
    ['user.updated', 'user.update'],
  ]);
  const updated = entries.find(({ eventType }) => eventType === 'user.updated');
  expect(updated).toMatchObject({
    targetType: 'user',
    result: 'success',
    metadata: { changes: { name: { after: 'Anne' } } },
  });
  expect(JSON.stringify(entries)).not.toMatch(/correct horse|hidden-token|argon2/);
  expect(entries.every(({ id: entryId }) => uuid.asymmetricMatch(entryId))).toBe(true);
});

function deep(levels: number): Record<string, unknown> {
  return levels === 0 ? {} : { a: deep(levels - 1) };
}
