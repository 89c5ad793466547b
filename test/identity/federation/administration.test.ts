import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreed } from '../../protocols/oauth/grants/issuing.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { configurations, type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const ada = { sub: 'g-1', email: 'ada@gmail.com', email_verified: true };

/** Somebody who came through google. */
async function joined(on: FederationSite, claims: Readonly<Record<string, unknown>> = ada): Promise<string> {
  const browser = on.browser();
  await on.signIn(browser, 'google', { claims });
  return String((await on.whoIsIn(browser))?.id);
}

describe.each(['org', 'tenant'] as const)('identities of a user, %s family', (family) => {
  const path = (id: string, identity?: string) =>
    `/admin/users/${id}/identities${identity === undefined ? '' : `/${identity}`}`;
  const items = family === 'org' ? 'data.data' : 'data';

  test('are listed and unlinked by administrators', async () => {
    const on = await world.site(configurations.google);
    const id = await joined(on);
    const listed = await on.organization[family]('GET', path(id));
    const identity = {
      id: expect.any(String),
      provider: 'google',
      issuer: 'https://accounts.google.com',
      subject: 'g-1',
      email: 'ada@gmail.com',
      how: 'registered',
      linkedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    };
    expect([listed.status, listed.at(items)]).toEqual([200, [identity]]);
    expect((await on.organization[family]('GET', `${path(id)}?search=nothing`)).at(items)).toEqual([]);
    const [{ id: identityId }] = listed.at(items) as [{ id: string }];
    expect((await on.organization[family]('DELETE', path(id, identityId))).status).toBe(204);
    expect((await on.organization[family]('DELETE', path(id, identityId))).status).toBe(404);
    expect((await on.organization[family]('GET', path(id))).at(items)).toEqual([]);
    expect(await on.site.logged('identity.unlinked')).toMatchObject([
      { actorType: 'admin', targetId: id, targetType: 'user', metadata: { identityId, provider: 'google' } },
    ]);
  });

  test('need the rights of users, and of an administrator no less than the user holds', async () => {
    const on = await world.site(configurations.google);
    const id = await joined(on);
    const [identity] = await on.identities(id);
    const [reads, updates, neither] = [
      await on.organization.newKey('users.read'),
      await on.organization.newKey('users.update'),
      await on.organization.newKey('groups.read'),
    ];
    const status = async (method: string, at: string, key: string) =>
      (await on.organization[family](method, at, { key })).status;
    expect(await status('GET', path(id), reads)).toBe(200);
    expect(await status('GET', path(id), neither)).toBe(403);
    expect(await status('DELETE', path(id, String(identity?.id)), reads)).toBe(403);
    await on.organization.tenant('PUT', `/admin/users/${id}/roles`, { body: { roles: ['ROLE_TENANT_ADMIN'] } });
    expect(await status('DELETE', path(id, String(identity?.id)), updates)).toBe(403);
    await on.organization.tenant('PUT', `/admin/users/${id}/roles`, { body: { roles: [] } });
    expect(await status('DELETE', path(id, String(identity?.id)), updates)).toBe(204);
  });

  test('are not unlinked with a token of their own user, whatever it reaches', async () => {
    const on = await world.site(configurations.google);
    const { provider } = on.site;
    const id = await joined(on);
    const [identity] = await on.identities(id);
    await on.organization.tenant('PUT', `/admin/users/${id}/roles`, { body: { roles: ['ROLE_TENANT_ADMIN'] } });
    for (const scope of ['users.update', 'settings.manage']) {
      const party = await RelyingParty.register(provider, { scopes: [scope] });
      const { access: key } = await agreed(provider, party, { id, email: ada.email }, [scope]);
      const answer = await on.organization[family]('DELETE', path(id, String(identity?.id)), { key });
      expect([scope, answer.status]).toEqual([scope, 403]);
    }
    expect(await on.identities(id)).toHaveLength(1);
  });

  test('of a user who is not there, of another user, of another organization: 404', async () => {
    const on = await world.site(configurations.google);
    const elsewhere = await world.site(configurations.google);
    const [one, two, foreign] = [
      await joined(on),
      await joined(on, { ...ada, sub: 'g-2', email: 'eve@gmail.com' }),
      await joined(elsewhere),
    ];
    const [own] = await on.identities(one);
    const [other] = await elsewhere.identities(foreign);
    for (const [user, identity] of [
      [two, own?.id],
      [foreign, other?.id],
      [one, other?.id],
      ['nobody', own?.id],
    ]) {
      expect((await on.organization[family]('DELETE', path(String(user), String(identity)))).status).toBe(404);
    }
    expect((await on.organization[family]('GET', path('nobody'))).status).toBe(404);
    expect(await on.identities(one)).toHaveLength(1);
  });
});

describe('what is left', () => {
  const identitiesIn = (on: FederationSite) =>
    world.signIns.provider.service.idsOf(on.organization.organization.store.name, 'federated_identities');

  test('of a user who was deleted: nothing, and who comes again is somebody new', async () => {
    const on = await world.site(configurations.google);
    const id = await joined(on);
    expect((await on.organization.org('DELETE', `/admin/users/${id}`)).status).toBe(204);
    expect(identitiesIn(on)).toEqual([]);
    const again = await joined(on);
    expect(again).not.toBe(id);
  });

  test('of a provider that was removed: nothing, and one that is configured anew knows nobody', async () => {
    const on = await world.site();
    const number = await on.configure(configurations.google);
    const id = await joined(on);
    expect((await on.organization.tenant('DELETE', `/admin/social-providers/${number}`)).status).toBe(204);
    await on.configure(configurations.google);
    const browser = on.browser();
    const page = await on.signIn(browser, 'google', { claims: ada });
    expect(page.heading).toBe('You already have an account');
    await world.signIns.provider.service.sweep(1);
    expect(identitiesIn(on)).toEqual([]);
    const { name } = on.organization.organization.store;
    expect(world.signIns.provider.service.idsOf(name, 'social_providers_gone')).toEqual([]);
    expect((await on.organization.org('GET', `/admin/users/${id}`)).status).toBe(200);
  });

  test('trusted domains are shown, kept and taken away', async () => {
    const on = await world.site();
    const number = await on.configure({ ...configurations.google, trustedDomains: ['acme.example'] });
    const shown = async () => (await on.organization.tenant('GET', `/admin/social-providers/${number}`)).at('data');
    expect(await shown()).toMatchObject({ trustedDomains: ['acme.example'] });
    await on.change(number, { name: 'Work' });
    expect(await shown()).toMatchObject({ name: 'Work', trustedDomains: ['acme.example'] });
    await on.change(number, { trustedDomains: [] });
    expect(await shown()).not.toHaveProperty('trustedDomains');
    for (const domains of [['Acme.example'], ['acme'], ['a.example', 'a.example'], ['*.example'], 'acme.example']) {
      const body = { trustedDomains: domains };
      expect((await on.organization.tenant('PUT', `/admin/social-providers/${number}`, { body })).status).toBe(400);
    }
  });
});
