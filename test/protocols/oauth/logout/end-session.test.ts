import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import { InProcessService, type NewUser, type SignedIn } from '../../../identity/sessions/in-process-service.ts';
import { baseUrl, LogoutWorld } from './logout-world.ts';

const after = 'https://app.example/signed-out?from=here';

let service: InProcessService;
let world: LogoutWorld;
let anne: NewUser;
let session: SignedIn;
let browser: FormBrowser;
let client: string;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_BASE_URL: baseUrl, RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  world = await LogoutWorld.open(service, `end${++count}`);
  anne = await world.org.newUser('anne@example.com');
  client = await world.client({ postLogoutRedirectUris: [after, 'com.example.app:/out'], type: 'public' });
  session = await world.signIn(anne, client);
  browser = world.browser(session);
});
afterEach(() => world.close());
afterAll(() => service.stop());

function ask(parameters: Readonly<Record<string, string>>, at = browser): Promise<Page> {
  return at.open(`${world.endpoint}?${new URLSearchParams(parameters)}`, { from: 'https://app.example' });
}

const hint = () => world.idToken({ sub: anne.id, aud: client, sid: session.id });
const isIn = () => world.org.isSignedIn(session);

describe('with an ID token of this session', () => {
  test('the session ends at once, and the browser goes back with its state', async () => {
    const page = await ask({ id_token_hint: await hint(), post_logout_redirect_uri: after, state: 'a b&c' });
    expect(page.left.url.href).toBe(`${after}&state=a+b%26c`);
    expect(isIn()).toBe(false);
    expect(browser.cookies.named(/session|state/)).toBeUndefined();
    const log = await world.org.org('GET', '/admin/audit-logs?action=session.end');
    expect(log.list('data.data')).toMatchObject([{ eventType: 'user.logout', actorId: anne.id, targetId: session.id }]);
    await world.notify();
    expect((await world.told()).map(({ payload }) => payload.sid)).toEqual([session.id]);
  });

  test('without an address, a page says so', async () => {
    const page = await ask({ id_token_hint: await hint(), client_id: client });
    expect([page.status, page.heading, page.url.pathname]).toEqual([
      200,
      'You’re signed out',
      `/orgs/${world.org.organization.slug}/signed-out`,
    ]);
    expect(isIn()).toBe(false);
  });

  test('also when it has expired, by POST, and to an app’s own scheme', async () => {
    const old = await hint();
    service.clock.advance(2 * 3_600_000);
    await world.service.signedIn.sessions.flush();
    const fields = { id_token_hint: old, post_logout_redirect_uri: 'com.example.app:/out', state: 'x' };
    const page = await browser.post(world.endpoint, fields, { from: 'https://app.example' });
    expect(page.left.url.href).toBe('com.example.app:/out?state=x');
    expect(isIn()).toBe(false);
  });
});

describe('without one', () => {
  const cases: { name: string; parameters: () => Promise<Record<string, string>> }[] = [
    { name: 'nothing', parameters: async () => ({}) },
    { name: 'client and address', parameters: async () => ({ client_id: client, post_logout_redirect_uri: after }) },
    {
      name: 'an ID token of another session',
      parameters: async () => ({
        id_token_hint: await world.idToken({ sub: anne.id, aud: client, sid: (await world.signIn(anne, client)).id }),
        post_logout_redirect_uri: after,
      }),
    },
    {
      name: 'an ID token without a session',
      parameters: async () => ({
        id_token_hint: await world.idToken({ sub: anne.id, aud: client }),
        post_logout_redirect_uri: after,
      }),
    },
    {
      name: 'an ID token of another user',
      parameters: async () => ({ id_token_hint: await world.idToken({ sub: 'bob', aud: client, sid: session.id }) }),
    },
    {
      name: 'an ID token of a client that is gone',
      parameters: async () => ({ id_token_hint: await world.idToken({ sub: anne.id, aud: 'gone', sid: session.id }) }),
    },
  ];

  test.each(cases)('the user is asked first: $name', async ({ parameters }) => {
    const asked = await parameters();
    const page = await ask({ ...asked, state: 's' });
    expect([page.status, page.heading]).toEqual([200, 'Sign out?']);
    expect(page.text).toContain('anne@example.com');
    expect(isIn()).toBe(true);
    const done = await browser.submit(page, {}, { button: 'Sign out' });
    expect(isIn()).toBe(false);
    if (asked.post_logout_redirect_uri === undefined) expect(done.heading).toBe('You’re signed out');
    else expect(done.left.url.href).toBe(`${after}&state=s`);
  });

  test('the form is good in this browser alone, and cannot be led elsewhere', async () => {
    const page = await ask({ client_id: client, post_logout_redirect_uri: after });
    const foreign = await browser.submit(
      page,
      {},
      { button: 'Sign out', from: 'https://evil.example', forgetsSameSite: true },
    );
    expect(foreign.status).toBe(403);
    const unsigned = await browser.submit(page, {}, { button: 'Sign out', tampered: { csrf: 'x' } });
    expect(unsigned.status).toBe(403);
    const tampered = { post_logout_redirect_uri: 'https://evil.example/' };
    expect((await browser.submit(page, {}, { button: 'Sign out', tampered })).status).toBe(400);
    expect(isIn()).toBe(true);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('who is not signed in is not asked', async () => {
    const stranger = world.browser();
    expect(
      (await ask({ client_id: client, post_logout_redirect_uri: after, state: 's' }, stranger)).left.url.href,
    ).toBe(`${after}&state=s`);
    expect((await ask({}, stranger)).heading).toBe('You’re signed out');
  });
});

describe('for a client that registered itself', () => {
  const evil = 'https://evil.example/out';

  async function registered(): Promise<string> {
    const open = { registration: { dynamic_client_registration_enabled: true } };
    await world.org.org('PATCH', '/admin/settings/auth', { body: open });
    const made = await service.call('POST', `/orgs/${world.org.organization.slug}/api/v1/connect/register`, {
      body: { redirect_uris: ['https://evil.example/cb'], post_logout_redirect_uris: [evil] },
    });
    expect(made.status).toBe(201);
    return made.text('client_id');
  }

  test('nobody is led away who has not been told of, signed in or not', async () => {
    const dynamic = await registered();
    const asked = { client_id: dynamic, post_logout_redirect_uri: evil };
    const theirs = await world.idToken({ sub: 'mallory', aud: dynamic, sid: 'theirs' });
    for (const parameters of [asked, { ...asked, id_token_hint: theirs }]) {
      const page = await ask(parameters, world.browser());
      expect([page.status, page.heading]).toEqual([200, 'You’re signed out']);
      expect(page.link('Continue to evil.example').href).toBe(evil);
    }
    const done = await browser.submit(await ask(asked), {}, { button: 'Sign out' });
    expect([done.departure, done.heading]).toEqual([undefined, 'You’re signed out']);
    expect(isIn()).toBe(false);
    expect(browser.cookies.named(/session|state/)).toBeUndefined();
  });

  test('whoever signed in to it goes back to it', async () => {
    const dynamic = await registered();
    const id_token_hint = await world.idToken({ sub: anne.id, aud: dynamic, sid: session.id });
    expect((await ask({ id_token_hint, post_logout_redirect_uri: evil })).left.url.href).toBe(evil);
  });
});

describe('what is refused with a page, and neither followed nor redirected', () => {
  const forged: { name: string; parameters: () => Promise<Record<string, string>> }[] = [
    {
      name: 'an address that is not registered',
      parameters: async () => ({ id_token_hint: await hint(), post_logout_redirect_uri: 'https://evil.example/' }),
    },
    ...[
      'HTTPS://app.example/signed-out?from=here',
      `${after}&x=1`,
      `${after}#x`,
      'https://app.example/signed-out',
      '//app.example',
    ].map((uri) => ({
      name: uri,
      parameters: async () => ({ id_token_hint: await hint(), post_logout_redirect_uri: uri }),
    })),
    { name: 'an address of nobody', parameters: async () => ({ post_logout_redirect_uri: after }) },
    { name: 'an unknown client', parameters: async () => ({ client_id: 'nobody', post_logout_redirect_uri: after }) },
    {
      name: 'an ID token of another client',
      parameters: async () => ({ id_token_hint: await hint(), client_id: await world.client() }),
    },
    {
      name: 'no ID token',
      parameters: async () => ({ id_token_hint: 'x.y.z', post_logout_redirect_uri: after, client_id: client }),
    },
    {
      name: 'another issuer',
      parameters: async () => ({
        id_token_hint: await world.idToken({ sub: anne.id, aud: client, sid: session.id, iss: 'https://x' }),
      }),
    },
    {
      name: 'a token of another type',
      parameters: async () => ({
        id_token_hint: await world.idToken({ sub: anne.id, aud: client, sid: session.id }, { typ: 'logout+jwt' }),
      }),
    },
    {
      name: 'a changed token',
      parameters: async () => {
        const [head, , signature] = (await hint()).split('.');
        const claims = { iss: world.issuer, sub: anne.id, aud: client, sid: session.id, more: true };
        return { id_token_hint: `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}` };
      },
    },
    {
      name: 'a token without a signature',
      parameters: async () => {
        const claims = { iss: world.issuer, sub: anne.id, aud: client, sid: session.id };
        const parts = [{ alg: 'none', typ: 'JWT' }, claims].map((part) =>
          Buffer.from(JSON.stringify(part)).toString('base64url'),
        );
        return { id_token_hint: `${parts.join('.')}.` };
      },
    },
    {
      name: 'a token of another organization',
      parameters: async () => {
        const other = await LogoutWorld.open(service, `other${count}`);
        const token = await other.idToken({ sub: anne.id, aud: client, sid: session.id, iss: world.issuer });
        await other.close();
        return { id_token_hint: token };
      },
    },
  ];

  test.each(forged)('$name', async ({ parameters }) => {
    const asked = await parameters();
    for (const page of [await ask(asked), await browser.post(world.endpoint, asked, { from: 'https://app.example' })]) {
      expect(page.departure).toBeUndefined();
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
    }
    expect(isIn()).toBe(true);
  });

  test('a parameter given twice', async () => {
    const page = await browser.open(`${world.endpoint}?client_id=${client}&client_id=${client}`);
    expect(page.status).toBe(400);
  });
});
