import { deviceAuthorizationRequest, processDeviceAuthorizationResponse } from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../../browser/page.ts';
import { SmsInbox } from '../../../platform/sms-inbox.ts';
import { mailBodies } from '../../../platform/smtp-inbox.ts';
import { RelyingParty } from '../../../protocols/oauth/relying-party.ts';
import { type Person, signIn } from '../../../protocols/oauth/signing-in.ts';
import { ApprovalScene } from '../../approvals/approval-scene.ts';
import { configurations, FederationWorld } from '../../federation/world.ts';
import { appOf, wrongCode } from '../../mfa/mfa-world.ts';
import type { SignInSite } from '../../signin/world.ts';
import { englishOn, GermanReader, unread } from './german-reader.ts';

let world: FederationWorld;
let phones: SmsInbox;
const visited = new Set<string>();
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  phones = await SmsInbox.open();
  world = await FederationWorld.start({ RELATA_SMS_URL: phones.url, RELATA_SMS_FROM: 'Acme' });
});
afterAll(() => Promise.all([world.stop(), phones.close()]));

const now = () => world.signIns.provider.service.clock.now();
const organization = (settings: Readonly<Record<string, object>> = {}) => world.signIns.organization(settings);
const reader = (site: SignInSite) => new GermanReader(site, visited);

async function atAccount(site: SignInSite, person: Person, room = ''): Promise<{ anne: GermanReader; page: Page }> {
  const anne = reader(site);
  return { anne, page: await signIn(anne, await anne.open(`${site.base}/account${room}`), person) };
}

/** The mail with a link, of which nothing is English either. */
async function linkTo(site: SignInSite, email: string, count = 1): Promise<string> {
  const link = await site.mailedLink(email, count);
  const [mail] = site.mails(email).slice(-1);
  expect(englishOn({ html: mailBodies(mail as never).split(/<html/i)[1] ?? '' })).toEqual([]);
  return link;
}

describe('a reader of German reads nothing in English', { timeout: 60_000 }, () => {
  test('at sign-in, with a password, links in mail, and what goes wrong', async () => {
    const site = await organization({
      auth: { login_flow: { magic_link_enabled: true } },
      security: { maxLoginAttempts: 3 },
    });
    const anna = await site.person({ name: 'Anna' });
    const [browser, other] = [reader(site), reader(site)];
    const page = await browser.open(`${site.base}/signin`);
    await browser.submit(page, { identifier: '', password: 'x' });
    await browser.submit(page, { identifier: 'x', password: '' });
    await browser.submit(page, { identifier: 'x' }, { button: 'link' });
    const flow = String(page.url.searchParams.get('flow'));
    await browser.post(`${site.base}/signin/passkey`, {
      csrf: site.csrf(browser, `${site.base}/signin/passkey`),
      flow,
      answer: '{}',
    });
    const sent = await browser.submit(page, { identifier: anna.email }, { button: 'link' });
    const confirm = await other.open(await linkTo(site, anna.email));
    await other.submit(confirm, {}, { button: 'there' });
    await other.submit(confirm);
    await browser.submit(await browser.open(sent.url));
    for (let tries = 0; tries < 4; tries++) {
      await other.submit(await other.open(`${site.base}/signin`), { identifier: anna.email, password: 'wrong' });
    }
    await browser.open(`${site.base}/signin?flow=none`);
    await browser.open(`${site.base}/signin?flow=${'x'.repeat(100)}`);
    await browser.open(`${site.base}/signin/link?token=gone`);
    await browser.post(`${site.base}/signin`, { flow: 'x' });
    await browser.open(`${site.base}/nothing`);
    await browser.open('/orgs/nobody/signin');
    expect([...browser.english, ...other.english]).toEqual([]);
  });

  test('at a new password, a new account, and a profile that is not complete', async () => {
    const site = await organization({
      authentication: { allowSignup: true },
      auth: { registration: { progressive_profiling_enabled: true } },
      tenant: { passwordPolicy: { requireUppercase: true, requireNumbers: true, requireSymbols: true } },
    });
    const anna = await site.provider.organization.newUser('anna@example.com');
    const [browser, other] = [reader(site), reader(site)];
    const forgot = await browser.open(`${site.base}/signin/forgot`);
    await browser.submit(forgot, { email: 'x' });
    const sent = await browser.submit(forgot, { email: anna.email });
    const reset = await other.open(await linkTo(site, anna.email));
    for (const password of ['', 'x', 'Password123!']) await other.submit(reset, { password });
    const missing = await other.submit(reset, { password: 'Eine lange Reihe 7 bunter Wörter!' });
    await other.submit(missing, { givenName: '', familyName: '' });
    await browser.open(sent.url);
    const signup = await browser.open(`${site.base}/signin/signup`);
    await browser.submit(signup, { email: 'x' });
    await browser.submit(signup, { email: anna.email });
    await linkTo(site, anna.email, 2);
    await browser.submit(signup, { email: 'neu@example.com' });
    const complete = await browser.open(await linkTo(site, 'neu@example.com'));
    await browser.submit(complete, { name: 'Neu', password: '' });
    await browser.submit(complete, { name: 'Neu', password: 'x' });
    const body = { password: 'Von jemandem gesetzt 4711!', requireChange: true };
    await site.provider.organization.org('PUT', `/admin/users/${anna.id}/password`, { body });
    const third = reader(site);
    const must = await signIn(third, await third.open(`${site.base}/signin`), { ...anna, password: body.password });
    expect(must.url.pathname).toContain('/new-password');
    await third.submit(must, { password: 'Password123!' });
    for (const [action, sends] of [
      ['password-reset', 3],
      ['verify-email', 4],
    ] as const) {
      await site.provider.organization.org('POST', `/admin/users/${anna.id}/${action}`);
      await third.submit(await third.open(await site.mailedLink(anna.email, sends)));
    }
    expect([...browser.english, ...other.english, ...third.english]).toEqual([]);
  });

  test('at second factors: all of their forms, and what is wrong with them', async () => {
    const methods = ['totp', 'webauthn', 'sms', 'email'];
    const site = await organization({
      tenant: { mfaPolicy: { required: true, allowedMethods: methods, gracePeriodDays: 7 } },
    });
    const anna = await site.person();
    const browser = reader(site);
    const choice = await signIn(browser, await browser.open(`${site.base}/signin`), anna);
    const at = (method: string) =>
      browser.open(`${choice.url.pathname}?flow=${choice.url.searchParams.get('flow')}&method=${method}`);
    await browser.submit(await at('webauthn'), { name: '' }, { tampered: { answer: '{}' } });
    await browser.submit(await at('sms'), { number: 'x' });
    const asked = await browser.submit(await at('sms'), { number: '+4915112345678' });
    await browser.submit(asked, { code: '000' });
    await browser.submit(await at('email'), {}, { button: 'Code senden' });
    const page = await at('totp');
    const app = appOf(String(page.links.find(({ href }) => href.startsWith('otpauth:'))?.href));
    const wrong = await browser.submit(page, { code: wrongCode(app, now()) });
    const codes = await browser.submit(wrong, { code: app.generate({ timestamp: now() }) });
    expect(codes.html).toContain('data-codes');
    world.signIns.provider.service.clock.advance(60_000);
    const second = reader(site);
    const challenge = await signIn(second, await second.open(`${site.base}/signin`), anna);
    for (const { href } of challenge.links) await second.open(new URL(href, challenge.url));
    for (let tries = 0; tries < 7; tries++) {
      await second.submit(challenge, { code: wrongCode(app, now()) });
    }
    expect([...browser.english, ...second.english]).toEqual([]);
  });

  test('at the consent of applications and devices, and at sign-out', async () => {
    const site = await organization({ auth: { registration: { dynamic_client_registration_enabled: true } } });
    const anna = await site.person();
    const { anne: browser } = await atAccount(site, anna);
    const { provider } = site;
    const scope =
      'openid profile email address phone roles groups offline_access permissions scim ssf.read ssf.manage users.read';
    const names = { name: 'Kalender', clientUri: 'https://app.example/', policyUri: 'https://app.example/p' };
    const party = await RelyingParty.register(provider, { ...names, scopes: scope.split(' ') });
    const consent = await browser.open((await party.begin({ scope })).url);
    expect(consent.url.pathname).toContain('/consent');
    await browser.submit(consent, {}, { button: 'allow' });
    await browser.submit(consent, {}, { button: 'allow' });
    await browser.submit(await browser.open((await party.begin({ response_mode: 'form_post' })).url));
    const stranger = await RelyingParty.registerItself(provider, { client_name: 'Fremd' });
    await browser.open((await stranger.begin()).url);
    await browser.open((await stranger.begin({ scope: 'nichts' })).url);
    await browser.open(`${site.base}/account/applications`);
    const tv = await RelyingParty.register(provider, {
      name: 'Fernseher',
      type: 'public',
      redirectUris: [],
      grantTypes: [deviceGrant],
    });
    const parameters = new URLSearchParams({ scope: 'openid profile' });
    const begun = await processDeviceAuthorizationResponse(
      tv.server,
      tv.client,
      await deviceAuthorizationRequest(tv.server, tv.client, tv.authentication, parameters, tv.options),
    );
    const device = await browser.open(`${site.base}/device`);
    await browser.submit(device, { user_code: 'aeiou' });
    await browser.submit(device, { user_code: 'BCDF-GHJK' });
    const compare = await browser.submit(device, { user_code: begun.user_code });
    const allow = await browser.submit(compare, {}, { button: 'same' });
    await browser.submit(allow, {}, { button: 'allow' });
    await browser.submit(allow, {}, { button: 'allow' });
    await browser.submit(compare, {}, { button: 'refuse' });
    await browser.open(`${site.base}/device/decision`);
    await browser.submit(await browser.open(`${site.base}/signout`));
    expect(browser.english).toEqual([]);
  });

  test('where another provider signs in', async () => {
    const on = await world.site(configurations.google);
    const browser = reader(on.site);
    const page = await browser.open(`${on.base}/signin`);
    const social = page.links.find(({ href }) => href.includes('/signin/social/'))?.href ?? '';
    const departure = (await browser.open(social)).left.url;
    const back = new URL(departure.searchParams.get('redirect_uri') ?? '');
    back.search = String(
      new URLSearchParams({ error: 'access_denied', state: departure.searchParams.get('state') ?? '' }),
    );
    await browser.arrive({ method: 'GET', url: back, fields: new URLSearchParams() }, departure.origin);
    await browser.arrive({ method: 'GET', url: back, fields: new URLSearchParams() }, departure.origin);
    const claims = { sub: 'eva', email: 'eva@example.com', email_verified: false };
    const again = (await browser.open(social)).left.url;
    await browser.arrive(world.known.signIn(again, { claims }), again.origin);
    await browser.open(social.replace('google', 'keiner'));
    const { anne } = await atAccount(on.site, await on.site.person());
    await anne.submit(await anne.open(`${on.base}/account/identities`), { provider: 'google' }).catch(() => undefined);
    expect([...browser.english, ...anne.english]).toEqual([]);
  });
});

describe('nor in the account', { timeout: 60_000 }, () => {
  test('in its rooms, their forms, and what is wrong with them', async () => {
    const site = await organization({
      tenant: { mfaPolicy: { allowedMethods: ['totp', 'webauthn', 'email', 'sms'] } },
    });
    const anna = await site.person({ name: 'Anna' });
    const { anne } = await atAccount(site, anna);
    const room = (path: string) => anne.open(`${site.base}/account${path}`);
    const send = async (path: string, values: Readonly<Record<string, string>>) =>
      anne.submit(await room(path), values);
    for (const path of ['', '/profile', '/security', '/factors', '/sessions', '/identities', '/applications'])
      await room(path);
    await send('/profile', { name: 'x'.repeat(201), givenName: '', familyName: '' });
    for (const name of ['picture', 'phoneNumber']) await send('/profile', { [name]: 'x x' });
    for (const name of ['locale', 'zoneinfo']) {
      const form = (await room('/profile')).form([name]);
      const fields = Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
      await anne.post(form.action, { ...fields, [name]: 'x x' });
    }
    await send('/profile', { name: 'Anna Blum', givenName: 'Anna', familyName: 'Blum' });
    await send('/email', { email: 'x' });
    await send('/email', { email: 'neu@example.com' });
    await send('/email', { email: 'noch@example.com' });
    await anne.submit(
      await anne.open(await linkTo(site, 'neu@example.com')),
      {},
      { button: 'Diese Adresse verwenden' },
    );
    await room('/email/confirm?token=x');
    await send('/password', { current: 'x', password: '' });
    await send('/password', { current: 'x', password: 'y' });
    await send('/password', { current: anna.password, password: 'y' });
    await send('/password', { current: anna.password, password: anna.password });
    for (const method of ['webauthn', 'email', 'sms']) await room(`/factors/add?method=${method}`);
    const page = await room('/factors/add?method=totp');
    const app = appOf(String(page.links.find(({ href }) => href.startsWith('otpauth:'))?.href));
    await anne.submit(page, { code: app.generate({ timestamp: now() }) });
    await site.set('tenant', { mfaPolicy: { required: true } });
    const list = await room('/factors');
    const removal = list.forms.find(({ action }) => action.endsWith('/factors/remove'));
    const fields = Object.fromEntries(removal?.fields.map(({ name, value }) => [name, value]) ?? []);
    expect((await anne.post(String(removal?.action), fields)).status).toBe(422);
    expect(anne.english).toEqual([]);
  });

  test('where agents ask and act', async () => {
    const approvals = await ApprovalScene.in(world.signIns, 'Nachtdienst');
    const { site } = approvals;
    const person = await site.person();
    await approvals.scene.grant(person, 'jit.approve', 'docs:read', 'db:write');
    const { anne } = await atAccount(site, person, '/agents');
    const ask = (more = {}) => approvals.ask({ task_description: 'Preise richten', ...more });
    const ids = [await ask({ resources: ['db:preise'] }), await ask(), await ask(), await ask()];
    await anne.open(`${site.base}/account/approvals`);
    const [first = '', second = '', third = '', fourth = ''] = ids;
    const page = await anne.open(approvals.pathOf(first));
    const decide = (id: string, values: Readonly<Record<string, string | boolean>>, button: string) =>
      anne.open(approvals.pathOf(id)).then((at) => anne.submit(at, values, { button }));
    await anne.submit(page, { scope: false, resource: false }, { button: 'approve' });
    await decide(first, {}, 'approve');
    await decide(second, { reason: 'Nein.' }, 'deny');
    await approvals.scene.grant(person, 'docs:write');
    await decide(third, { only: 'x' }, 'approve');
    approvals.pass(7200);
    await anne.open(approvals.pathOf(fourth));
    await anne.open(approvals.pathOf('keine'));
    await approvals.settings({ requireSecondFactor: true });
    await anne.open(approvals.pathOf(await ask()));
    const { anne: fresh } = await atAccount(site, person, '/agents/add');
    const form = await fresh.open(`${site.base}/account/agents/add`);
    await fresh.submit(form, { agent: 'x', only: 'x' });
    await fresh.submit(form, { agent: 'Nachtdienst', scope: true, only: '' }, { tampered: { scope: 'gibt:esnicht' } });
    await fresh.submit(form, { agent: 'Nachtdienst', scope: true, only: 'docs:plan' });
    await fresh.open(`${site.base}/account/agents`);
    expect([...anne.english, ...fresh.english]).toEqual([]);
  });
});

test('every page was read', () => {
  expect(unread(world.signIns.provider.service.endpoints, visited)).toEqual([]);
});
