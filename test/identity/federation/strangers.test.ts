import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import { directory } from './upstreams/conducts.ts';
import { configurations, type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

let people = 0;
const password = 'of the stranger 4711';

/** Somebody of a directory that vouches for no address has given the address of another. */
async function stranger() {
  const on = await world.site({ ...configurations.microsoft, orgId: directory });
  await on.site.set('auth', { login_flow: { magic_link_enabled: true } });
  const claims = {
    sub: `eve-${++people}`,
    tid: directory,
    name: 'Eve',
    email: `owner${people}@acme.example`,
  };
  const browser = on.browser();
  await on.signIn(browser, 'microsoft', { claims });
  const user = await on.whoIsIn(browser);
  expect(user).toMatchObject({ email: claims.email, emailVerified: false });
  return { on, claims, browser, id: String(user?.id) };
}

/** By a link in the mail of the address. */
async function signInByLink(on: FederationSite, owner: FormBrowser, email: string) {
  await owner.submit(await on.site.begin(owner), { identifier: email }, { button: 'link' });
  return owner.submit(await owner.open(await on.site.mailedLink(email)));
}

async function setNewPassword(on: FederationSite, owner: FormBrowser, email: string) {
  await owner.submit(await owner.open(`${on.base}/signin/forgot`), { email });
  return owner.submit(await owner.open(await on.site.mailedLink(email)), { password: 'of the owner 0815' });
}

/** By a link that an administrator has had mailed. */
async function setPasswordForAdministrator(on: FederationSite, owner: FormBrowser, email: string, id: string) {
  const sent = await on.organization.org('POST', `/admin/users/${id}/password-reset`);
  expect(sent.status).toBeLessThan(300);
  await owner.submit(await owner.open(await on.site.mailedLink(email)), { password: 'of the owner 0815' });
  return owner.submit(await on.site.begin(owner), { identifier: email, password: 'of the owner 0815' });
}

describe('who came with an address that is somebody else’s is out of the account when its owner proves it', () => {
  test.each([
    ['by a new password', setNewPassword],
    ['by a link', signInByLink],
    ['by a link of an administrator', setPasswordForAdministrator],
  ])('%s', async (_, prove) => {
    const { on, claims, browser, id } = await stranger();
    const owner = on.browser();
    const page = await prove(on, owner, claims.email, id);
    const mustChoose = page.forms.some(({ fields }) =>
      fields.some(({ autocomplete }) => autocomplete === 'new-password'),
    );
    if (mustChoose) await owner.submit(page, { password: 'of the owner 0815' });
    expect(await on.whoIsIn(owner), page.describe()).toMatchObject({ id });
    expect(on.site.isSignedIn(browser)).toBe(false);
    expect(await on.identities(id)).toEqual([]);
    expect(await on.site.logged('identity.unlinked')).toMatchObject([{ targetId: id }]);
    const again = on.browser();
    expect((await on.signIn(again, 'microsoft', { claims })).heading).toBe('You already have an account');
    expect(on.site.isSignedIn(again)).toBe(false);
  });

  test('with the password that they have set, too', async () => {
    const { on, claims, browser, id } = await stranger();
    const form = await browser.open(`${on.base}/account/password`);
    expect((await browser.submit(form, { password })).status).toBe(200);
    on.site.provider.service.clock.advance(1_000);
    const owner = on.browser();
    const page = await signInByLink(on, owner, claims.email);
    expect(await on.whoIsIn(owner), page.describe()).toMatchObject({ id });
    const again = on.browser();
    const refused = await again.submit(await on.site.begin(again), { identifier: claims.email, password });
    expect([refused.status, on.site.isSignedIn(again), on.site.isSignedIn(browser)]).toEqual([422, false, false]);
  });

  test('and stays where the address was proved before', async () => {
    const { on, claims, id } = await stranger();
    const verified = await on.organization.tenant('PUT', `/admin/users/${id}`, { body: { emailVerified: true } });
    expect(verified.status, JSON.stringify(verified.body)).toBe(200);
    const owner = on.browser();
    await setNewPassword(on, owner, claims.email);
    expect(await on.identities(id)).toHaveLength(1);
  });
});
