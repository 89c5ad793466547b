import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { userActing } from '../../../../src/directory/records/index.ts';
import { transactAs } from '../../../../src/kernel/transactions/index.ts';
import { disconnect } from '../../../../src/protocols/oauth/applications/connected.ts';
import { facts } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { newPerson, signIn } from '../signing-in.ts';
import { AuthorizeWorld, isConsent, said } from './world.ts';

let first: ClockedProvider;
let world: AuthorizeWorld;

beforeAll(async () => {
  first = await ClockedProvider.start('first');
});
beforeEach(async () => {
  world = await AuthorizeWorld.open(first);
});
afterAll(() => first.service.stop());

describe('the page', () => {
  test('says who asks, for what, on whose behalf, and where it leads', async () => {
    await world.provider.admin('POST', '/admin/scopes', { name: 'reports', description: 'Read your reports' });
    const party = await RelyingParty.register(world.provider, {
      name: 'Shop <b>',
      scopes: ['openid', 'email', 'reports', 'users.read', 'offline_access'],
      clientUri: 'https://shop.example/',
      policyUri: 'https://shop.example/privacy',
      tosUri: 'https://shop.example/terms',
      logoUri: 'https://shop.example/logo.png',
    });
    const request = await party.begin({ scope: 'openid email reports users.read offline_access' });
    const page = await (await world.browser()).open(request.url);
    expect(page.heading).toBe('Allow Shop <b>?');
    expect(page.html).not.toContain('<b>');
    expect(page.text).not.toContain('users.read');
    for (const text of [
      world.person.email,
      'See your email address',
      'Read your reports',
      'Read users',
      'Keep access after you sign out',
      'app.example',
    ]) {
      expect(page.text).toContain(text);
    }
    expect(page.links.map(({ href }) => href)).toEqual([
      'https://shop.example/',
      'https://shop.example/privacy',
      'https://shop.example/terms',
    ]);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(policy).toContain("img-src 'self' https://shop.example;");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });

  test('tells permissions apart that are described in the same words', async () => {
    for (const verb of ['Read', 'Write']) {
      const slug = `letter:${verb.toLowerCase()}`;
      const permission = { slug, name: `${verb} letters`, description: 'All of the organization' };
      expect((await world.provider.admin('POST', '/admin/permissions', permission)).status).toBe(201);
    }
    const scopes = ['openid', 'letter:read', 'letter:write'];
    const party = await RelyingParty.register(world.provider, { scopes });
    const request = await party.begin({ scope: scopes.join(' ') });
    const { text } = await (await world.browser()).open(request.url);
    for (const said of ['Read letters: All of', 'Write letters: All of']) expect(text).toContain(said);
  });

  test('leads back with access_denied where the user refuses, and asks again the next time', async () => {
    const browser = await world.browser();
    const request = await world.party.begin();
    const page = await browser.open(request.url);
    const { url } = (await browser.submit(page, {}, { button: 'refuse' })).left;
    expect(said(url)).toMatchObject({ error: 'access_denied', state: request.state, iss: world.provider.issuer });
    expect(isConsent(await browser.open((await world.party.begin()).url))).toBe(true);
  });

  test.each([
    ['without its token', { csrf: '' }, {}],
    ['with the token of another page', { csrf: 'x'.repeat(43) }, {}],
    ['from another site', {}, { from: 'https://evil.example', forgetsSameSite: true }],
  ])('takes no answer %s', async (_, tampered, options) => {
    const browser = await world.browser();
    const page = await browser.open((await world.party.begin()).url);
    const answer = await browser.submit(page, {}, { button: 'allow', tampered, ...options });
    expect([answer.departure, answer.status]).toEqual([undefined, 403]);
  });

  test('takes no answer twice, and none for somebody else', async () => {
    const browser = await world.browser();
    const page = await browser.open((await world.party.begin()).url);
    world.enter(browser, await world.signIn(await newPerson(world.provider)));
    // it is shown again, to the one who is signed in now
    const shown = await browser.submit(page, {}, { button: 'allow' });
    expect(isConsent(shown)).toBe(true);
    expect(said((await browser.submit(shown, {}, { button: 'allow' })).left.url).code).toEqual(expect.any(String));
    const again = await browser.submit(shown, {}, { button: 'allow' });
    expect([again.departure, again.status]).toEqual([undefined, 404]);
  });

  test('lets somebody else sign in, who is asked instead', async () => {
    const browser = await world.browser();
    const other = await newPerson(world.provider);
    const request = await world.party.begin();
    const page = await browser.submit(await browser.open(request.url), {}, { button: 'switch' });
    expect(page.url.pathname).toMatch(/\/signin$/);
    const consent = await signIn(browser, page, other);
    expect(isConsent(consent)).toBe(true);
    expect(consent.text).toContain(other.email);
    const { url } = (await browser.submit(consent, {}, { button: 'allow' })).left;
    expect((await world.party.finish(request, url)).claims?.sub).toBe(other.id);
  });

  test('that comes again, by the back button or a reload, says where to begin anew', async () => {
    await world.provider.admin('PATCH', `/admin/clients/${world.party.id}`, { clientUri: 'https://app.example/' });
    const browser = await world.browser();
    const page = await browser.open((await world.party.begin()).url);
    expect(isConsent(await browser.open(page.url))).toBe(true);
    await browser.submit(page, {}, { button: 'allow' });
    for (const again of [await browser.open(page.url), await browser.submit(page, {}, { button: 'allow' })]) {
      expect([again.status, again.heading]).toEqual([404, 'This request has expired']);
      expect(again.text).toContain('Go back to An application');
      expect(again.links.map(({ href }) => href)).toEqual([
        'https://app.example/',
        expect.stringMatching(/^\/orgs\/\w+\/account$/),
      ]);
    }
  });
});

describe('what a user has agreed to', () => {
  test('covers less, and not more', async () => {
    const browser = await world.browser();
    await world.answered(browser, await world.party.begin({ scope: 'openid email' }));
    const opened = async (scope: string, prompt?: string) =>
      isConsent(await browser.open((await world.party.begin({ scope, prompt })).url));
    expect(await opened('openid')).toBe(false);
    expect(await opened('openid email profile')).toBe(true);
    expect(await opened('openid', 'consent')).toBe(true);
    const silent = await browser.open((await world.party.begin({ scope: 'openid profile', prompt: 'none' })).url);
    expect(said(silent.left.url).error).toBe('consent_required');
  });

  test('is not asked of the organization’s own applications, but where they want it', async () => {
    const party = await RelyingParty.register(world.provider, { skipConsent: true });
    const browser = await world.browser();
    const request = await party.begin();
    const { url } = (await browser.open(request.url)).left;
    expect((await party.finish(request, url)).claims?.sub).toBe(world.person.id);
    expect(isConsent(await browser.open((await party.begin({ prompt: 'consent' })).url))).toBe(true);
  });

  test('with a client that registered itself lasts as long as the session', async () => {
    await world.provider.organization.org('PATCH', '/admin/settings/auth', {
      body: { registration: { dynamic_client_registration_enabled: true } },
    });
    const party = await RelyingParty.registerItself(world.provider, { client_name: 'Anybody' });
    const browser = await world.browser();
    const page = await browser.open((await party.begin()).url);
    expect(page.text).toContain('registered itself');
    await browser.submit(page, {}, { button: 'allow' });
    expect(said((await browser.open((await party.begin({ prompt: 'none' })).url)).left.url).code).toBeDefined();
    expect(isConsent(await (await world.browser()).open((await party.begin()).url))).toBe(true);
  });

  test('names what the user may do, where a client that registered itself asks for it', async () => {
    await world.provider.organization.org('PATCH', '/admin/settings/auth', {
      body: { registration: { dynamic_client_registration_enabled: true } },
    });
    const party = await RelyingParty.registerItself(world.provider, { scope: 'openid permissions' });
    const page = await (await world.browser()).open((await party.begin({ scope: 'openid permissions' })).url);
    expect(page.text).toContain('See what you’re allowed to do here');
    expect((await (await world.browser()).open((await party.begin()).url)).text).not.toContain('allowed to do');
  });

  test('is in the log, and taken back with everything that came of it', async () => {
    const { organization, service } = world.provider;
    const request = await world.party.begin({ scope: 'openid offline_access' });
    const tokens = await world.party.finish(request, await world.answered(await world.browser(), request));
    const next = await world.party.begin();
    const { code = '' } = said(await world.answered(await world.browser(), next));
    const userId = world.person.id;
    const revoke = () =>
      disconnect({ userId, clientId: world.party.id }, (run) =>
        transactAs(service.keyDependencies(), organization.organization, userActing(userId), facts, run),
      );
    expect(await revoke()).toBe(true);
    expect((await world.userinfo(tokens.access_token)).status).toBe(401);
    const refreshed = await world.token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await world.token({ code, code_verifier: next.verifier })).toMatchObject({ status: 400 });
    expect(isConsent(await (await world.browser()).open((await world.party.begin()).url))).toBe(true);
    expect(await revoke()).toBe(false);
    const log = await organization.org('GET', `/admin/audit-logs?actorId=${world.person.id}&limit=50`);
    const types = (log.at('data.data') as { eventType: string }[]).map(({ eventType }) => eventType);
    expect(types).toEqual(expect.arrayContaining(['consent.granted', 'consent.revoked']));
  });

  test('goes with the user, and with the client', async () => {
    const { organization, service } = world.provider;
    const { name } = organization.organization.store;
    const left = () => service.idsOf(name, 'consents');
    const agree = async () => world.answered(await world.browser(), await world.party.begin());
    await agree();
    expect(left()).toEqual([`${world.person.id}:${world.party.id}`]);
    await world.provider.admin('DELETE', `/admin/clients/${world.party.id}`);
    await service.sweep();
    expect([...left(), ...service.idsOf(name, 'clients_gone')]).toEqual([]);
    const party = await RelyingParty.register(world.provider);
    await world.answered(await world.browser(), await party.begin());
    expect(left()).toHaveLength(1);
    await world.provider.admin('DELETE', `/admin/users/${world.person.id}`);
    expect(left()).toEqual([]);
  });
});
