import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { directory, type KnownProvider } from './upstreams/conducts.ts';
import { configurations, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

interface Way {
  readonly provider: KnownProvider;
  /** What the provider tells. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, string>>;
  /** Whom it makes of somebody new; nobody where it is absent. */
  readonly user?: Readonly<Record<string, unknown>>;
  readonly identity: Readonly<Record<string, unknown>>;
}

const ways: readonly Way[] = [
  {
    provider: 'google',
    claims: {
      sub: '110248495921238986420',
      email: 'ada@gmail.com',
      email_verified: true,
      name: 'Ada Lovelace',
      given_name: 'Ada',
      family_name: 'Lovelace',
      picture: 'https://lh3.googleusercontent.com/a/1',
      locale: 'en',
    },
    user: {
      email: 'ada@gmail.com',
      emailVerified: true,
      name: 'Ada Lovelace',
      givenName: 'Ada',
      familyName: 'Lovelace',
    },
    identity: { issuer: 'https://accounts.google.com', subject: '110248495921238986420' },
  },
  {
    provider: 'microsoft',
    claims: {
      sub: 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ',
      tid: directory,
      email: 'ada@contoso.com',
      name: 'Ada',
      xms_edov: true,
    },
    user: { email: 'ada@contoso.com', emailVerified: true, name: 'Ada' },
    identity: { issuer: `https://login.microsoftonline.com/${directory}/v2.0` },
  },
  {
    provider: 'apple',
    claims: {
      sub: '001473.fe6f83bf4b8e4590aacbabdcb8598bd0.2039',
      email: 'x@privaterelay.appleid.com',
      email_verified: 'true',
    },
    answer: { user: JSON.stringify({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'evil@example.com' }) },
    user: { email: 'x@privaterelay.appleid.com', emailVerified: true, name: 'Ada Lovelace', givenName: 'Ada' },
    identity: { issuer: 'https://appleid.apple.com' },
  },
  {
    provider: 'linkedin',
    claims: { sub: '782bbtaQ', email: 'ada@example.com', email_verified: 'true', name: 'Ada Lovelace' },
    user: { email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace' },
    identity: { issuer: 'https://www.linkedin.com/oauth', subject: '782bbtaQ' },
  },
  {
    provider: 'github',
    claims: {
      id: 583231,
      login: 'ada',
      name: 'Ada Lovelace',
      email: 'public@example.com',
      avatar_url: 'https://avatars.githubusercontent.com/u/583231',
      emails: [
        { email: 'old@example.com', primary: false, verified: true, visibility: null },
        { email: 'ada@example.org', primary: true, verified: true, visibility: 'private' },
      ],
    },
    user: { email: 'ada@example.org', emailVerified: true, name: 'Ada Lovelace' },
    identity: { issuer: 'https://github.com', subject: '583231' },
  },
  {
    provider: 'facebook',
    claims: {
      id: '10158000000000001',
      name: 'Ada Lovelace',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.net',
    },
    // it vouches for no address: whoever has one of it has an account already, and links it
    identity: { issuer: 'https://www.facebook.com', subject: '10158000000000001' },
  },
];

const newcomers = ways.flatMap(({ user, ...way }) => (user === undefined ? [] : [{ ...way, user }]));

describe.each(newcomers)('$provider', ({ provider, claims, answer = {}, user, identity }) => {
  test('whoever comes for the first time becomes a user, and is the same one the next time', async () => {
    const on = await world.site(configurations[provider]);
    const browser = on.browser();
    const page = await on.signIn(browser, provider, { claims, answer });
    expect(page.steps.at(-1)?.url.pathname, page.describe()).toBe(`${on.base}/account`);
    const who = await on.whoIsIn(browser);
    expect(who).toMatchObject(user);
    expect(await on.session()).toMatchObject({ authMethod: 'social', mfaVerified: false });
    expect(await on.identities(String(who?.id))).toMatchObject([{ provider, how: 'registered', ...identity }]);
    const other = on.browser();
    await on.signIn(other, provider, { claims, answer });
    expect((await on.whoIsIn(other))?.id).toBe(who?.id);
    expect((await on.organization.tenant('GET', '/admin/users')).at('pagination.total')).toBe(1);
  });
});

test('facebook: whoever has linked an account there signs in with it', async () => {
  const on = await world.site(configurations.facebook);
  const { claims = {}, identity } = ways.find(({ provider }) => provider === 'facebook') ?? {};
  const person = await on.site.person();
  const browser = on.browser();
  await signIn(browser, await browser.open(`${on.base}/signin`), person);
  const onward = await browser.submit(
    await browser.open(`${on.base}/account/identities`),
    {},
    { button: 'Connect Facebook' },
  );
  const departure = new URL(onward.link('Continue').href);
  await browser.arrive(world.known.signIn(departure, { claims }), departure.origin);
  expect(await on.identities(person.id)).toMatchObject([{ provider: 'facebook', how: 'linked', ...identity }]);
  const other = on.browser();
  await on.signIn(other, 'facebook', { claims });
  expect((await on.whoIsIn(other))?.id).toBe(person.id);
});

describe.each(ways)('$provider', ({ provider }) => {
  test('who cancels there is told that nothing has changed', async () => {
    const on = await world.site(configurations[provider]);
    const browser = on.browser();
    const departure = await on.leave(browser, provider);
    const page = await browser.arrive(world.known.refuse(departure, 'access_denied'), departure.origin);
    expect(page.status).toBe(422);
    expect(page.heading).toBe('You’re not signed in');
    expect((await browser.click(page, 'Choose how to sign in')).heading).toBe('Sign in');
    expect(await on.whoIsIn(browser)).toBeUndefined();
  });
});
