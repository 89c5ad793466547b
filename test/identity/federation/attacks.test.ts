import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { directory, type KnownProvider } from './upstreams/conducts.ts';
import type { Visit } from './upstreams/known-providers.ts';
import { configurations, type FederationSite, FederationWorld } from './world.ts';

let world: FederationWorld;
beforeAll(async () => {
  world = await FederationWorld.start();
});
afterAll(() => world.stop());

const ada = { sub: 'g-1', email: 'ada@gmail.com', email_verified: true };
const over = [400, 'This sign-in has expired'];
const seen = (page: Page) => [page.status, page.heading];

/** A browser that is at google, and the way back that google offers it. */
async function away(provider: KnownProvider = 'google', ...others: KnownProvider[]) {
  const on = await world.site(...[provider, ...others].map((each) => configurations[each]));
  const browser = on.browser();
  const departure = await on.leave(browser, provider);
  const back = (visit: Visit = { claims: ada }) => world.known.signIn(departure, visit);
  return { on, browser, departure, back };
}

async function expectNobody(on: FederationSite, ...browsers: FormBrowser[]): Promise<void> {
  for (const browser of browsers) expect(await on.whoIsIn(browser)).toBeUndefined();
  expect((await on.organization.tenant('GET', '/admin/users')).at('pagination.total')).toBe(0);
}

describe('state', () => {
  test('of another browser is nothing, whoever has it', async () => {
    const { on, browser, departure, back } = await away();
    const way = back();
    const other = on.browser();
    expect(seen(await other.arrive(way, departure.origin))).toEqual(over);
    await other.open(`${on.base}/signin`);
    expect(seen(await other.arrive(way, departure.origin))).toEqual(over);
    await expectNobody(on, browser, other);
    // and nothing was spoilt for the browser that began
    expect((await browser.arrive(way, departure.origin)).url.pathname).toBe(`${on.base}/account`);
  });

  test('works once: neither the same answer nor a new code comes in with it again', async () => {
    const { on, browser, departure, back } = await away();
    const way = back();
    await browser.arrive(way, departure.origin);
    const page = await browser.arrive(way, departure.origin);
    expect(seen(page)).toEqual(over);
    // who is signed in is led to the account, and not asked again
    expect((await browser.click(page, 'Go to sign-in')).url.pathname).toBe(`${on.base}/account`);
    expect(seen(await browser.arrive(back(), departure.origin))).toEqual(over);
    expect(await on.whoIsIn(browser)).toMatchObject({ email: ada.email });
  });

  test('works once when the same answer comes twenty times at once', async () => {
    const { on, browser, departure, back } = await away();
    const way = back();
    const asked = world.known.asked.length;
    const pages = await Promise.all(Array.from({ length: 20 }, () => browser.arrive(way, departure.origin)));
    expect(pages.filter((page) => page.url.pathname === `${on.base}/account`)).toHaveLength(1);
    const tokens = world.known.asked.slice(asked).filter((url) => url === 'https://oauth2.googleapis.com/token');
    expect(tokens).toHaveLength(1);
  });

  test('lasts ten minutes, and is swept', async () => {
    const { on, browser, departure, back } = await away();
    const { service } = world.signIns.provider;
    const { name } = on.organization.organization.store;
    expect(service.idsOf(name, 'federation_attempts')).toHaveLength(1);
    service.clock.advance(10 * 60_000);
    expect(seen(await browser.arrive(back(), departure.origin))).toEqual(over);
    service.clock.advance(1);
    await service.sweep();
    expect(service.idsOf(name, 'federation_attempts')).toEqual([]);
    await expectNobody(on, browser);
  });

  test('of nobody, and none, and an answer to the address of another provider', async () => {
    const { on, browser, departure, back } = await away('google', 'linkedin');
    for (const query of ['', '?state=', `?state=${'S'.repeat(43)}&code=x`, '?code=x', '?arrival=']) {
      expect(seen(await browser.open(on.callback('google') + query))).toEqual(over);
    }
    const way = back();
    way.url.pathname = way.url.pathname.replace('/google/', '/linkedin/');
    expect(seen(await browser.arrive(way, departure.origin))).toEqual(over);
    await expectNobody(on, browser);
  });

  test('of another organization', async () => {
    const { on, browser, departure, back } = await away();
    const other = await world.site(configurations.google);
    const way = back();
    way.url.pathname = way.url.pathname.replace(on.base, other.base);
    expect(seen(await browser.arrive(way, departure.origin))).toEqual(over);
    await expectNobody(on, browser);
    await expectNobody(other, browser);
  });

  test('repeated, or too long, is no request', async () => {
    const { on, browser } = await away();
    for (const query of ['?state=a&state=b', `?state=${'s'.repeat(200)}`, `?state=s&code=${'c'.repeat(9000)}`]) {
      expect((await browser.open(on.callback('google') + query)).status).toBe(400);
    }
  });

  test('of a flow that is over leads nowhere', async () => {
    const { on, browser, departure, back } = await away();
    const first = back();
    await on.signIn(browser, 'google', { claims: { ...ada, sub: 'g-2', email: 'eve@gmail.com' } });
    // the flow of the first attempt goes on in this browser, and ends the session of the second
    await browser.arrive(first, departure.origin);
    expect(await on.whoIsIn(browser)).toMatchObject({ email: ada.email });
    const flow = new URL((await browser.open(`${on.base}/signin/social/google?flow=nothing`)).url);
    expect(flow.pathname).toBe(`${on.base}/signin/social/google`);
  });
});

describe('an ID token', () => {
  const refused = [422, 'That didn’t work'];
  const now = () => Math.floor(Date.now() / 1000);
  interface Forgery {
    readonly name: string;
    readonly reason: RegExp;
    readonly visit: Visit;
    readonly provider?: KnownProvider;
  }
  const forgeries: readonly Forgery[] = [
    { name: 'with another nonce', reason: /nonce/, visit: { claims: { ...ada, nonce: 'another' } } },
    { name: 'without a nonce', reason: /nonce/, visit: { claims: { ...ada, nonce: undefined } } },
    {
      name: 'of another issuer',
      reason: /iss/,
      visit: { claims: { ...ada, iss: 'https://accounts.google.com.evil.example' } },
    },
    { name: 'for another client', reason: /aud/, visit: { claims: { ...ada, aud: 'another client' } } },
    {
      name: 'for several, of whom another asked',
      reason: /azp/,
      visit: { claims: { ...ada, aud: ['client of google', 'x'], azp: 'x' } },
    },
    { name: 'that has expired', reason: /exp/, visit: { claims: { ...ada, iat: now() - 7200, exp: now() - 3600 } } },
    { name: 'of nobody', reason: /sub/, visit: { claims: { ...ada, sub: undefined } } },
    { name: 'of an empty name', reason: /names nobody/, visit: { claims: { ...ada, sub: '' } } },
    { name: 'of a name without bounds', reason: /names nobody/, visit: { claims: { ...ada, sub: 's'.repeat(2000) } } },
    {
      name: 'signed by nobody',
      reason: /alg/,
      visit: { claims: ada, sign: async (payload) => new UnsecuredJWT(payload).encode() },
    },
    {
      name: 'signed with the client secret',
      reason: /alg/,
      visit: {
        claims: ada,
        sign: (payload) =>
          new SignJWT(payload)
            .setProtectedHeader({ alg: 'HS256' })
            .sign(Buffer.from('secret of google'.padEnd(32, '.'))),
      },
    },
    {
      name: 'signed by another key of the same name',
      reason: /signature/,
      visit: {
        claims: ada,
        sign: async (payload, from) => from.sign(payload, (await generateKeyPair('RS256')).privateKey),
      },
    },
    {
      name: 'that brings its key along',
      reason: /signature/,
      visit: {
        claims: ada,
        sign: async (payload) => {
          const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
          const jwk = await crypto.subtle.exportKey('jwk', publicKey);
          return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', jwk: jwk as never }).sign(privateKey);
        },
      },
    },
    { name: 'that is none', reason: /Invalid JWT/, visit: { claims: ada, sign: async () => 'no token' } },
    {
      name: 'of a directory that its issuer is not',
      reason: /iss/,
      provider: 'microsoft',
      visit: { claims: { ...ada, tid: directory.replace('7', '8') } },
    },
    {
      name: 'that names no directory',
      reason: /iss|directory/,
      provider: 'microsoft',
      visit: { claims: { ...ada, tid: '{tenantid}' } },
    },
    {
      name: 'of apple, with another nonce',
      reason: /nonce/,
      provider: 'apple',
      visit: { claims: { ...ada, nonce: 'another' } },
    },
    {
      name: 'of linkedin, for another client',
      reason: /aud/,
      provider: 'linkedin',
      visit: { claims: { ...ada, aud: 'another' } },
    },
  ];

  test.each(forgeries)('$name is refused', async ({ visit, reason, provider = 'google' }) => {
    const { on, browser, departure, back } = await away(provider);
    const page = await browser.arrive(back(visit), departure.origin);
    expect(seen(page), page.describe()).toEqual(refused);
    expect(world.reasons.at(-1)).toMatch(reason);
    expect(page.text).not.toMatch(/nonce|token|signature|issuer|jwt/i);
    await expectNobody(on, browser);
  });

  test('of a sign-in that is older than the wish for a fresh one does not count as one', async () => {
    const on = await world.site(configurations.google);
    const clock = world.signIns.provider.service.clock.now();
    const claims = { ...ada, auth_time: Math.floor(clock / 1000) - 180 };
    for (const [fresh, isIn] of [
      [true, false],
      [false, true],
    ] as const) {
      const browser = on.browser();
      const departure = await on.leave(browser, 'google', fresh);
      await browser.arrive(world.known.signIn(departure, { claims }), departure.origin);
      expect((await on.whoIsIn(browser)) !== undefined).toBe(isIn);
      if (fresh) expect(world.reasons.at(-1)).toContain('an old one');
    }
  });

  test('is proved by the keys that the provider has now', async () => {
    const { on, browser, departure, back } = await away();
    expect((await browser.arrive(back(), departure.origin)).url.pathname).toBe(`${on.base}/account`);
    await world.known.rotate();
    const second = on.browser();
    expect((await on.signIn(second, 'google', { claims: ada })).url.pathname).toBe(`${on.base}/account`);
  });
});
