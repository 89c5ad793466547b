import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClockedProvider } from './in-process.ts';
import { RelyingParty } from './relying-party.ts';

let provider: ClockedProvider;
let own: { client_id: string; client_secret: string };

beforeAll(async () => {
  provider = await ClockedProvider.start('answers');
  const { id, secret = '' } = await RelyingParty.register(provider, {
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['things'],
  });
  own = { client_id: id, client_secret: secret };
});
afterAll(() => provider.service.stop());

const ask = (more: Readonly<Record<string, string>> = {}) =>
  provider.form('token', { grant_type: 'client_credentials', ...own, ...more });

describe('the token endpoint', () => {
  test('forbids caches of both kinds to keep what it answers (RFC 6749, 5.1)', async () => {
    for (const answer of [await ask(), await ask({ client_secret: 'wrong' })]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('pragma')).toBe('no-cache');
    }
  });

  test('says of a parameter that is too long that it is too long', async () => {
    const answer = await ask({ scope: 'x'.repeat(8_193) });
    expect([answer.status, answer.at('error')]).toEqual([400, 'invalid_request']);
    expect(answer.text('error_description')).toMatch(/^scope: .*longer than 8192/);
  });
});

describe('a method that a protocol endpoint does not know', () => {
  test.each(['token', 'introspect', 'revoke', 'par', 'userinfo'])(
    'is refused in the form of OAuth: %s',
    async (name) => {
      const path = `/orgs/${provider.organization.organization.slug}/api/v1/oauth/${name}`;
      const answer = await provider.service.call('DELETE', path);
      expect(answer.status).toBe(405);
      expect(answer.body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
      expect(answer.headers.get('allow')).toContain('POST');
      expect(answer.headers.get('access-control-allow-origin')).toBe(name === 'introspect' ? null : '*');
    },
  );
});
