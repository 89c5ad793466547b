import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { baseUrl } from '../../protocols/oauth/in-process.ts';
import { OidcUpstream } from './upstreams/oidc-upstream.ts';
import { type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const secret = 'a secret between the two';
const upstreams: OidcUpstream[] = [];
afterAll(() => Promise.all(upstreams.map((each) => each.close())));

interface Connected {
  readonly on: FederationSite;
  readonly upstream: OidcUpstream;
  readonly number: number;
}

/** An organization whose people sign in at an `oidc-provider`. */
async function connected(
  body: Readonly<Record<string, unknown>> = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Connected> {
  const on = await world.site();
  const upstream = await OidcUpstream.open({ redirectUri: baseUrl + on.callback('oidc') }, settings);
  upstreams.push(upstream);
  upstream.accounts.set('ada', { email: 'ada@acme.example', email_verified: true, name: 'Ada Lovelace' });
  const number = await on.configure({
    type: 'oidc',
    name: 'Acme',
    clientId: 'relata',
    clientSecret: secret,
    issuerUrl: upstream.url,
    ...body,
  });
  return { on, upstream, number };
}

describe('generic OpenID Connect, with oidc-provider', () => {
  test('from the button of the page to the account, and again as the same user', async () => {
    const { on, upstream } = await connected();
    const browser = on.browser();
    const page = await browser.open(`${on.base}/signin`);
    const left = await browser.click(page, 'Continue with Acme');
    const departure = left.left.url;
    expect(departure.origin).toBe(upstream.url);
    expect(Object.fromEntries(departure.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'relata',
      redirect_uri: baseUrl + on.callback('oidc'),
      scope: 'openid profile email',
      code_challenge_method: 'S256',
    });
    const after = await browser.arrive(await upstream.signIn(departure, 'ada'), upstream.url);
    expect(after.url.pathname, after.describe()).toBe(`${on.base}/account`);
    const who = await on.whoIsIn(browser);
    expect(who).toMatchObject({ email: 'ada@acme.example', emailVerified: true, name: 'Ada Lovelace' });
    expect(await on.session()).toMatchObject({ authMethod: 'sso' });
    expect(await on.site.logged('identity.linked')).toMatchObject([
      { actorId: who?.id, targetId: who?.id, metadata: { provider: 'oidc', how: 'registered' } },
    ]);
    expect(await on.site.logged('user.created')).toMatchObject([{ metadata: { through: 'oidc' } }]);
    const second = on.browser();
    const again = await on.leave(second, 'oidc');
    await second.arrive(await upstream.signIn(again, 'ada'), upstream.url);
    expect((await on.whoIsIn(second))?.id).toBe(who?.id);
    expect(await on.identities(String(who?.id))).toMatchObject([{ issuer: upstream.url, subject: 'ada' }]);
  });

  test('the address is asked of userinfo, where the token has none', async () => {
    const { on, upstream } = await connected({}, { conformIdTokenClaims: true });
    const browser = on.browser();
    const departure = await on.leave(browser, 'oidc');
    await browser.arrive(await upstream.signIn(departure, 'ada'), upstream.url);
    expect(await on.whoIsIn(browser)).toMatchObject({ email: 'ada@acme.example' });
  });

  test('names itself in its answers (RFC 9207), and an answer that names another is refused', async () => {
    const { on, upstream } = await connected();
    for (const iss of ['https://other.example', undefined]) {
      const browser = on.browser();
      const way = await upstream.signIn(await on.leave(browser, 'oidc'), 'ada');
      expect(way.url.searchParams.get('iss')).toBe(upstream.url);
      if (iss === undefined) way.url.searchParams.delete('iss');
      else way.url.searchParams.set('iss', iss);
      const page = await browser.arrive(way, upstream.url);
      expect([page.status, page.heading]).toEqual([422, 'That didn’t work']);
      expect(await on.whoIsIn(browser)).toBeUndefined();
    }
  });

  test('a client that it does not accept is told to administrators, and the log has the reason', async () => {
    const { on, upstream, number } = await connected();
    await on.change(number, { clientSecret: 'another one' });
    const browser = on.browser();
    const page = await browser.arrive(await upstream.signIn(await on.leave(browser, 'oidc'), 'ada'), upstream.url);
    expect([page.status, page.heading]).toEqual([503, 'Acme is not set up correctly']);
    await vi.waitFor(async () => {
      expect(await on.site.logged('user.login_failed')).toMatchObject([
        { action: 'login.provider', result: 'failure', metadata: { provider: 'oidc', reason: 'misconfigured' } },
      ]);
    }, 60_000);
  });

  test('one that does not answer is a page that says so, and nothing about the network', async () => {
    const { on, upstream } = await connected();
    const browser = on.browser();
    const way = await upstream.signIn(await on.leave(browser, 'oidc'), 'ada');
    await upstream.close();
    const page = await browser.arrive(way, upstream.url);
    expect([page.status, page.heading]).toEqual([503, 'Acme can’t be reached']);
    expect(page.html).not.toContain('127.0.0.1');
    expect(page.text).not.toMatch(/ECONN|refused|socket/);
  });

  test('a fresh sign-in asks for one there, and who is likely to come is told', async () => {
    const { on } = await connected();
    const browser = on.browser();
    const page = await on.site.begin(browser, { fresh: true, loginHint: 'ada@acme.example' });
    const flow = page.url.searchParams.get('flow');
    const left = await browser.open(`${on.base}/signin/social/oidc?flow=${flow}`);
    expect(Object.fromEntries(left.left.url.searchParams)).toMatchObject({
      prompt: 'login',
      max_age: '0',
      login_hint: 'ada@acme.example',
    });
  });

  test('straight to the provider, where the application says so', async () => {
    const { on, upstream } = await connected();
    const browser = on.browser();
    const page = await on.site.begin(browser, { provider: 'oidc' });
    expect(page.left.url.origin).toBe(upstream.url);
  });
});

describe('who may come in', () => {
  const arrive = async ({ on, upstream }: Connected, login = 'ada') => {
    const browser = on.browser();
    const page = await browser.arrive(await upstream.signIn(await on.leave(browser, 'oidc'), login), upstream.url);
    return { page, who: await on.whoIsIn(browser) };
  };
  const trusted = { autoLinkUsers: true, trustedDomains: ['acme.example'] };

  test('nobody new where the provider makes no users', async () => {
    const { page, who } = await arrive(await connected({ allowSignup: false }));
    expect([page.status, page.heading, who]).toEqual([422, 'You don’t have an account yet', undefined]);
  });

  test('whether there is an account is told to nobody who has only claimed the address', async () => {
    const way = await connected({ allowSignup: false });
    await way.on.user('ada@acme.example');
    expect((await arrive(way)).page.heading).toBe('You already have an account');
    way.upstream.accounts.set('ada', { email: 'ada@acme.example', email_verified: false });
    expect((await arrive(way)).page.heading).toBe('You don’t have an account yet');
  });

  test('nor where the provider makes users, and with or without an account the answer is the same', async () => {
    const way = await connected(trusted);
    way.upstream.accounts.set('ada', { email: 'ada@acme.example', email_verified: false });
    way.upstream.accounts.set('eve', { email: 'eve@acme.example', email_verified: false });
    await way.on.user('ada@acme.example');
    const seen = async (login: string) => {
      const { page, who } = await arrive(way, login);
      const words = page.text.replaceAll(/\b[0-9a-f-]{8,}\b/g, '');
      return [page.status, page.heading, words, who];
    };
    const [there, not] = [await seen('ada'), await seen('eve')];
    expect(there.slice(0, 2)).toEqual([422, 'Your email address isn’t confirmed']);
    expect(not).toEqual(there);
    expect((await way.on.organization.tenant('GET', '/admin/users')).at('pagination.total')).toBe(1);
  });

  test('nobody without an address', async () => {
    const { page, who } = await arrive(await connected(), 'nobody');
    expect([page.status, page.heading, who]).toEqual([422, 'An email address is missing', undefined]);
  });

  test('the user with the address, where it is verified on both sides, trusted, and wanted', async () => {
    const way = await connected(trusted);
    const id = await way.on.user('Ada@acme.example');
    const { page, who } = await arrive(way);
    expect(who?.id, page.describe()).toBe(id);
    expect(await way.on.identities(id)).toMatchObject([{ how: 'found', subject: 'ada' }]);
    expect(await way.on.site.logged('identity.linked')).toMatchObject([{ targetId: id, actorId: id }]);
  });

  test.each([
    { name: 'not wanted', body: { ...trusted, autoLinkUsers: false }, user: {}, account: {} },
    { name: 'no domain is trusted', body: { autoLinkUsers: true }, user: {}, account: {} },
    { name: 'another domain is', body: { ...trusted, trustedDomains: ['other.example'] }, user: {}, account: {} },
    { name: 'not verified here', body: trusted, user: { emailVerified: false }, account: {} },
    { name: 'an administrator', body: trusted, user: { roles: ['ROLE_TENANT_ADMIN'] }, account: {} },
    { name: 'not active', body: trusted, user: { isActive: false }, account: {} },
  ])('otherwise the user is asked to sign in and link: $name', async ({ body, user, account }) => {
    const way = await connected(body);
    const id = await way.on.user('ada@acme.example', user);
    way.upstream.accounts.set('ada', { email: 'ada@acme.example', email_verified: true, ...account });
    const { page, who } = await arrive(way);
    expect([page.status, page.heading, who]).toEqual([422, 'You already have an account', undefined]);
    expect(await way.on.identities(id)).toEqual([]);
  });

  test('an address that went to somebody else there does not open the account of the one before', async () => {
    const way = await connected(trusted);
    const id = await way.on.user('ada@acme.example');
    expect((await arrive(way)).who?.id).toBe(id);
    way.upstream.accounts.set('eve', { email: 'ada@acme.example', email_verified: true });
    const { page, who } = await arrive(way, 'eve');
    expect([page.heading, who]).toEqual(['You already have an account', undefined]);
  });

  test('a new user whose address the provider is not trusted for is not verified, once it is said whose it is', async () => {
    const way = await connected({ trustedDomains: ['other.example'] });
    expect((await arrive(way)).who).toMatchObject({ email: 'ada@acme.example', emailVerified: false });
  });

  test('nobody who is blocked, though the identity is known', async () => {
    const way = await connected();
    const { who } = await arrive(way);
    await way.on.organization.org('POST', `/admin/users/${who?.id}/block`);
    const { page, who: again } = await arrive(way);
    expect([page.status, again]).toEqual([403, undefined]);
  });

  test('nobody while providers are not allowed, or this one is switched off, not even who is on the way', async () => {
    for (const off of ['setting', 'provider'] as const) {
      const way = await connected();
      const browser = way.on.browser();
      const back = await way.upstream.signIn(await way.on.leave(browser, 'oidc'), 'ada');
      if (off === 'provider') await way.on.change(way.number, { isEnabled: false });
      else await way.on.site.set('authentication', { allowSocialLogin: false });
      expect((await browser.arrive(back, way.upstream.url)).heading).toBe('This sign-in has expired');
      expect(await way.on.whoIsIn(browser)).toBeUndefined();
      const page = await way.on.site.begin(browser, { fresh: true });
      expect(page.links.map(({ text }) => text)).not.toContain('Continue with Acme');
      const flow = page.url.searchParams.get('flow');
      const tried = await browser.open(`${way.on.base}/signin/social/oidc?flow=${flow}`);
      expect([tried.status, tried.heading]).toEqual([400, 'This way to sign in isn’t available']);
    }
  });
});
