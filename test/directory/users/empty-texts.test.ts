import { beforeEach, expect, test } from 'vitest';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';
import { type FamilyName, People, shownUser } from './people.ts';

let service: Service;
let org: Organization;

beforeEach(async () => {
  service = await sharedService();
  org = await service.organization(`empty-texts-${++made}`);
});
let made = 0;

const people = (family: FamilyName) => new People(service, org, family);

const fields = ['username', 'name', 'givenName', 'familyName', 'picture', 'phoneNumber', 'title', 'locale', 'zoneinfo'];
const texts = {
  org: [...fields, 'lastLoginAt'],
  tenant: ['picture', 'phoneNumber'],
};

test.each(['org', 'tenant'] as const)(
  'what a user lacks is an empty text where the %s family has texts',
  async (family) => {
    const admin = people(family);
    const id = await admin.user('bare@example.com');
    const shown = admin.item(await admin.call('GET', `/users/${id}`));
    for (const name of [...fields, 'lastLoginAt']) {
      expect([name, shown[name]]).toEqual([name, texts[family].includes(name) ? '' : null]);
    }
    const listed = await admin.call('GET', '/users?search=bare');
    expect(JSON.stringify(listed.body)).toContain(JSON.stringify(shown));
  },
);

test.each(['org', 'tenant'] as const)(
  'an empty text clears a field, and what was read is sent back (%s)',
  async (family) => {
    const admin = people(family);
    const said = { username: 'dora', name: 'Dora', locale: 'de', phoneNumber: '+41 44 000 00 00' };
    const id = await admin.user('dora@example.com', said);
    const emptied = { username: '', name: '', locale: '', phoneNumber: '' };
    for (const method of ['PUT', 'PATCH']) {
      const changed = await admin.call(method, `/users/${id}`, emptied);
      expect(changed.status).toBe(200);
      expect(admin.item(changed)).toEqual(shownUser(family, { email: 'dora@example.com' }));
      const again = await admin.call(method, `/users/${id}`, admin.item(changed));
      expect([again.status, admin.item(again)]).toEqual([200, admin.item(changed)]);
      await admin.call(method, `/users/${id}`, said);
    }
    const refused = await admin.call('PATCH', `/users/${id}`, { locale: '!' });
    expect([refused.status, refused.text('detail')]).toEqual([400, 'locale: must be a language tag.']);
  },
);

test('a permission of the org family has texts, of which the empty ones clear', async () => {
  const admin = people('org');
  const made = admin.item(await admin.call('POST', '/permissions', { slug: 'bare' }));
  expect(made).toMatchObject({ description: '', resource: '', action: '' });
  const full = { description: 'D', resource: 'r', action: 'a' };
  expect(admin.item(await admin.call('PATCH', `/permissions/${made.id}`, full))).toMatchObject(full);
  expect(admin.item(await admin.call('PATCH', `/permissions/${made.id}`, made))).toEqual(made);
  const seen = await people('tenant').call('GET', `/permissions/${made.id}`);
  expect(people('tenant').item(seen)).toMatchObject({ description: null, category: null });
});
