import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SignInWorld } from '../identity/signin/world.ts';
import { signIn } from '../protocols/oauth/signing-in.ts';

const open = {
  authentication: { allowSignup: true },
  auth: { login_flow: { magic_link_enabled: true } },
};

describe('what must never happen at the pages of sign-in', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  it('One origin, many organizations: a session of one is nothing in another, under whatever name', async () => {
    const [one, two] = [await world.organization(), await world.organization()];
    const person = await one.person();
    await two.person({ email: person.email, password: person.password });
    const browser = one.browser();
    await signIn(browser, await one.begin(browser), person);
    await two.begin(browser);
    const own = browser.cookies.named(/_session_/);
    if (own === undefined) throw new Error('not signed in');
    const name = browser.cookies
      .all()
      .find(({ path }) => path === `${two.base}/`)
      ?.name.replace('_browser_', '_session_');
    browser.cookies.plant({ ...own, name: name ?? '', path: `${two.base}/` });
    expect(two.isSignedIn(browser)).toBe(false);
    expect(one.isSignedIn(browser)).toBe(true);
    expect(new Set(browser.cookies.all().map((cookie) => cookie.name)).size).toBe(browser.cookies.all().length);
    // nor is the token of a form
    const path = '/signin';
    expect(two.csrf(browser, `${two.base}${path}`)).not.toBe(one.csrf(browser, `${one.base}${path}`));
  });

  it('One origin, many organizations: a flow and a link of one lead nowhere in another', async () => {
    const [one, two] = [await world.organization(open), await world.organization(open)];
    const person = await one.person();
    const browser = one.browser();
    const page = await one.begin(browser);
    await two.begin(browser);
    expect((await browser.open(`${two.base}/signin${page.url.search}`)).status).toBe(404);
    await browser.submit(page, { identifier: person.email }, { button: 'link' });
    const { search } = new URL(await one.mailedLink(person.email));
    expect((await browser.open(`${two.base}/signin/link${search}`)).status).toBe(404);
  });

  it.each([
    { name: 'a link to sign in', ask: { path: '/signin', fields: { way: 'link' }, field: 'identifier' } },
    { name: 'a link to a new password', ask: { path: '/signin/forgot', fields: {}, field: 'email' } },
    { name: 'a link to an account', ask: { path: '/signin/signup', fields: {}, field: 'email' } },
  ])(
    'Account takeover: $name gives whoever asked for it nothing by itself',
    async ({ name, ask: { path, fields, field } }) => {
      const site = await world.organization(open);
      const person = await site.person();
      const email = name.endsWith('account') ? 'new@example.com' : person.email;
      const [attacker, victim] = [site.browser(), site.browser()];
      const flow = (await site.begin(attacker)).url.searchParams.get('flow') ?? '';
      const action = `${site.base}${path}`;
      await attacker.post(action, { ...fields, [field]: email, flow, csrf: site.csrf(attacker, action) });
      const link = await site.mailedLink(email);
      // the victim follows what the attacker has asked for: opening it does nothing, for neither of them
      const page = await victim.open(link);
      expect(page.status).toBe(200);
      expect([site.isSignedIn(victim), site.isSignedIn(attacker)]).toEqual([false, false]);
      // without the secret of the victim's own page, nothing is done with it either
      const token = new URL(link).searchParams.get('token') ?? '';
      const sent = { token, name: 'x', password: 'a password of some length', csrf: site.csrf(attacker, action) };
      expect((await victim.post(new URL(link).pathname, sent)).status).toBe(403);
      expect([site.isSignedIn(victim), site.isSignedIn(attacker)]).toEqual([false, false]);
    },
  );

  it('Strings: a name that is no name is refused, and nothing of it is repeated as markup', async () => {
    const site = await world.organization(open);
    const browser = site.browser();
    const page = await site.begin(browser);
    const hostile = '"><script>alert(1)</script>@example.com';
    const refused = await browser.submit(page, { identifier: hostile, password: 'x' });
    expect(refused.status).toBe(422);
    expect(refused.html).not.toContain('<script>alert');
    const asked = await browser.submit(page, { identifier: hostile }, { button: 'link' });
    expect([asked.status, asked.html.includes('<script>alert')]).toEqual([422, false]);
  });

  it('Logs, and the store: no secret of a browser, session, link or person is written down', async () => {
    const site = await world.organization(open);
    const person = await site.person();
    const browser = site.browser();
    const page = await site.begin(browser);
    await browser.submit(page, { identifier: person.email }, { button: 'link' });
    const link = await site.mailedLink(person.email);
    await browser.submit(await browser.open(link));
    const other = site.browser();
    await signIn(other, await site.begin(other), person);
    const misplaced = 'My dear old password 42';
    const third = site.browser();
    await signIn(third, await site.begin(third), { email: misplaced, password: 'x' });
    await vi.waitFor(async () => expect(await site.logged('user.login_failed')).toHaveLength(1), 60_000);
    const secrets = [
      person.password,
      misplaced,
      new URL(link).searchParams.get('token') ?? '',
      ...browser.cookies.all().map(({ value }) => value),
      ...other.cookies.all().map(({ value }) => value),
    ];
    const stored = world.provider.service.everythingStored();
    // what scripts of the service's own frame may see is no secret
    const kept = secrets.filter((secret) => secret.length > 22 && stored.includes(secret));
    expect(secrets.length).toBeGreaterThan(6);
    expect(kept).toEqual([]);
    expect(stored).toContain(person.email);
  });

  it('An open redirector is none: what a request names is never where the browser goes', async () => {
    const site = await world.organization();
    const person = await site.person();
    for (const name of ['returnTo', 'return_to', 'redirect_uri', 'next', 'continue', 'url']) {
      const browser = site.browser();
      const page = await browser.open(`${site.base}/signin?${name}=https%3A%2F%2Fevil.example%2F`);
      const after = await signIn(browser, page, person);
      for (const step of [...page.steps, ...after.steps]) {
        expect(step.headers.get('location') ?? '').not.toContain('evil');
      }
      expect(after.departure).toBeUndefined();
    }
  });
});
