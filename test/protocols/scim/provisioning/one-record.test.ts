import { expect, test } from 'vitest';
import { group, provisioned, user } from './organization.ts';

const on = provisioned();
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

test('a user of SCIM is the user of the administration, with all that was sent', async () => {
  const org = on();
  const sent = user('ada', {
    externalId: 'hr-7',
    displayName: 'Ada L.',
    title: 'Countess',
    locale: 'en-GB',
    timezone: 'Europe/London',
    name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Lady Ada', honorificPrefix: 'Lady' },
    emails: [
      { value: 'ada@home.example', type: 'home' },
      { value: 'ada@work.example', type: 'work', primary: true },
    ],
    phoneNumbers: [{ value: 'tel:+44-20-7946-0000', type: 'work' }],
    addresses: [{ locality: 'London', country: 'GB', type: 'work' }],
    [enterprise]: { employeeNumber: '7', department: 'Engines' },
  });
  const made = await org.make('/Users', sent);
  const { schemas: _, ...attributes } = sent as Record<string, unknown>;
  expect(made).toMatchObject({ ...attributes, active: true });
  expect(made.schemas).toEqual([...(sent.schemas as string[]), enterprise]);
  const seen = org.admin.inside(await org.admin.call('GET', `/users/${made.id}`));
  expect(seen).toMatchObject({
    email: 'ada@work.example',
    emailVerified: true,
    username: 'ada',
    name: 'Ada L.',
    givenName: 'Ada',
    familyName: 'Lovelace',
    title: 'Countess',
    phoneNumber: '+44-20-7946-0000',
    locale: 'en-GB',
    zoneinfo: 'Europe/London',
    externalId: 'hr-7',
    scim: { addresses: [{ locality: 'London' }], [enterprise]: { department: 'Engines' } },
  });
});

test('what administrators change is what provisioning sees', async () => {
  const org = on();
  const emails = [
    { value: 'b@work.example', type: 'work', primary: true },
    { value: 'b@home.example', type: 'home' },
  ];
  const { id } = await org.make('/Users', user('bob', { emails, phoneNumbers: [{ value: '+44 20', type: 'work' }] }));
  await org.admin.make('PATCH', `/users/${id}`, { email: 'new@work.example', title: 'Boss', phoneNumber: null });
  const shown = (await org.send('GET', `/Users/${id}`)).body as Record<string, unknown>;
  expect(shown).toMatchObject({ title: 'Boss', emails: [{ ...emails[0], value: 'new@work.example' }, emails[1]] });
  expect(shown).not.toHaveProperty('phoneNumbers');
});

test('a user of the administration is provisioned like any other', async () => {
  const org = on();
  const { id } = await org.admin.make('POST', '/users', { email: 'carol@people.example', name: 'Carol' });
  const found = await org.send('GET', `/Users?filter=${encodeURIComponent('userName eq "CAROL@people.example"')}`);
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, userName: 'carol@people.example' }] });
  expect(await org.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'Dr' })).toMatchObject({ status: 200 });
  const seen = org.admin.inside(await org.admin.call('GET', `/users/${id}`));
  expect(seen).toMatchObject({ title: 'Dr', username: '' });
});

test('groups are the groups that there are, and their members have what those give', async () => {
  const org = on();
  const { id } = await org.make('/Users', user('ada'));
  const made = await org.make('/Groups', group('Sales & Support (EMEA)', id));
  const seen = org.admin.inside(await org.admin.call('GET', `/groups/${made.id}`));
  expect(seen).toMatchObject({ name: 'sales-support-emea', displayName: 'Sales & Support (EMEA)', memberCount: 1 });
  const again = await org.send('POST', '/Groups', group('SALES & SUPPORT (EMEA)'));
  expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  expect(await org.make('/Groups', group('Sales, Support EMEA'))).toHaveProperty('id');
  const names = (org.admin.inside(await org.admin.call('GET', '/groups')) as { name: string }[]).map(
    (each) => each.name,
  );
  expect(names.sort()).toEqual(['sales-support-emea', 'sales-support-emea-2']);
});

test('one name is given to one user, however many ask at once', async () => {
  const org = on();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      org.send('POST', '/Users', user('same', { emails: [{ value: `same${index}@people.example` }] })),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  for (const { body } of answers.filter(({ status }) => status === 409)) {
    expect(body).toMatchObject({ scimType: 'uniqueness' });
  }
});

test('a language or time zone that is none is kept for provisioning alone', async () => {
  const org = on();
  const { id } = await org.make('/Users', user('eve', { locale: 'RJWNTUNNOHNZ', timezone: 'nowhere' }));
  const shown = (await org.send('GET', `/Users/${id}`)).body;
  expect(shown).toMatchObject({ locale: 'RJWNTUNNOHNZ', timezone: 'nowhere' });
  const seen = () => org.admin.call('GET', `/users/${id}`).then((answer) => org.admin.inside(answer));
  expect(await seen()).toMatchObject({ locale: '', zoneinfo: '' });
  await org.patch(`/Users/${id}`, { op: 'replace', value: { locale: 'de-DE', timezone: 'Europe/Berlin' } });
  expect(await seen()).toMatchObject({ locale: 'de-DE', zoneinfo: 'Europe/Berlin', scim: {} });
});

test('nobody is called by the address of somebody else', async () => {
  const org = on();
  await org.make('/Users', user('ada', { emails: [{ value: 'countess@people.example' }] }));
  const taken = { status: 409, body: { scimType: 'uniqueness' } };
  expect(
    await org.send('POST', '/Users', user('Countess@people.example', { emails: [{ value: 'b@people.example' }] })),
  ).toMatchObject(taken);
  const { id } = await org.make('/Users', user('bob'));
  const renamed = await org.patch(`/Users/${id}`, {
    op: 'replace',
    path: 'userName',
    value: 'countess@people.example',
  });
  expect(renamed).toMatchObject(taken);
});

test('one display name is given to one group, however many are renamed at once', async () => {
  const org = on();
  const groups = await Promise.all(
    Array.from({ length: 12 }, (_, index) => org.make('/Groups', group(`Team ${index}`))),
  );
  const rename = { op: 'replace', path: 'displayName', value: 'All' };
  const answers = await Promise.all(groups.map(({ id }) => org.patch(`/Groups/${id}`, rename)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 11 }, () => 409)]);
  expect((await org.send('GET', '/Groups?filter=displayName%20eq%20%22all%22')).at('totalResults')).toBe(1);
});
