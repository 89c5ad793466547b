import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../browser/form-browser.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { browserOf, newPerson, type Person, signIn, tokensFor } from '../protocols/oauth/signing-in.ts';
import { Provider } from '../protocols/oauth/world.ts';
import { RunningService } from '../server/running-service.ts';
import { onEveryThread, threadsLogged } from './on-every-thread.ts';

const THREADS = 2;

let service: RunningService;
let provider: Provider;
let party: RelyingParty;
let count = 0;

beforeAll(async () => {
  service = await RunningService.start({
    ...threadsLogged(THREADS),
    RELATA_LIMIT_RATE_REFUSED: '0',
  });
});
beforeEach(async () => {
  provider = new Provider(await service.organization(`threads${++count}`));
  party = await RelyingParty.register(provider, { skipConsent: true });
});
afterAll(() => service.remove());

function everywhere(path: string, headers: Readonly<Record<string, string>>): Promise<number[]> {
  return onEveryThread(service, THREADS, path, headers);
}

/** Somebody with a session in a browser, and with tokens of an application. */
class SignedIn {
  readonly person: Person;
  readonly browser: FormBrowser;
  readonly accessToken: string;
  readonly refreshToken: string;

  private constructor(person: Person, browser: FormBrowser, accessToken: string, refreshToken: string) {
    this.person = person;
    this.browser = browser;
    this.accessToken = accessToken;
    this.refreshToken = refreshToken;
  }

  static async come(scope = 'openid'): Promise<SignedIn> {
    const person = await newPerson(provider);
    const browser = browserOf(provider);
    const tokens = await tokensFor(party, browser, person, { scope });
    return new SignedIn(person, browser, tokens.access_token, String(tokens.refresh_token));
  }

  /** What every thread says of the session's cookie and of the access token. */
  async seen() {
    const { slug } = provider.organization;
    const cookie = this.browser.cookies.header(new URL(`${provider.issuer}/account`), {
      crossSite: false,
      method: 'GET',
    });
    return {
      account: await everywhere(`/orgs/${slug}/account`, { cookie }),
      token: await everywhere(`/orgs/${slug}/api/v1/authz/permissions`, {
        authorization: `Bearer ${this.accessToken}`,
      }),
    };
  }

  refresh(): Promise<Response> {
    const grant = { grant_type: 'refresh_token', refresh_token: this.refreshToken };
    return party.post(String(party.server.token_endpoint), grant, basic());
  }
}

function basic(): Readonly<Record<string, string>> {
  return { authorization: `Basic ${Buffer.from(`${party.id}:${party.secret}`).toString('base64')}` };
}

/** As a directory of people says that somebody has left. */
async function deactivateByProvisioning(id: string): Promise<void> {
  const { slug, key } = provider.organization;
  const settings = `/orgs/${slug}/api/v1/admin/settings/scim`;
  await service.call('PATCH', settings, { key, body: { enabled: true } });
  const made = await service.call('POST', `${settings}/tokens`, { key, body: { name: 'directory' } });
  const left = await service.call('PATCH', `/orgs/${slug}/scim2.0/Users/${id}`, {
    key: String(made.at('data.data.token')),
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    },
  });
  expect(left).toMatchObject({ status: 200, body: { active: false } });
}

const good = { account: [200], token: [200] };
const ended = { account: [303], token: [401] };

describe('sessions and tokens fail at the very next request, on every thread', () => {
  const ends: { name: string; end: (who: SignedIn) => Promise<unknown> }[] = [
    { name: 'of a blocked user', end: ({ person }) => provider.admin('POST', `/admin/users/${person.id}/block`) },
    { name: 'of a deleted user', end: ({ person }) => provider.admin('DELETE', `/admin/users/${person.id}`) },
    {
      name: 'of a deactivated user',
      end: ({ person }) => provider.admin('PATCH', `/admin/users/${person.id}`, { isActive: false }),
    },
    { name: 'of a user whom provisioning deactivates', end: ({ person }) => deactivateByProvisioning(person.id) },
    {
      name: 'of who has signed out',
      async end({ browser }) {
        await browser.submit(await browser.open(`${provider.issuer}/account`), {}, { button: 'Sign out' });
      },
    },
    {
      name: 'of a user whose sessions an administrator has ended',
      end: ({ person }) => provider.admin('DELETE', `/admin/users/${person.id}/sessions`),
    },
    { name: 'of everybody', end: () => provider.admin('POST', '/admin/sessions/revoke-all', { confirm: true }) },
    {
      name: 'of a user whose password an administrator has set',
      end: ({ person }) => provider.admin('PUT', `/admin/users/${person.id}/password`, { password: 'entirely new 1' }),
    },
  ];

  test.each(ends)('$name', async ({ end }) => {
    const who = await SignedIn.come();
    const cookies = who.browser.cookies.all();
    expect(await who.seen()).toEqual(good);
    await end(who);
    // a thief keeps the cookies that the browser has given up
    for (const cookie of cookies) who.browser.cookies.plant(cookie);
    expect(await who.seen()).toEqual(ended);
    expect((await who.refresh()).status).toBe(400);
  });

  test('of the same user: a token that outlives the session fails with the block as well', async () => {
    const who = await SignedIn.come('openid offline_access');
    await who.browser.submit(await who.browser.open(`${provider.issuer}/account`), {}, { button: 'Sign out' });
    expect((await who.seen()).token).toEqual([200]);
    await provider.admin('POST', `/admin/users/${who.person.id}/block`);
    expect((await who.seen()).token).toEqual([401]);
    expect((await who.refresh()).status).toBe(400);
  });

  test('tokens alone: revoked by the application, by the user who disconnects it, or with the application', async () => {
    const [first, second, third] = [await SignedIn.come(), await SignedIn.come(), await SignedIn.come()];
    await party.post(String(party.server.revocation_endpoint), { token: first.accessToken }, basic());
    const page = await second.browser.open(`${provider.issuer}/account/applications`);
    await second.browser.submit(page, {}, { button: 'Remove access for An application' });
    expect([await first.seen(), await second.seen(), await third.seen()]).toEqual([
      { account: [200], token: [401] },
      { account: [200], token: [401] },
      good,
    ]);
    await provider.admin('PATCH', `/admin/clients/${party.id}`, { isActive: false });
    expect((await third.seen()).token).toEqual([401]);
  });

  test('of one device: the other one goes on', async () => {
    const who = await SignedIn.come();
    const other = browserOf(provider);
    await signIn(other, await other.open(`${provider.issuer}/account`), who.person);
    const page = await other.open(`${provider.issuer}/account/sessions`);
    await other.submit(page, {}, { button: 'Sign out everywhere else' });
    expect(await who.seen()).toEqual(ended);
    expect((await other.open(`${provider.issuer}/account`)).heading).toMatch(/^Hello/);
  });

  test('where the organization wants one session at a time, a new one ends the one before', async () => {
    await provider.admin('PUT', '/admin/settings', { sessionPolicy: { singleSession: true } });
    const who = await SignedIn.come();
    expect(await who.seen()).toEqual(good);
    const other = browserOf(provider);
    await signIn(other, await other.open(`${provider.issuer}/account`), who.person);
    expect(await who.seen()).toEqual(ended);
  });
});

describe('credentials of SCIM fail at the very next request, on every thread', () => {
  let token: string;
  let id: string;

  const settings = (body: object) => provider.admin('PATCH', '/admin/settings/scim', body);
  const seen = (credential = token) =>
    everywhere(`/orgs/${provider.organization.slug}/scim2.0/Users`, { authorization: `Bearer ${credential}` });

  beforeEach(async () => {
    await settings({ enabled: true });
    const made = await provider.admin('POST', '/admin/settings/scim/tokens', { name: 'directory' });
    [id, token] = [made.text('data.id'), made.text('data.token')];
    expect(await seen()).toEqual([200]);
  });

  const ends: { name: string; end: () => Promise<unknown>; status: number }[] = [
    {
      name: 'a token that is revoked',
      end: () => provider.admin('DELETE', `/admin/settings/scim/tokens/${id}`),
      status: 401,
    },
    {
      name: 'a token that is rotated',
      end: () => provider.admin('POST', `/admin/settings/scim/tokens/${id}/rotate`),
      status: 401,
    },
    { name: 'all, where SCIM is switched off', end: () => settings({ enabled: false }), status: 403 },
  ];

  test.each(ends)('$name', async ({ end, status }) => {
    await end();
    expect(await seen()).toEqual([status]);
  });

  test('a client with the scope that is switched off', async () => {
    const { clientId, clientSecret } = await provider
      .admin('POST', '/admin/clients', { name: 'Directory', grantTypes: ['client_credentials'], scopes: ['scim'] })
      .then((made) => made.at('data') as { clientId: string; clientSecret: string });
    const answer = await service.call('POST', `/orgs/${provider.organization.slug}/api/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }).toString(),
    });
    const access = answer.text('access_token');
    expect(await seen(access)).toEqual([200]);
    await provider.admin('PATCH', `/admin/clients/${clientId}`, { isActive: false });
    expect(await seen(access)).toEqual([401]);
  });
});
