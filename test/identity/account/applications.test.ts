import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { tokensFor } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { entriesOf, type Visitor, visitor } from './account-world.ts';

let world: SignInWorld;
let site: SignInSite;
let anne: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization();
  anne = await visitor(site);
});
afterAll(() => world.stop());

const connect = async (registration: Readonly<Record<string, unknown>>, scope: string, who = anne) => {
  const party = await RelyingParty.register(site.provider, registration);
  return { party, tokens: await tokensFor(party, who.browser, who.person, { scope }) };
};

describe('connected applications', () => {
  test('are shown with what they may, and lose it with the press of a button', async () => {
    expect((await anne.open('/applications')).text).toContain('No applications have access');
    const shop = await connect({ name: 'The shop' }, 'openid email');
    const other = await connect({ name: 'Another' }, 'openid');
    const page = await anne.open('/applications');
    expect(page.text).toContain('The shop');
    expect(page.text).toContain('See your email address');
    const done = await anne.browser.submit(page, {}, { button: 'Remove access for The shop' });
    expect(done.text).toContain('The application no longer has access.');
    expect(done.text).not.toContain('The shop');
    expect(await site.provider.status(shop.tokens.access_token)).toBe(401);
    expect(await site.provider.status(other.tokens.access_token)).toBe(200);
    await expect(shop.party.refresh(String(shop.tokens.refresh_token))).rejects.toThrow();
    expect(await entriesOf(site, 'consent.revoke')).toMatchObject([
      { eventType: 'consent.revoked', actorId: anne.person.id, targetId: shop.party.id },
    ]);
    const asked = await anne.browser.open((await shop.party.begin({ scope: 'openid email' })).url);
    expect(asked.url.pathname).toMatch(/\/consent$/);
  });

  test('that need no consent are shown by their tokens, and lose them too', async () => {
    const own = await connect({ name: 'House', skipConsent: true }, 'openid offline_access');
    const page = await anne.open('/applications');
    expect(page.text).toContain('House');
    await anne.browser.submit(page, {}, { button: 'Remove access for House' });
    expect(await site.provider.status(own.tokens.access_token)).toBe(401);
    expect(await entriesOf(site, 'token.revoke_all')).toMatchObject([{ targetId: own.party.id }]);
    expect((await anne.open('/applications')).text).not.toContain('House');
  });

  test('of others are not shown, and not disconnected', async () => {
    const bob = await visitor(site);
    const theirs = await connect({ name: 'The shop' }, 'openid', bob);
    const own = await connect({ name: 'Mine' }, 'openid');
    const page = await anne.open('/applications');
    expect(page.text).not.toContain('The shop');
    const tampered = { client: theirs.party.id };
    const button = 'Remove access for Mine';
    expect((await anne.browser.submit(page, {}, { button, tampered })).status).toBe(404);
    expect(await site.provider.status(theirs.tokens.access_token)).toBe(200);
    expect(await site.provider.status(own.tokens.access_token)).toBe(200);
  });
});

describe.each(['org', 'tenant'] as const)('administrators of the %s family', (family) => {
  const call = (method: string, path: string, key?: string) =>
    site.provider.organization[family](method, path, key === undefined ? {} : { key });

  test('see what a user has let in, and disconnect it', async () => {
    const { party, tokens } = await connect({ name: 'The shop' }, 'openid email');
    const path = `/admin/users/${anne.person.id}/applications`;
    const list = await call('GET', path);
    const items = list.list(family === 'org' ? 'data.data' : 'data');
    const time = expect.stringMatching(/^\d{4}-/);
    expect(items).toEqual([
      {
        clientId: party.id,
        name: 'The shop',
        scopes: ['openid', 'email'],
        consentedAt: time,
        lastUsedAt: time,
        hasTokens: true,
      },
    ]);
    expect((await call('DELETE', `${path}/${party.id}`)).status).toBe(204);
    expect(await site.provider.status(tokens.access_token)).toBe(401);
    expect((await call('DELETE', `${path}/${party.id}`)).status).toBe(404);
    expect((await call('DELETE', `/admin/users/nobody/applications/${party.id}`)).status).toBe(404);
    expect((await call('GET', path)).list(family === 'org' ? 'data.data' : 'data')).toEqual([]);
  });

  test('need the rights to read and revoke tokens, and hold no less than the user', async () => {
    const { organization } = site.provider;
    const { party } = await connect({ name: 'The shop' }, 'openid');
    const path = `/admin/users/${anne.person.id}/applications`;
    const reader = await organization.newKey('tokens.read');
    expect((await call('GET', path, reader)).status).toBe(200);
    expect((await call('DELETE', `${path}/${party.id}`, reader)).status).toBe(403);
    expect((await call('GET', path, await organization.newKey('users.read'))).status).toBe(403);
    const roles = await organization.org('GET', '/admin/roles');
    const admin = (roles.list('data.data') as { id: string; slug: string }[]).find(
      ({ slug }) => slug === 'ROLE_TENANT_ADMIN',
    );
    await organization.org('POST', `/admin/users/${anne.person.id}/roles`, { body: { roleId: admin?.id } });
    const desk = await organization.newKey('tokens.read', 'tokens.revoke');
    expect((await call('DELETE', `${path}/${party.id}`, desk)).status).toBe(403);
  });
});
