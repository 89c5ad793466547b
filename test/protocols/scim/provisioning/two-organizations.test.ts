import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { InFamily } from '../../../server/in-family.ts';
import { sharedService } from '../../../server/shared-service.ts';
import { group, type Provisioned, provision, user } from './organization.ts';

let one: Provisioned;
let two: Provisioned;
let userOfTwo: string;
let groupOfTwo: string;

beforeAll(async () => {
  const service = await sharedService();
  const name = `pair${randomUUID().slice(0, 8)}`;
  one = await provision(new InFamily(await service.organization(`${name}a`), 'org'));
  two = await provision(new InFamily(await service.organization(`${name}b`), 'org'));
  ({ id: userOfTwo } = await two.make('/Users', user('only-of-two')));
  ({ id: groupOfTwo } = await two.make('/Groups', group('Of two', userOfTwo)));
});

test('a token of one opens nothing of the other', async () => {
  for (const path of ['/Users', '/Groups', '/Me', `/Users/${userOfTwo}`, `/Groups/${groupOfTwo}`, '']) {
    expect({ path, ...(await two.send('GET', path, undefined, one.token)) }).toMatchObject({ path, status: 401 });
  }
  expect(await two.send('POST', '/Users', user('intruder'), one.token)).toMatchObject({ status: 401 });
});

test('ids of the other are those of nobody', async () => {
  const patch = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'displayName', value: 'Mine' }],
  };
  for (const path of [`/Users/${userOfTwo}`, `/Groups/${groupOfTwo}`]) {
    expect(await one.send('GET', path)).toMatchObject({ status: 404 });
    expect(await one.send('PATCH', path, patch)).toMatchObject({ status: 404 });
    expect(await one.send('DELETE', path)).toMatchObject({ status: 404 });
  }
  const made = await one.make('/Groups', group('Strangers', userOfTwo));
  expect((await one.send('GET', `/Groups/${made.id}`)).body).not.toHaveProperty('members');
});

test('lists, filters, searches and bulk requests see one organization', async () => {
  const found = async (filter: string) =>
    (await one.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).at('totalResults');
  expect(await found('userName eq "only-of-two"')).toBe(0);
  expect(await found('userName pr')).toBe(0);
  expect(await found(`id eq "${userOfTwo}"`)).toBe(0);
  expect(await found(`groups.value eq "${groupOfTwo}"`)).toBe(0);
  const answer = await one.send('POST', '/Bulk', {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [
      { method: 'DELETE', path: `/Users/${userOfTwo}` },
      { method: 'POST', path: '/Users', bulkId: 'a', data: user('only-of-two') },
    ],
  });
  expect(answer.body).toMatchObject({ Operations: [{ status: '404' }, { status: '201' }] });
  expect((await two.send('GET', `/Users/${userOfTwo}`)).status).toBe(200);
});
