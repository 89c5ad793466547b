import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { signIn as signInByForm } from '../../protocols/oauth/signing-in.ts';
import { configurations, type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const ada = { sub: 'g-1', email: 'ada@gmail.com', email_verified: true };
const seen = (page: Page) => [page.status, page.heading];

/** Somebody who has signed in by a password. */
async function signedIn(on: FederationSite) {
  const person = await on.site.person();
  const browser = on.browser();
  await signInByForm(browser, await browser.open(`${on.base}/signin`), person);
  expect((await on.whoIsIn(browser))?.id).toBe(person.id);
  return { person, browser };
}

/** By the button of the account page: where the browser is led. */
async function departure(on: FederationSite, browser: FormBrowser, name = 'Google'): Promise<URL> {
  const page = await browser.open(`${on.base}/account/identities`);
  const onward = await browser.submit(page, {}, { button: `Connect ${name}` });
  expect(onward.heading, onward.describe()).toBe(`Continue to ${name}`);
  const link = onward.link('Continue').href;
  // the answer to a form must not be a redirect to another site: browsers hold it to the form's policy
  expect(onward.steps.map(({ status }) => status)).toEqual([200]);
  expect(onward.headers.get('refresh')).toBe(`0;url=${link}`);
  return new URL(link);
}

async function link(on: FederationSite, browser: FormBrowser, claims: Readonly<Record<string, unknown>> = ada) {
  const url = await departure(on, browser);
  return browser.arrive(world.known.signIn(url, { claims }), url.origin);
}

describe('linking on the account page', () => {
  test('whoever has linked an account signs in with it, whatever its address', async () => {
    const on = await world.site(configurations.google);
    const { person, browser } = await signedIn(on);
    const page = await link(on, browser);
    expect(page.url.pathname, page.describe()).toBe(`${on.base}/account/identities`);
    expect(page.text).toContain('ada@gmail.com');
    expect(await on.identities(person.id)).toMatchObject([{ provider: 'google', how: 'linked', subject: 'g-1' }]);
    const [entry] = await on.site.logged('identity.linked');
    expect(entry).toMatchObject({ actorId: person.id, targetId: person.id, metadata: { how: 'linked' } });
    const other = on.browser();
    await on.signIn(other, 'google', { claims: ada });
    expect((await on.whoIsIn(other))?.id).toBe(person.id);
    // and once more changes nothing
    await link(on, browser);
    expect(await on.identities(person.id)).toHaveLength(1);
  });

  test('one that is somebody else’s here stays there', async () => {
    const on = await world.site(configurations.google);
    await on.signIn(on.browser(), 'google', { claims: ada });
    const { person, browser } = await signedIn(on);
    expect(seen(await link(on, browser))).toEqual([422, 'This account is already connected']);
    expect(await on.identities(person.id)).toEqual([]);
  });

  test('in another browser, or after somebody else has signed in here, nothing is linked', async () => {
    const on = await world.site(configurations.google);
    const [one, two] = [await signedIn(on), await signedIn(on)];
    const url = await departure(on, one.browser);
    const way = world.known.signIn(url, { claims: ada });
    expect(seen(await two.browser.arrive(way, url.origin))).toEqual([400, 'This sign-in has expired']);
    const flow = await on.site.begin(one.browser, { fresh: true });
    await signInByForm(one.browser, flow, two.person);
    expect(seen(await one.browser.arrive(way, url.origin))).toEqual([400, 'This sign-in has expired']);
    expect(await on.identities(one.person.id)).toEqual([]);
    expect(await on.identities(two.person.id)).toEqual([]);
  });

  test('who has signed in long ago does it again first', async () => {
    const on = await world.site(configurations.google);
    const { browser } = await signedIn(on);
    world.signIns.provider.service.clock.advance(20 * 60_000);
    const page = await browser.open(`${on.base}/account/identities`);
    const again = await browser.submit(page, {}, { button: 'Connect Google' });
    expect(again.heading).toBe('Sign in');
  });

  test('no more than twenty', async () => {
    const on = await world.site(configurations.google);
    const { person, browser } = await signedIn(on);
    for (let each = 1; each <= 20; each++) await link(on, browser, { ...ada, sub: `g-${each}` });
    expect(await on.identities(person.id)).toHaveLength(20);
    expect(seen(await link(on, browser, { ...ada, sub: 'g-21' }))).toEqual([422, 'Too many connected accounts']);
  });
});

describe('unlinking', () => {
  test('it no longer signs in; the way to a new user is the one of anybody', async () => {
    const on = await world.site({ ...configurations.google, allowSignup: false });
    const { person, browser } = await signedIn(on);
    const page = await link(on, browser);
    const after = await browser.submit(page, {}, { button: 'Disconnect Google' });
    expect(after.status, after.describe()).toBe(200);
    expect(await on.identities(person.id)).toEqual([]);
    expect(await on.site.logged('identity.unlinked')).toMatchObject([{ actorId: person.id, targetId: person.id }]);
    const other = on.browser();
    const tried = await on.signIn(other, 'google', { claims: ada });
    expect(seen(tried)).toEqual([422, 'You don’t have an account yet']);
  });

  test('not the only way in', async () => {
    const on = await world.site(configurations.google);
    const browser = on.browser();
    await on.signIn(browser, 'google', { claims: ada });
    const who = await on.whoIsIn(browser);
    const page = await browser.open(`${on.base}/account/identities`);
    const after = await browser.submit(page, {}, { button: 'Disconnect Google' });
    expect(after.text).toContain('It’s the only way you can sign in.');
    expect(await on.identities(String(who?.id))).toHaveLength(1);
    // another one at the same provider is another way
    await link(on, browser, { ...ada, sub: 'g-2' });
    const both = await browser.open(`${on.base}/account/identities`);
    const [form] = both.forms.filter(({ action }) => action.endsWith('/unlink'));
    const identity = form?.fields.find(({ name }) => name === 'identity')?.value;
    await browser.post(form?.action ?? '', {
      identity: String(identity),
      csrf: on.site.csrf(browser, String(form?.action)),
    });
    expect(await on.identities(String(who?.id))).toHaveLength(1);
  });

  test('an identity of somebody else is not there', async () => {
    const on = await world.site(configurations.google);
    await on.signIn(on.browser(), 'google', { claims: ada });
    const [other] = (await on.organization.tenant('GET', '/admin/users')).at('data') as { id: string }[];
    const [identity] = await on.identities(String(other?.id));
    const { browser } = await signedIn(on);
    await browser.open(`${on.base}/account/identities`);
    const action = `${on.base}/account/identities/unlink`;
    await browser.post(action, { identity: String(identity?.id), csrf: on.site.csrf(browser, action) });
    expect(await on.identities(String(other?.id))).toHaveLength(1);
  });
});
