import { expect, test } from 'vitest';
import { expectError, expectStatus, person, schemaOf } from './messages.ts';
import { atBothBases } from './provider.ts';

const typed = (contentType: string) => ({ headers: { 'content-type': contentType } });
const accepting = (accept: string) => ({ headers: { accept } });

atBothBases('RFC 7644, 3.8 and 8.1: media types', 'scim-media', (scim) => {
  test('every answer with a body is application/scim+json', async () => {
    const user = await scim().newUser();
    const paths = [
      '/Users',
      `/Users/${user.id}`,
      '/Groups',
      '/Schemas',
      '/ResourceTypes',
      '/ServiceProviderConfig',
      '/Users/none',
      '/Shoes',
    ];
    for (const path of paths) {
      const { headers } = await scim().get(path);
      expect({ path, type: headers.get('content-type') }).toEqual({
        path,
        type: expect.stringMatching(/^application\/scim\+json\b/),
      });
    }
    const search = await scim().post('/.search', { schemas: [schemaOf.search], count: 1 });
    expect(search.headers.get('content-type')).toMatch(/^application\/scim\+json\b/);
  });

  test.each([
    'application/scim+json',
    'application/scim+json; charset=utf-8',
    'application/scim+json;charset=UTF-8',
    'Application/SCIM+JSON',
    'application/json',
    'application/json; charset=utf-8',
  ])('takes bodies that are %s', async (contentType) => {
    expectStatus(await scim().post('/Users', person(), typed(contentType)), 201);
  });

  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded'])(
    'refuses bodies that are %s',
    async (contentType) => {
      const answer = await scim().post('/Users', JSON.stringify(person()), typed(contentType));
      expect([400, 415]).toContain(answer.status);
      expectError(answer, answer.status);
    },
  );

  test.each([
    'application/scim+json',
    'application/json',
    'application/scim+json, application/json;q=0.5',
    '*/*',
    'application/*',
    'application/scim+json; charset=utf-8',
  ])('answers who accepts %s', async (accept) => {
    const { id } = await scim().newUser();
    const answer = expectStatus(await scim().get(`/Users/${id}`, accepting(accept)), 200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/(?:scim\+)?json\b/);
  });

  test('a character set that only asks for UTF-8 changes nothing', async () => {
    expectStatus(await scim().get('/Users', { headers: { 'accept-charset': 'utf-8' } }), 200);
  });

  test('what is not UTF-8 is refused', async () => {
    const bytes = new Uint8Array([
      ...Buffer.from(`{"schemas":["${schemaOf.user}"],"userName":"`),
      0xff,
      0xfe,
      ...Buffer.from('"}'),
    ]);
    const response = await fetch(`${scim().baseUrl}/Users`, {
      method: 'POST',
      headers: { authorization: `Bearer ${scim().token}`, 'content-type': 'application/scim+json' },
      body: bytes,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ schemas: [schemaOf.error], status: '400' });
  });
});
