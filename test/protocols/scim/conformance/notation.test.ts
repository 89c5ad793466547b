import { expect, test } from 'vitest';
import { employee, expectError, expectStatus, person, schemaOf, word } from './messages.ts';
import { atBothBases } from './provider.ts';

interface Reference {
  readonly value: string;
  readonly $ref: string;
}

atBothBases('how attributes and resources are referred to', 'scim-notation', (scim) => {
  const shouted = schemaOf.enterprise.toUpperCase();

  test('RFC 7644, 3.10: URN, attribute and sub-attribute are taken in any case', async () => {
    const costCenter = word();
    const sent = person();
    const made = await scim().make('/Users', {
      ...sent,
      schemas: [schemaOf.user.toUpperCase(), shouted],
      [shouted]: { COSTCENTER: costCenter },
    });
    expect(made).toMatchObject({
      schemas: [schemaOf.user, schemaOf.enterprise],
      [schemaOf.enterprise]: { costCenter },
    });
    const found = await scim().query('/Users', `${shouted}:COSTCENTER eq "${costCenter}"`);
    expect(found.at('Resources.0.id')).toBe(made.id);
    const name = `${schemaOf.user.toUpperCase()}:NAME.FAMILYNAME`;
    const shown = await scim().get(`/Users/${made.id}?attributes=${encodeURIComponent(name)}`);
    expect(shown.body).toEqual({
      schemas: [schemaOf.user, schemaOf.enterprise],
      id: made.id,
      name: { familyName: (sent.name as { familyName: string }).familyName },
    });
    const changed = await scim().patched(
      `/Users/${made.id}`,
      { op: 'replace', path: name, value: 'Lovelace' },
      { op: 'replace', path: `${shouted}:costcenter`, value: 'elsewhere' },
    );
    expect(changed).toMatchObject({
      name: { familyName: 'Lovelace' },
      [schemaOf.enterprise]: { costCenter: 'elsewhere' },
    });
  });

  test('RFC 7644, 3.5.2: an attribute of an extension adds its URN to schemas, and the last one removes it', async () => {
    const { id } = await scim().newUser();
    const path = `${schemaOf.enterprise}:division`;
    const added = await scim().patched(`/Users/${id}`, { op: 'add', path, value: 'Engines' });
    expect(added.schemas).toEqual([schemaOf.user, schemaOf.enterprise]);
    expect((await scim().patched(`/Users/${id}`, { op: 'remove', path })).schemas).toEqual([schemaOf.user]);
  });

  test('RFC 7644, 3.5.2: schemas that name an extension may be set before its attributes', async () => {
    const { id } = await scim().newUser();
    const both = await scim().patched(
      `/Users/${id}`,
      { op: 'replace', path: 'schemas', value: [schemaOf.user, schemaOf.enterprise] },
      { op: 'add', path: `${schemaOf.enterprise}:division`, value: 'Engines' },
    );
    expect(both).toMatchObject({
      schemas: [schemaOf.user, schemaOf.enterprise],
      [schemaOf.enterprise]: { division: 'Engines' },
    });
  });

  test('RFC 7643, 2.3.7: a GET of a reference answers the resource that it refers to', async () => {
    const user = await scim().newUser();
    const group = await scim().newGroup({ members: [{ value: user.id }] });
    const [member] = group.members as Reference[];
    const [own] = (await scim().shown(`/Users/${user.id}`)).groups as Reference[];
    const references: (readonly [Reference | undefined, string])[] = [
      [member, user.id],
      [own, group.id],
    ];
    for (const [reference, id] of references) {
      expect(reference).toMatchObject({ value: id, $ref: expect.stringMatching(/^http/) });
      const headers = { authorization: `Bearer ${scim().token}` };
      // the service's own address is another one than that of its test
      const { pathname } = new URL(reference?.$ref ?? '');
      const response = await fetch(new URL(pathname, scim().baseUrl), { headers });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ id, meta: { location: reference?.$ref } });
    }
  });

  test('RFC 7643, 2.3.8 and 3: neither the order of attributes nor that of schemas means anything', async () => {
    const { schemas, ...rest } = employee({ department: 'D' }) as Record<string, unknown>;
    const reversed = Object.fromEntries(Object.entries(rest).reverse());
    const made = await scim().make('/Users', { ...reversed, schemas: (schemas as string[]).toReversed() });
    expect(made).toMatchObject({
      schemas: [schemaOf.user, schemaOf.enterprise],
      [schemaOf.enterprise]: { department: 'D' },
      userName: rest.userName,
    });
    const patch = { Operations: [{ value: 'Dr', path: 'title', op: 'add' }], schemas: [schemaOf.patch] };
    expectStatus(await scim().send('PATCH', `/Users/${made.id}`, patch), 200);
    expect((await scim().shown(`/Users/${made.id}`)).title).toBe('Dr');
  });

  test('RFC 7643, 3: a resource names its schemas, and none that it is not of', async () => {
    const wrong = person({ schemas: [schemaOf.group] });
    expectError(await scim().post('/Users', wrong), 400, 'invalidSyntax', 'invalidValue');
    const { schemas: _, ...without } = person();
    expectError(await scim().post('/Users', without), 400, 'invalidSyntax', 'invalidValue');
  });

  test('RFC 7644, 3.4.2.2: a defaulted attribute is filtered by the value that was answered', async () => {
    const sent = person();
    expect(sent).not.toHaveProperty('active');
    const { id, active } = await scim().make('/Users', sent);
    expect(active).toBe(true);
    const only = `userName eq "${sent.userName}"`;
    expect((await scim().query('/Users', `${only} and active eq true`)).at('Resources.0.id')).toBe(id);
    expect((await scim().query('/Users', `${only} and active pr`)).at('totalResults')).toBe(1);
    expect((await scim().query('/Users', `${only} and active eq false`)).at('totalResults')).toBe(0);
  });

  test('RFC 7643, 4.1.2, a deviation: a country, a certificate and a picture are kept as they are sent', async () => {
    const sent = {
      addresses: [{ type: 'work', country: 'Switzerland' }],
      x509Certificates: [{ value: Buffer.from('no certificate').toString('base64') }],
      photos: [{ value: 'https://pictures.example/page.html', type: 'photo' }],
    };
    const { id } = await scim().newUser(sent);
    expect(await scim().shown(`/Users/${id}`)).toMatchObject(sent);
  });

  test('RFC 7644, 3.13: another version of the protocol is refused', async () => {
    const { basePath, token } = scim();
    for (const path of [`${basePath}/v1/Users`, `${basePath}/v3/Users`, basePath.replace(/2(?:\.0)?$/, '3/Users')]) {
      const response = await fetch(new URL(path, scim().baseUrl), { headers: { authorization: `Bearer ${token}` } });
      expect(response.status).toBe(404);
    }
  });
});
