import { deviceAuthorizationRequest, processDeviceAuthorizationResponse } from 'oauth4webapi';
import type { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appOf } from '../identity/mfa/mfa-world.ts';
import { SmsInbox } from '../platform/sms-inbox.ts';
import { mailBodies } from '../platform/smtp-inbox.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { newPerson } from '../protocols/oauth/signing-in.ts';
import { type BrowserVisitor, BrowserWorld } from './browser-world.ts';
import { chromiumMissing, looksOf } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let world: BrowserWorld;
let phones: SmsInbox;
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  phones = await SmsInbox.open();
  world = await BrowserWorld.start('family', { RELATA_SMS_URL: phones.url, RELATA_SMS_FROM: 'Acme' });
  await settings();
});
afterAll(() => Promise.all([world?.stop(), phones?.close()]));

/** A PUT of the group: what it does not name is as it was in the beginning. */
const settings = (mfa: object = { mfa_required: false }) =>
  world.set('/admin/settings/auth', {
    login_flow: { magic_link_enabled: true },
    registration: {
      signup_enabled: true,
      progressive_profiling_enabled: true,
      dynamic_client_registration_enabled: true,
    },
    mfa,
  });

const at = (path: string) => `${world.issuer}${path}`;

/** As the page stands, where the status of an answer is a complaint of the browser's own. */
async function inspect(visitor: BrowserVisitor, name: string): Promise<void> {
  const own = visitor.complaints.splice(0).filter((each) => !/status of 4\d\d/.test(each));
  visitor.complaints.push(...own);
  await visitor.inspect(`family-${name}`);
}

async function mailedLink(email: string): Promise<string> {
  const [link] = /http:\/\/localhost:\d+\/orgs\/[^\s"<>]+/.exec(mailBodies(await world.inbox.mailTo(email))) ?? [];
  return String(link).replaceAll('&amp;', '&');
}

/** A call of the administrator, in the family whose users have links. */
function admin(method: string, path: string, body: unknown = {}) {
  const { slug, service, key } = world.provider.organization;
  return service.call(method, `/orgs/${slug}/api/v1${path}`, { key, body });
}

describe.each(looksOf('light'))('every page of sign-in, %s', (look) => {
  test('links of administrators, and links that are followed elsewhere', async () => {
    const person = await newPerson(world.provider, { emailVerified: false, name: 'Dora Lange' });
    const [visitor, other] = [await world.visitor(look), await world.visitor(look)];
    const { page } = visitor;
    for (const [action, name, button] of [
      ['verify-email', 'verify', /Confirm/],
      ['password-reset', 'set-password', undefined],
    ] as const) {
      const sent = await admin('POST', `/admin/users/${person.id}/${action}`);
      if (sent.status >= 300) throw new Error(`${action} ${JSON.stringify(sent.body)}`);
      await page.goto(await mailedLink(person.email));
      await inspect(visitor, name);
      if (button === undefined) continue;
      await visitor.press(button);
      await inspect(visitor, `${name}-done`);
      world.inbox.mails.length = 0;
    }
    world.inbox.mails.length = 0;
    await page.goto(at('/account'));
    await visitor.fill({ username: person.email });
    await visitor.press('Email me a sign-in link');
    await inspect(visitor, 'sent');
    await other.page.goto(await mailedLink(person.email));
    await inspect(other, 'elsewhere');
    await other.press('Sign in on that device instead');
    await inspect(other, 'there');
    await page.waitForURL(/\/(profile|account)/);
    await visitor.sees('Complete your profile');
    await inspect(visitor, 'profile');
    await visitor.fill({ 'given-name': ' ', 'family-name': ' ' });
    await visitor.press('Continue');
    await inspect(visitor, 'profile-refused');
    for (const path of ['/signin/link?token=gone', '/signin?flow=gone', '/nothing', '/signin/social/none?flow=gone']) {
      await page.goto(at(path));
      await inspect(visitor, `over${path.replace(/\W+/g, '-')}`);
    }
    await visitor.close();
    await other.close();
  }, 120_000);

  test('a new password that is due, and every second factor', async () => {
    const person = await newPerson(world.provider, { givenName: 'Dora', familyName: 'Lange' });
    await settings({ mfa_required: true, mfa_methods: ['totp', 'webauthn', 'sms', 'email'] });
    const given = { password: 'given by somebody 4711', requireChange: true };
    expect((await admin('PUT', `/admin/users/${person.id}/password`, given)).status).toBe(200);
    const visitor = await world.visitor(look);
    const { page } = visitor;
    await page.goto(at('/account'));
    await visitor.signIn({ ...person, ...given });
    await visitor.sees('Set up two-step verification');
    await inspect(visitor, 'methods');
    const ways = page.url();
    for (const [method, name] of [
      ['Passkey or security key', 'key'],
      ['Email', 'email'],
      ['Text message', 'sms'],
    ] as const) {
      await page.goto(ways);
      await page.getByRole('link', { name: method }).click();
      await inspect(visitor, `enrol-${name}`);
    }
    await visitor.fill({ tel: '12' });
    await visitor.press('Send code');
    await inspect(visitor, 'enrol-sms-refused');
    await visitor.fill({ tel: '+4915112345678' });
    await visitor.press('Send code');
    await inspect(visitor, 'enrol-sms-code');
    await visitor.fill({ 'one-time-code': phones.code() });
    await visitor.press('Add');
    await visitor.sees('Save your recovery codes');
    await inspect(visitor, 'codes');
    await page.getByRole('link', { name: /saved my codes/ }).click();
    await visitor.sees('Choose a new password');
    await inspect(visitor, 'new-password');
    await visitor.fill({ 'new-password': 'password123' });
    await page.getByText('one of the most common').waitFor();
    await inspect(visitor, 'strength');
    await visitor.press('Set password');
    await inspect(visitor, 'new-password-refused');
    await visitor.fill({ 'new-password': person.password });
    await visitor.press('Set password');
    await visitor.sees(/Hello/);
    await page.goto(at('/account/factors/add?method=totp'));
    const app: TOTP = appOf(String(await page.locator('a[href^="otpauth:"]').getAttribute('href')));
    await visitor.fill({ 'one-time-code': app.generate() });
    await visitor.press('Add');
    const later = await world.visitor(look);
    await later.page.goto(at('/account'));
    await later.signIn(person);
    await inspect(later, 'challenge');
    for (const [name, link] of [
      ['sms', /Text message/],
      ['recovery', 'Recovery code'],
      ['totp', 'Authenticator app'],
    ] as const) {
      if ((await later.page.getByRole('link', { name: link }).count()) === 0) continue;
      await later.page.getByRole('link', { name: link }).click();
      await inspect(later, `challenge-${name}`);
    }
    await later.fill({ 'one-time-code': 'x' });
    await later.press('Continue');
    await inspect(later, 'challenge-refused');
    await settings();
    await visitor.close();
    await later.close();
  }, 120_000);

  test('consent, devices, applications nobody knows, and sign-out', async () => {
    const { provider } = world;
    const person = await newPerson(provider, { givenName: 'Dora', familyName: 'Lange' });
    const party = await RelyingParty.register(provider, { name: 'Calendar', clientUri: 'https://app.example/' });
    const visitor = await world.visitor(look);
    const { page } = visitor;
    const scope = 'openid profile email offline_access';
    await page.goto((await party.begin({ scope })).url.href);
    await inspect(visitor, 'to-continue');
    await visitor.signIn(person);
    await visitor.sees('Allow Calendar?');
    await inspect(visitor, 'consent');
    const stranger = await RelyingParty.registerItself(provider, { client_name: 'Free prizes' });
    await page.goto((await stranger.begin()).url.href);
    await inspect(visitor, 'consent-unknown');
    await page.goto((await stranger.begin({ scope: 'nothing' })).url.href);
    await visitor.sees('You’re about to leave this site');
    await inspect(visitor, 'leave');
    const tv = await RelyingParty.register(provider, {
      name: 'Television',
      type: 'public',
      redirectUris: [],
      grantTypes: [deviceGrant],
    });
    const { server, client, authentication, options } = tv;
    const asked = await deviceAuthorizationRequest(
      server,
      client,
      authentication,
      new URLSearchParams({ scope: 'openid profile' }),
      options,
    );
    const { user_code: code } = await processDeviceAuthorizationResponse(server, client, asked);
    await page.goto(at('/device'));
    await inspect(visitor, 'device');
    await visitor.fill({ 'one-time-code': 'AEIO' });
    await visitor.press('Continue');
    await inspect(visitor, 'device-refused');
    await visitor.fill({ 'one-time-code': code });
    await visitor.press('Continue');
    await visitor.sees('Does your device show this code?');
    await inspect(visitor, 'device-compare');
    await visitor.press('Yes, continue');
    await inspect(visitor, 'device-allow');
    await visitor.press('Allow');
    await visitor.sees('Your device is connected');
    await inspect(visitor, 'device-done');
    await page.goto(at('/signout'));
    await inspect(visitor, 'signout');
    await visitor.press('Sign out');
    await visitor.sees(/signed out/);
    await inspect(visitor, 'signed-out');
    expect(await page.getByRole('link', { name: 'Sign in again' }).count()).toBe(1);
    await visitor.close();
  }, 120_000);
});
