import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../browser/page.ts';
import { directory } from './upstreams/conducts.ts';
import { configurations, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const ada = { sub: 'g-1', email: 'ada@gmail.com', email_verified: true };
const seen = (page: Page) => [page.status, page.heading];

describe('who is not of the organization at the provider', () => {
  const anotherIsNeeded = [422, 'Use another account'];

  test.each([
    ['of no domain', {}, anotherIsNeeded],
    ['of another domain', { hd: 'evil.example' }, anotherIsNeeded],
    ['of a domain below', { hd: 'x.acme.example' }, anotherIsNeeded],
  ])('google: %s, though the address says so', async (_, hd, expected) => {
    const on = await world.site({ ...configurations.google, hostedDomain: 'acme.example' });
    const browser = on.browser();
    const departure = await on.leave(browser, 'google');
    expect(departure.searchParams.get('hd')).toBe('acme.example');
    const claims = { ...ada, email: 'ada@acme.example', ...hd };
    expect(seen(await browser.arrive(world.known.signIn(departure, { claims }), departure.origin))).toEqual(expected);
    expect(await on.whoIsIn(browser)).toBeUndefined();
  });

  test('google: of the domain', async () => {
    const on = await world.site({ ...configurations.google, hostedDomain: 'Acme.example' });
    const browser = on.browser();
    await on.signIn(browser, 'google', { claims: { ...ada, hd: 'acme.example' } });
    expect(await on.whoIsIn(browser)).toBeDefined();
  });

  test('microsoft: of another directory', async () => {
    const on = await world.site({ ...configurations.microsoft, orgId: directory });
    const browser = on.browser();
    const other = directory.replace('7', '8');
    const claims = { ...ada, tid: other, iss: `https://login.microsoftonline.com/${other}/v2.0` };
    const page = await on.signIn(browser, 'microsoft', { claims });
    expect(page.status).toBe(422);
    expect(await on.whoIsIn(browser)).toBeUndefined();
    await on.signIn(browser, 'microsoft', { claims: { ...ada, tid: directory } });
    expect(await on.whoIsIn(browser)).toMatchObject({ emailVerified: false });
  });
});

describe('an address', () => {
  const linking = { autoLinkUsers: true };

  test.each([
    ['google', { ...ada, email: 'ada@acme.example', email_verified: true }, 'of a domain that google does not run'],
    [
      'google',
      { ...ada, email: 'ada@acme.example', email_verified: true, hd: 'evil.example' },
      'of another domain there',
    ],
    ['microsoft', { sub: 'm-1', tid: directory, email: 'ada@acme.example', xms_edov: true }, 'of any directory'],
    ['linkedin', { sub: 'l-1', email: 'ada@acme.example', email_verified: true }, 'of a network'],
    [
      'github',
      { id: 1, login: 'ada', emails: [{ email: 'ada@acme.example', primary: true, verified: true }] },
      'of a code host',
    ],
  ] as const)('%s: does not open an account here (%#: $2)', async (provider, claims, _) => {
    const on = await world.site({ ...configurations[provider], ...linking });
    const id = await on.user('ada@acme.example');
    const browser = on.browser();
    expect(seen(await on.signIn(browser, provider, { claims }))).toEqual([422, 'You already have an account']);
    expect(await on.whoIsIn(browser)).toBeUndefined();
    expect(await on.identities(id)).toEqual([]);
  });

  test('facebook: opens no account here, and does not tell whether there is one', async () => {
    const on = await world.site({ ...configurations.facebook, ...linking });
    const owner = await on.user('ada@acme.example');
    for (const [id, email] of [
      ['1', 'ada@acme.example'],
      ['2', 'eve@acme.example'],
    ]) {
      const browser = on.browser();
      const page = await on.signIn(browser, 'facebook', { claims: { id, email } });
      expect(seen(page)).toEqual([422, 'Your email address isn’t confirmed']);
      expect(await on.whoIsIn(browser)).toBeUndefined();
    }
    expect(await on.identities(owner)).toEqual([]);
  });

  test.each([
    ['google', { ...ada, email: 'ada@gmail.com' }, {}],
    ['google', { ...ada, email: 'ada@acme.example', hd: 'acme.example' }, {}],
    ['apple', { sub: 'a-1', email: 'ada@icloud.com', email_verified: 'true' }, {}],
    [
      'microsoft',
      { sub: 'm-1', tid: directory, email: 'ada@acme.example' },
      { orgId: directory, trustedDomains: ['acme.example'] },
    ],
  ] as const)(
    '%s: opens one where the provider has given it out, or is trusted for it (%#)',
    async (provider, claims, more) => {
      const on = await world.site({ ...configurations[provider], ...linking, ...more });
      const id = await on.user(claims.email);
      const browser = on.browser();
      const page = await on.signIn(browser, provider, { claims });
      expect((await on.whoIsIn(browser))?.id, page.describe()).toBe(id);
    },
  );

  test('that is not confirmed at GitHub is none', async () => {
    const on = await world.site(configurations.github);
    const browser = on.browser();
    const emails = [
      { email: 'ada@example.org', primary: true, verified: false },
      { email: 'other@example.org', primary: false, verified: true },
    ];
    const claims = { id: 7, login: 'ada', email: 'ada@example.org', emails };
    expect(seen(await on.signIn(browser, 'github', { claims }))).toEqual([422, 'An email address is missing']);
  });
});
