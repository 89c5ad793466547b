import { describe, expect, test } from 'vitest';
import { expectError, expectStatus, person, schemaOf, team } from './messages.ts';
import { atBothBases, Provider } from './provider.ts';
import { rawRequest } from './raw-request.ts';

atBothBases('RFC 7644, 3.12, and 2: errors and authentication', 'scim-errors', (scim) => {
  describe('2: who calls', () => {
    test.each([
      ['no token', null],
      ['an unknown token', 'scim_none'],
      ['an empty token', ''],
    ])('%s is answered by 401, with the scheme that would help', async (_, token) => {
      for (const path of ['/Users', '/Groups', '/Bulk', '/.search', '/Users/none', '/Me']) {
        const method = path === '/Bulk' || path === '/.search' ? 'POST' : 'GET';
        const answer = await scim().send(method, path, method === 'POST' ? {} : undefined, { token });
        expectError(answer, 401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      }
    });

    test('another scheme is answered by 401', async () => {
      const headers = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
      expectError(await scim().get('/Users', { token: null, headers }), 401);
      expectError(await scim().get('/Users', { token: null, headers: { authorization: 'non-token' } }), 401);
    });

    test('a token of another organization is answered by 401', async () => {
      const other = await Provider.start(`${scim().org.slug}-other`, scim().family);
      expectError(await scim().get('/Users', { token: other.token }), 401);
      const user = await scim().newUser();
      expectError(await other.get(`/Users/${user.id}`), 404);
      expect((await other.query('/Users', `id eq "${user.id}"`)).at('totalResults')).toBe(0);
    });

    test('the token opens nothing but SCIM', async () => {
      for (const path of ['/admin/users', '/admin/settings', '/admin/settings/scim/tokens', '/admin/roles']) {
        const answer = await scim().org.call('GET', path, { key: scim().token });
        expect([401, 403]).toContain(answer.status);
      }
    });

    test('where SCIM is not enabled, nothing is answered', async () => {
      const closed = await Provider.start(`${scim().org.slug}-closed`, scim().family);
      await closed.admin.org.service.call('PATCH', `/orgs/${closed.org.slug}/api/v1/admin/settings/scim`, {
        key: closed.org.key,
        body: { enabled: false },
      });
      const answer = await closed.get('/Users');
      expect([401, 403, 404]).toContain(answer.status);
      expectError(answer, answer.status);
    });
  });

  describe('3.12: an error has the schema, its status as a text, and a detail', () => {
    test.each([
      ['400, a body that cannot be read', 'POST', '/Users', '{', 400],
      ['400, a filter that is none', 'GET', '/Users?filter=x', undefined, 400],
      ['404, an unknown user', 'GET', '/Users/none', undefined, 404],
      ['404, an unknown endpoint', 'GET', '/Shoes', undefined, 404],
      ['404, an unknown endpoint below a known one', 'GET', '/Groups/none/Shoes', undefined, 404],
      ['404, an unknown endpoint that is written to', 'POST', '/Shoes', '{}', 404],
      ['405, a method that is not there', 'PUT', '/Users', '{}', 405],
      ['405, a method that is not there for a resource', 'POST', '/Users/none', '{}', 405],
    ])('%s', async (_, method, path, body, status) => {
      expectError(await scim().send(method, path, body), status);
    });

    test('409, a name that is taken', async () => {
      const { displayName } = await scim().newGroup();
      expectError(await scim().post('/Groups', team({ displayName })), 409, 'uniqueness');
    });

    test('413, a body that is too large', async () => {
      const headers = ['content-type: application/scim+json', 'content-length: 200000000'];
      expectError(await rawRequest(scim(), 'POST', '/Users', headers), 413);
    });
  });

  test('3.12: an error that has no keyword has none', async () => {
    for (const path of ['/Users/none', '/Shoes']) expect((await scim().get(path)).body).not.toHaveProperty('scimType');
  });

  test('a body is not shown again in an error beyond what is needed, and its secrets never', async () => {
    const password = 'correct-Horse-9-battery';
    const answer = await scim().post('/Users', person({ password, active: 'perhaps' }));
    expectError(answer, 400, 'invalidValue');
    expect(JSON.stringify(answer.body)).not.toContain(password);
  });

  test.each([
    [
      'members of the prototype',
      '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"__proto__":{"active":false},"constructor":{}}',
    ],
    ['a great depth', `{"schemas":["${schemaOf.user}"],"name":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`],
    ['very many values', JSON.stringify(person({ roles: Array.from({ length: 50_000 }, (_, value) => ({ value })) }))],
    ['a very long text', JSON.stringify(person({ title: 'x'.repeat(500_000) }))],
    ['a null byte in the user name', JSON.stringify(person({ userName: 'a\u0000b' }))],
  ])('hostile bodies: %s is answered by an error of the client', async (_, body) => {
    const answer = await scim().post('/Users', body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expectError(answer, answer.status);
    expect(answer.status).toBeLessThan(500);
    expectStatus(await scim().get('/Users?count=1'), 200);
  });
});
