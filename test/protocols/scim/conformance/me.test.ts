import { expect, test } from 'vitest';
import { expectError, person } from './messages.ts';
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
