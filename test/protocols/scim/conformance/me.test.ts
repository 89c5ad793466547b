import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Certification } from '../../oauth/conformance/certification.ts';
import { expectError, person, schemaOf } from './messages.ts';
import { atBothBases } from './provider.ts';

atBothBases('RFC 7644, 3.11: the resource of who calls', 'scim-me', (scim) => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    '%s of /Me with a token that stands for nobody is answered by 404 or 501',
    async (method) => {
      const answer = await scim().send(method, '/Me', method === 'GET' || method === 'DELETE' ? undefined : person());
      expect([403, 404, 501]).toContain(answer.status);
      expectError(answer, answer.status);
    },
  );

  test('POST to /Me makes nobody for a token that stands for nobody', async () => {
    const sent = person();
    const answer = await scim().post('/Me', sent);
    expectError(answer, answer.status);
    expect((await scim().query('/Users', `userName eq "${sent.userName}"`)).at('totalResults')).toBe(0);
  });
});

describe('RFC 7644, 3.11: with the token of a user', () => {
  let suite: Certification;
  beforeAll(async () => {
    suite = await Certification.start('scim-me-user');
    const enabled = await suite.provider.organization.org('PATCH', '/admin/settings/scim', { body: { enabled: true } });
    expect(enabled.status).toBe(200);
  });
  afterAll(() => suite.stop());

  test('/Me is the user, with the location of its resource; what changes it is answered by 501', async () => {
    const { issuer } = suite.provider;
    const party = await suite.client({ scopes: ['openid', 'scim'] });
    const { tokens } = await suite.flow(party, { scope: 'openid scim' });
    const send = (method: string) =>
      suite.provider.fetch(`${issuer}/scim2.0/Me`, {
        method,
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
    const response = await send('GET');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      schemas: [schemaOf.user],
      id: suite.person.id,
      meta: { resourceType: 'User', location: `${issuer}/scim2.0/Users/${suite.person.id}` },
    });
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST']) expect((await send(method)).status).toBe(501);
  });
});
