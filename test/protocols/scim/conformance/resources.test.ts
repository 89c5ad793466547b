import { describe, expect, test } from 'vitest';
import { time } from '../../../server/in-family.ts';
import { employee, emptyParts, expectError, expectStatus, patchOf, person, schemaOf, word } from './messages.ts';
import { atBothBases } from './provider.ts';

const weakTag = expect.stringMatching(/^W\/"[^"]+"$/);

atBothBases('RFC 7643, 2 to 4: resources', 'scim-resources', (scim) => {
  describe('attributes', () => {
    test('2.1: names of attributes are taken in any case, and answered as the schema spells them', async () => {
      const { userName, name, emails } = person();
      const shouted = { SCHEMAS: [schemaOf.user], USERNAME: userName, Name: { GIVENNAME: 'Ada' }, EMails: emails };
      const created = expectStatus(await scim().post('/Users', shouted), 201);
      expect(created.body).toMatchObject({ userName, name: { givenName: 'Ada' }, emails });
      expect(name).toBeDefined();
    });

    test('2.3.1: texts keep every character', async () => {
      const displayName = 'Ṡ\u0301 😀 "quoted" \\ <b> \u00a0 日本';
      expect(await scim().newUser({ displayName })).toHaveProperty('displayName', displayName);
    });

    test('2.3.2: truth values are answered as JSON writes them', async () => {
      const created = await scim().newUser({ active: false });
      expect(created.active).toBe(false);
      expect(created).toHaveProperty('emails.0.primary', true);
    });

    test('2.3.5: times are dates with a time of day and a zone', async () => {
      const { meta } = await scim().newUser();
      expect(meta).toMatchObject({ created: time, lastModified: time });
    });

    test('2.3.6: what is no base64 is refused as a certificate, and base64 is kept', async () => {
      const value = Buffer.from('a certificate').toString('base64');
      expect(await scim().newUser({ x509Certificates: [{ value }] })).toHaveProperty('x509Certificates.0.value', value);
      expectError(await scim().post('/Users', person({ x509Certificates: [{ value: '§§' }] })), 400, 'invalidValue');
    });

    test('2.4: the values of a multi-valued attribute keep their types', async () => {
      const phoneNumbers = [
        { value: '+49 30 1', type: 'work' },
        { value: '+49 30 2', type: 'home', primary: true },
        { value: '+49 30 3', type: 'pager' },
      ];
      expect((await scim().newUser({ phoneNumbers })).phoneNumbers).toMatchObject(phoneNumbers);
    });

    test('2.4: two primary values of one attribute are refused', async () => {
      const emails = [1, 2].map((number) => ({ value: `${word()}@mail.example`, type: `t${number}`, primary: true }));
      expectError(await scim().post('/Users', person({ emails })), 400, 'invalidValue');
    });

    test('2.4: of the values that are shown, one is primary at most, also after a change', async () => {
      const { id } = await scim().newUser();
      const second = { value: `${word()}@mail.example`, type: 'home', primary: true };
      const { emails } = await scim().patched(`/Users/${id}`, { op: 'add', path: 'emails', value: [second] });
      const primary = (emails as { primary?: boolean; type: string }[]).filter((email) => email.primary === true);
      expect(primary).toMatchObject([{ type: 'home' }]);
    });

    test('2.5: null, an empty list and nothing at all are the same, also where a resource is replaced', async () => {
      const sent = person({ title: 'Dr', nickName: 'Ad', phoneNumbers: [{ value: '1', type: 'work' }] });
      const { id } = await scim().make('/Users', sent);
      const emptied = { ...sent, title: null, phoneNumbers: [], nickName: undefined };
      const after = expectStatus(await scim().put(`/Users/${id}`, emptied), 200).body;
      for (const name of ['title', 'nickName', 'phoneNumbers']) expect(after).not.toHaveProperty(name);
    });

    test('2.5: nothing is answered as null', async () => {
      const created = await scim().newUser({
        title: null,
        name: { givenName: 'Ada', familyName: 'L', middleName: null },
      });
      expect(emptyParts(await scim().shown(`/Users/${created.id}`))).toEqual([]);
    });
  });

  describe('schemas of a resource', () => {
    test('3: schemas is a list with the type of the resource, each once', async () => {
      expect((await scim().newUser()).schemas).toEqual([schemaOf.user]);
      expect((await scim().newGroup()).schemas).toEqual([schemaOf.group]);
      const twice = await scim().newUser({ schemas: [schemaOf.user, schemaOf.user] });
      expect(twice.schemas).toEqual([schemaOf.user]);
    });

    test('3.3: an extension has its own member, under its URI, and its URI is in schemas', async () => {
      const enterprise = { employeeNumber: '701984', department: 'Tours' };
      const created = await scim().make('/Users', employee(enterprise));
      expect(created[schemaOf.enterprise]).toEqual(enterprise);
      expect(created.schemas).toEqual(expect.arrayContaining([schemaOf.user, schemaOf.enterprise]));
      expect(created).not.toHaveProperty('employeeNumber');
    });

    test('3: schemas names an extension as soon as the resource has attributes of it, and no longer', async () => {
      const { id } = await scim().newUser();
      const path = `${schemaOf.enterprise}:department`;
      const added = await scim().patched(`/Users/${id}`, { op: 'add', path, value: 'Tours' });
      expect(added.schemas).toContain(schemaOf.enterprise);
      const removed = await scim().patched(`/Users/${id}`, { op: 'remove', path });
      expect(removed).not.toHaveProperty([schemaOf.enterprise]);
      expect(removed.schemas).toEqual([schemaOf.user]);
    });
  });

  describe('what every resource has', () => {
    test('3.1: an id is unique in the whole provider, and stays', async () => {
      const ids = [await scim().newUser(), await scim().newUser(), await scim().newGroup()].map(({ id }) => id);
      expect(new Set(ids).size).toBe(3);
      const [id = ''] = ids;
      const renamed = await scim().patched(`/Users/${id}`, {
        op: 'replace',
        path: 'userName',
        value: `${word()}@b.example`,
      });
      expect(renamed.id).toBe(id);
    });

    test('3.1: an id is not used again', async () => {
      const sent = person();
      const first = await scim().make('/Users', sent);
      expectStatus(await scim().delete(`/Users/${first.id}`), 204);
      expect((await scim().make('/Users', sent)).id).not.toBe(first.id);
    });

    test('3.1: no id is the text bulkId', async () => {
      const { id } = await scim().newUser({ id: 'bulkId' });
      expect(id).not.toBe('bulkId');
    });

    test('3.1: an external id is the client’s: kept as it was sent, changed and removed by it, never made', async () => {
      expect(await scim().newUser()).not.toHaveProperty('externalId');
      const { id, externalId } = await scim().newUser({ externalId: 'AbC-1' });
      expect(externalId).toBe('AbC-1');
      const path = `/Users/${id}`;
      expect(await scim().patched(path, { op: 'replace', path: 'externalId', value: 'x' })).toHaveProperty(
        'externalId',
        'x',
      );
      expect(await scim().patched(path, { op: 'remove', path: 'externalId' })).not.toHaveProperty('externalId');
    });

    test('3.1: meta has the type, both times, the location and the version', async () => {
      for (const [path, resourceType, { id }] of [
        ['/Users', 'User', await scim().newUser()],
        ['/Groups', 'Group', await scim().newGroup()],
      ] as const) {
        const answer = expectStatus(await scim().get(`${path}/${id}`), 200);
        const location = `${scim().basePath}${path}/${id}`;
        expect(answer.at('meta')).toEqual({
          resourceType,
          created: time,
          lastModified: time,
          location: expect.stringMatching(new RegExp(`^https?://[^/]+${location.replaceAll('.', '\\.')}$`)),
          version: weakTag,
        });
      }
    });

    test('3.1: what was never changed was last modified when it was created', async () => {
      const { meta } = await scim().newUser();
      expect(meta).toHaveProperty('lastModified', (meta as { created: string }).created);
    });

    test('3.1: a change moves lastModified, and leaves created', async () => {
      const { id, meta } = await scim().newUser();
      const was = meta as { created: string; lastModified: string };
      const after = (await scim().patched(`/Users/${id}`, { op: 'add', path: 'title', value: 'Dr' }))
        .meta as typeof was;
      expect(after.created).toBe(was.created);
      expect(Date.parse(after.lastModified)).toBeGreaterThanOrEqual(Date.parse(was.lastModified));
      expect(after).not.toHaveProperty('version', (meta as { version: string }).version);
    });

    test('3.1: meta.location is the header Content-Location, or Location, of the answer', async () => {
      const { id } = await scim().newUser();
      const path = `/Users/${id}`;
      const answers = [
        await scim().get(path),
        await scim().put(path, person()),
        await scim().send('PATCH', path, patchOf({ op: 'add', path: 'title', value: 'Dr' })),
      ];
      for (const { headers, at } of answers.map((answer) => ({
        headers: answer.headers,
        at: answer.text('meta.location'),
      }))) {
        expect(headers.get('content-location') ?? headers.get('location')).toBe(at);
      }
    });
  });

  describe('users and groups', () => {
    test('4.1.1: a user name is unique in any case', async () => {
      const { userName } = await scim().newUser();
      expectError(await scim().post('/Users', person({ userName: String(userName).toUpperCase() })), 409, 'uniqueness');
    });

    test('4.1.1: a password is never answered', async () => {
      const password = 'correct-Horse-9-battery';
      const created = await scim().newUser({ password });
      for (const path of [`/Users/${created.id}`, `/Users/${created.id}?attributes=password`]) {
        expect(JSON.stringify([created, await scim().shown(path)])).not.toMatch(/password|correct-Horse/);
      }
      const found = await scim().query('/Users', `id eq "${created.id}"`, '&attributes=password,userName');
      expect(JSON.stringify(found.body)).not.toMatch(/password|correct-Horse/);
    });

    test('4.1.1: a user is active where nothing else is said', async () => {
      expect((await scim().newUser()).active).toBe(true);
    });

    test('4.1: every attribute of the core schema is kept as it was sent', async () => {
      const known = {
        name: {
          formatted: 'Ms A L',
          familyName: 'L',
          givenName: 'A',
          middleName: 'M',
          honorificPrefix: 'Ms',
          honorificSuffix: 'III',
        },
        displayName: 'A L',
        nickName: 'Al',
        profileUrl: 'https://a.example/al',
        title: 'Dr',
        userType: 'Employee',
        preferredLanguage: 'de-DE',
        locale: 'de-DE',
        timezone: 'Europe/Berlin',
        phoneNumbers: [{ value: '+49 30 1', type: 'mobile' }],
        ims: [{ value: 'al', type: 'xmpp' }],
        photos: [{ value: 'https://a.example/al.png', type: 'photo' }],
        addresses: [
          {
            type: 'work',
            streetAddress: 'A 1',
            locality: 'B',
            region: 'C',
            postalCode: '1',
            country: 'DE',
            formatted: 'A 1, B',
          },
        ],
        entitlements: [{ value: 'read' }],
        roles: [{ value: 'painter', display: 'Painter', type: 'craft', primary: true }],
      };
      const { id } = await scim().newUser(known);
      expect(await scim().shown(`/Users/${id}`)).toMatchObject(known);
    });

    test('4.1.2: the groups of a user are shown with it, and cannot be changed there', async () => {
      const user = await scim().newUser();
      const group = await scim().newGroup({ members: [{ value: user.id }] });
      const shown = await scim().shown(`/Users/${user.id}`);
      expect(shown.groups).toMatchObject([{ value: group.id, display: group.displayName, type: 'direct' }]);
      expectError(await scim().patch(`/Users/${user.id}`, { op: 'remove', path: 'groups' }), 400, 'mutability');
      expect((await scim().shown(`/Users/${user.id}`)).groups).toHaveLength(1);
    });

    test('4.2: members of a group have the id of the user, its type and its location', async () => {
      const user = await scim().newUser({ displayName: 'Ada L' });
      const { id } = await scim().newGroup({ members: [{ value: user.id }] });
      expect((await scim().shown(`/Groups/${id}`)).members).toMatchObject([
        { value: user.id, type: 'User', $ref: (user.meta as { location: string }).location },
      ]);
    });

    test('4.3: the enterprise attributes are kept; the manager is a user, and its name is the provider’s', async () => {
      const manager = await scim().newUser({ displayName: 'The Manager' });
      const enterprise = {
        employeeNumber: '1',
        costCenter: '2',
        organization: 'O',
        division: 'V',
        department: 'D',
        manager: { value: manager.id, displayName: 'Somebody else' },
      };
      const { id } = await scim().make('/Users', employee(enterprise));
      const kept = (await scim().shown(`/Users/${id}`))[schemaOf.enterprise];
      expect(kept).toMatchObject({ ...enterprise, manager: { value: manager.id } });
      expect(kept).not.toHaveProperty('manager.displayName', 'Somebody else');
    });
  });
});
