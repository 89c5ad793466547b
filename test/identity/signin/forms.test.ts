import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignInWorld } from './world.ts';

/** Every form of sign-in, with fields that would do. */
const forms = [
  ['/signin', { identifier: 'a@example.com', password: 'x' }],
  ['/signin/signup', { email: 'a@example.com' }],
  ['/signin/signup/complete', { token: 'x', name: '', password: 'x' }],
  ['/signin/forgot', { email: 'a@example.com' }],
  ['/signin/reset', { token: 'x', password: 'x' }],
  ['/signin/link', { token: 'x' }],
  ['/signin/new-password', { password: 'x' }],
  ['/signin/profile', { givenName: 'x' }],
  ['/account/reset-password', { token: 'x', password: 'x' }],
  ['/account/verify-email', { token: 'x' }],
] as const;

describe('forms of sign-in', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  it.each(forms)('%s is refused without the token of this browser and this form', async (path, fields) => {
    const site = await world.organization({ authentication: { allowSignup: true } });
    const [browser, other] = [site.browser(), site.browser()];
    const action = `${site.base}${path}`;
    const flow = (await site.begin(browser)).url.searchParams.get('flow') ?? '';
    await site.begin(other);
    const good = site.csrf(browser, action);
    const status = async (csrf: string, options = {}) =>
      (await browser.post(action, { ...fields, flow, csrf }, options)).status;
    expect(await status('')).toBe(403);
    expect(await status(site.csrf(other, action))).toBe(403);
    expect(await status(site.csrf(browser, `${site.base}/elsewhere`))).toBe(403);
    expect(await status(good, { from: 'https://evil.example', forgetsSameSite: true })).toBe(403);
    expect(await status(good, { from: 'https://evil.example' })).toBe(403);
    const old = { headers: { 'sec-fetch-site': '', origin: 'https://evil.example' } };
    expect(await status(good, old)).toBe(403);
    expect(await status(good, { headers: { 'sec-fetch-site': '', origin: '' } })).not.toBe(403);
    expect(await status(good)).not.toBe(403);
  });

  it('belong to the organization that made them', async () => {
    const [one, two] = [await world.organization(), await world.organization()];
    const browser = one.browser();
    const flow = (await one.begin(browser)).url.searchParams.get('flow') ?? '';
    await two.begin(browser);
    const tried = await browser.post(`${two.base}/signin`, {
      flow,
      identifier: 'a@example.com',
      password: 'x',
      csrf: two.csrf(browser, `${two.base}/signin`),
    });
    expect(tried.status).toBe(404);
    expect(tried.text).toContain('was started in another browser');
    expect(browser.cookies.all().map(({ path }) => path)).toEqual([`${one.base}/`, `${two.base}/`]);
  });

  it('go on in the browser that began, for an hour', async () => {
    const site = await world.organization();
    const browser = site.browser();
    const page = await site.begin(browser);
    const other = site.browser();
    await site.begin(other);
    expect((await other.open(page.url)).status).toBe(404);
    world.provider.service.clock.advance(3_600_000);
    expect((await browser.open(page.url)).status).toBe(404);
    world.provider.service.clock.advance(1);
    expect(await world.provider.service.sweep()).toBeGreaterThan(0);
    expect(world.provider.service.idsOf(site.provider.organization.organization.store.name, 'signin_flows')).toEqual(
      [],
    );
  });

  it('know no browser that brings two secrets', async () => {
    const site = await world.organization();
    const browser = site.browser();
    const page = await site.begin(browser);
    const own = browser.cookies.named(/_browser_/);
    if (own === undefined) throw new Error('no cookie');
    browser.cookies.plant({ ...own, value: 'x'.repeat(43), path: `${site.base}/signin` });
    const answer = await browser.submit(page, { identifier: 'a@example.com', password: 'x' });
    expect(answer.status).toBe(403);
  });

  it('lead nowhere but to paths of the organization', async () => {
    const site = await world.organization();
    const browser = site.browser();
    for (const returnTo of [
      'https://evil.example/',
      '//evil.example/',
      `/orgs/other/account`,
      `${site.base}`,
      `${site.base}/../../evil`,
      `${site.base}/\\evil`,
      `${site.base}/a\nb`,
      `${site.base}/${'a'.repeat(9000)}`,
    ]) {
      await expect(site.begin(browser, { returnTo }), returnTo.slice(0, 40)).rejects.toThrow(RangeError);
    }
  });

  it('are bounded', async () => {
    const site = await world.organization();
    const browser = site.browser();
    const page = await site.begin(browser);
    const long = { identifier: 'a'.repeat(257), password: 'x' };
    expect((await browser.submit(page, long)).status).toBe(400);
    const huge = await browser.submit(page, { identifier: 'a', password: 'x'.repeat(100_000) });
    expect(huge.status).toBe(413);
    expect(huge.heading).toBe('Too much data');
  });
});

describe('email first', () => {
  it('asks for the address on one page and for the rest on the next, the same for everybody', async () => {
    const world = await SignInWorld.start();
    const site = await world.organization({ auth: { login_flow: { email_first_mode: true } } });
    const person = await site.person();
    const texts = new Set<string>();
    for (const email of [person.email, 'nobody@example.com']) {
      const browser = site.browser();
      const first = await browser.open(`${site.base}/signin`);
      expect(first.form(['identifier']).fields.map(({ name }) => name)).not.toContain('password');
      const second = await browser.submit(first, { identifier: email });
      expect(second.form(['password']).fields.find(({ name }) => name === 'identifier')?.value).toBe(email);
      texts.add(second.text.replace(email, ''));
      await browser.submit(second, { password: person.password });
      expect(site.isSignedIn(browser)).toBe(email === person.email);
    }
    expect(texts.size).toBe(1);
    await world.stop();
  });
});
