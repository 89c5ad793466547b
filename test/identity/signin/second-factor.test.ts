import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { SmsInbox } from '../../platform/sms-inbox.ts';
import { type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { appOf, wrongCode } from '../mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from './world.ts';

const MINUTE = 60_000;
const required = (methods: string[], gracePeriodDays = 0) => ({
  tenant: { mfaPolicy: { required: true, allowedMethods: methods, gracePeriodDays } },
});

let world: SignInWorld;
let phones: SmsInbox;
beforeAll(async () => {
  phones = await SmsInbox.open();
  world = await SignInWorld.start({ RELATA_SMS_URL: phones.url, RELATA_SMS_FROM: 'Acme' });
});
afterAll(() => Promise.all([world.stop(), phones.close()]));

const now = () => world.provider.service.clock.now();
const pass = (ms: number) => world.provider.service.clock.advance(ms);

/** To the page that comes after the password. */
async function withPassword(site: SignInSite, browser: FormBrowser, person: Person): Promise<Page> {
  return signIn(browser, await browser.open(`${site.base}/signin`), person);
}

/** What the page of an authenticator app says to one. */
function appOn(page: Page) {
  const { href } = page.link('Open in an app on this device');
  return appOf(href);
}

const codeOf = (app: ReturnType<typeof appOf>) => app.generate({ timestamp: now() });

/** A person who has registered an app at a sign-in, which is over. */
async function withApp(site: SignInSite) {
  const person = await site.person();
  const browser = site.browser();
  const { searchParams } = (await withPassword(site, browser, person)).url;
  const enrol = `${site.base}/signin/second-factor/enrol?flow=${searchParams.get('flow')}&method=totp`;
  const page = await browser.open(enrol);
  const app = appOn(page);
  const codes = await browser.submit(page, { code: codeOf(app) });
  pass(MINUTE);
  return { person, app, codes: recoveryCodes(codes) };
}

function recoveryCodes(page: Page): string[] {
  return [...page.text.matchAll(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}\b/g)].map(([code]) => code);
}

describe('enrolment', () => {
  it('stands between the password and the session: an app, its code, recovery codes, and on', async () => {
    const site = await world.organization(required(['totp', 'webauthn', 'email']));
    const person = await site.person();
    const browser = site.browser();
    const choice = await withPassword(site, browser, person);
    expect(choice.heading).toBe('Set up two-step verification');
    expect(choice.text).toContain('Passkey or security key');
    expect(choice.text).not.toContain('Not now');
    expect(site.isSignedIn(browser)).toBe(false);
    const page = await browser.click(choice, 'Authenticator app');
    expect(page.html).toMatch(/<svg class="qr" role="img"/);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const app = appOn(page);
    expect(page.text).toContain(app.secret.base32.slice(0, 4));
    const wrong = await browser.submit(page, { code: wrongCode(app, now()), name: '<b>' });
    expect(wrong.status).toBe(422);
    expect(appOn(wrong).secret.base32).toBe(app.secret.base32); // the picture that was scanned is still the one
    const codes = await browser.submit(wrong, { code: codeOf(app), name: 'My phone' });
    expect(codes.heading).toBe('Save your recovery codes');
    expect(recoveryCodes(codes)).toHaveLength(10);
    expect(site.isSignedIn(browser)).toBe(true);
    const done = await browser.click(codes, 'I’ve saved my codes');
    expect(done.url.pathname).toBe(`${site.base}/account`);
    const sessions = await site.provider.admin('GET', '/admin/sessions');
    expect(sessions.at('data.0.mfaVerified')).toBe(true);
    const [login] = await site.logged('user.login');
    expect(login).toMatchObject({ metadata: { amr: ['pwd', 'otp', 'mfa'] } });
    expect(await site.logged('user.mfa_enabled')).toHaveLength(1);
  });

  it('can be put off while the grace lasts, and not a day longer', async () => {
    const site = await world.organization(required(['totp'], 2));
    const person = await site.person();
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    expect(page.text).toMatch(/set this up later, until \w+ \d+, \d{4}/);
    await browser.submit(page, {}, { button: 'Not now' });
    expect(site.isSignedIn(browser)).toBe(true);
    pass(2 * 24 * 60 * MINUTE);
    const later = site.browser();
    const again = await withPassword(site, later, person);
    expect(again.heading).toBe('Set up two-step verification');
    expect(again.text).not.toContain('Not now');
    const action = `${site.base}/signin/second-factor/skip`;
    const flow = again.url.searchParams.get('flow') ?? '';
    const forced = await later.post(action, { flow, csrf: site.csrf(later, action) });
    expect(forced.heading).toBe('Set up two-step verification');
    expect(site.isSignedIn(later)).toBe(false);
  });

  it('by short message: a number, its code, and the next sign-in asks for one', async () => {
    const site = await world.organization(required(['sms']));
    const person = await site.person({ phoneNumber: '+49 30 123456' });
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    expect(page.html).toContain('value="+49 30 123456"');
    const noNumber = await browser.submit(page, { number: '0151 1234' });
    expect(noNumber.status).toBe(422);
    expect(noNumber.text).toContain('country code');
    const sent = await browser.submit(noNumber, { number: '+49 151 12345678' });
    expect(sent.text).toContain('sent to •••678');
    const wrong = await browser.submit(sent, { code: '12' });
    expect(wrong.status).toBe(422);
    await browser.submit(wrong, { code: phones.code() });
    expect(site.isSignedIn(browser)).toBe(true);
    pass(MINUTE);
    const next = site.browser();
    const before = phones.messages.length;
    const challenge = await withPassword(site, next, person);
    expect(challenge.text).toContain('We can send a code to •••678');
    expect(phones.messages).toHaveLength(before); // opening a page sends nothing
    const asked = await next.submit(challenge, {}, { button: 'Send code' });
    expect(asked.text).toContain('sent to •••678');
    const tooSoon = await next.submit(asked, {}, { button: 'Send a new code' });
    expect(tooSoon.status).toBe(429);
    expect(tooSoon.text).toMatch(/Try again in 30 seconds/);
    await next.submit(asked, { code: phones.code() });
    expect(site.isSignedIn(next)).toBe(true);
  });

  it('by mail', async () => {
    const site = await world.organization(required(['email']));
    const person = await site.person();
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    expect(page.text).toContain(`We’ll send a 6-digit code to ${person.email}`);
    const sent = await browser.submit(page, {}, { button: 'Send code' });
    const [code = ''] = /\b\d{6}\b/.exec(site.mails(person.email).at(-1)?.raw ?? '') ?? [];
    await browser.submit(sent, { code });
    expect(site.isSignedIn(browser)).toBe(true);
  });

  it('says so where a provider fails, and where no method can be used', async () => {
    const site = await world.organization(required(['sms']));
    const browser = site.browser();
    phones.answer = { status: 500 };
    const page = await withPassword(site, browser, await site.person());
    const failed = await browser.submit(page, { number: '+4915112345678' });
    phones.answer = { status: 201 };
    expect(failed.status).toBe(422);
    expect(failed.text).toContain('couldn’t be sent');
  });

  it('is over when the password is changed in between: who had the old one registers nothing', async () => {
    const site = await world.organization(required(['totp']));
    const person = await site.person();
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    const body = { password: 'another long password' };
    await site.provider.organization.org('PUT', `/admin/users/${person.id}/password`, { body });
    expect((await browser.submit(page, { code: codeOf(appOn(page)) })).status).toBe(404);
    const user = await site.provider.organization.org('GET', `/admin/users/${person.id}`);
    expect(user.at('data.data.mfaEnabled')).toBe(false);
  });
});

describe('the challenge', () => {
  it('asks whoever has a factor, required or not, and tells of it', async () => {
    const site = await world.organization(required(['totp', 'webauthn']));
    const { person, app } = await withApp(site);
    await site.set('tenant', { mfaPolicy: { required: false } });
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    expect(page.heading).toBe('Verify it’s you');
    expect(site.isSignedIn(browser)).toBe(false);
    const wrong = await browser.submit(page, { code: wrongCode(app, now()) });
    expect(wrong.status).toBe(422);
    await browser.submit(wrong, { code: codeOf(app) });
    expect(site.isSignedIn(browser)).toBe(true);
    expect(await site.logged('auth.mfa.challenge')).toMatchObject([{ metadata: { types: ['totp'] } }]);
    expect((await site.logged('auth.mfa.success')).length).toBeGreaterThan(0);
    expect(await site.logged('auth.mfa.failure')).toMatchObject([{ result: 'failure', metadata: { reason: 'wrong' } }]);
  });

  it('cannot be gone around: not by the pages of enrolment, not by another browser, not without it', async () => {
    const site = await world.organization(required(['totp', 'email']));
    const { person } = await withApp(site);
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    const flow = page.url.searchParams.get('flow') ?? '';
    const enrol = await browser.open(`${site.base}/signin/second-factor/enrol?flow=${flow}&method=totp`);
    expect(enrol.heading).toBe('Verify it’s you');
    for (const path of ['enrol', 'enrol/send', 'skip']) {
      const action = `${site.base}/signin/second-factor/${path}`;
      const fields = { flow, method: 'email', code: '123456', csrf: site.csrf(browser, action) };
      expect((await browser.post(action, fields)).heading).toBe('Verify it’s you');
    }
    expect(site.mails(person.email).filter(({ raw }) => raw.includes('Your code'))).toEqual([]);
    const other = site.browser();
    await other.open(`${site.base}/signin`);
    expect((await other.open(`${site.base}/signin/second-factor?flow=${flow}`)).status).toBe(404);
    expect((await browser.open(`${site.base}/signin/profile?flow=${flow}`)).heading).not.toBe('Account');
    expect(site.isSignedIn(browser)).toBe(false);
    expect(site.isSignedIn(other)).toBe(false);
  });

  it('takes a recovery code once, as another way', async () => {
    const site = await world.organization(required(['totp']));
    const { person, codes } = await withApp(site);
    const [code = ''] = codes;
    const browser = site.browser();
    const page = await browser.click(await withPassword(site, browser, person), 'Recovery code');
    await browser.submit(page, { code: code.toLowerCase() });
    expect(site.isSignedIn(browser)).toBe(true);
    const second = site.browser();
    const again = await second.click(await withPassword(site, second, person), 'Recovery code');
    expect((await second.submit(again, { code })).status).toBe(422);
    expect(site.isSignedIn(second)).toBe(false);
  });

  it('is not taken any more after too many failures, for a while', async () => {
    const site = await world.organization({ ...required(['totp']), security: { maxLoginAttempts: 3 } });
    const { person, app } = await withApp(site);
    const browser = site.browser();
    let page = await withPassword(site, browser, person);
    for (let tried = 0; tried < 3; tried++) page = await browser.submit(page, { code: wrongCode(app, now()) });
    page = await browser.submit(page, { code: codeOf(app) });
    expect(page.status).toBe(429);
    expect(page.text).toContain('Too many attempts');
    pass(16 * MINUTE);
    const later = site.browser();
    await later.submit(await withPassword(site, later, person), { code: codeOf(app) });
    expect(site.isSignedIn(later)).toBe(true);
  });

  it('of 20 that send one code at once, one goes on', async () => {
    const site = await world.organization({ ...required(['totp']), security: { maxLoginAttempts: 100 } });
    const { person, app } = await withApp(site);
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    const code = codeOf(app);
    const all = await Promise.all(Array.from({ length: 20 }, () => browser.submit(page, { code })));
    expect(
      all.filter(({ steps }) => steps[0]?.status === 303 && steps[1]?.url.pathname.endsWith('/account')),
    ).toHaveLength(1);
    expect((await site.sessions()).filter(({ userId }) => userId === person.id)).toHaveLength(2);
  });

  it('of a user whose factors were reset is an enrolment again', async () => {
    const site = await world.organization(required(['totp']));
    const { person } = await withApp(site);
    await site.provider.organization.org('POST', `/admin/users/${person.id}/mfa/reset`);
    const browser = site.browser();
    expect((await withPassword(site, browser, person)).heading).toBe('Set up two-step verification');
  });

  it('counts for the user who was asked, and for no other one who proves a password in between', async () => {
    const site = await world.organization(required(['totp']));
    const [own, victim] = [await withApp(site), await withApp(site)];
    const browser = site.browser();
    const page = await withPassword(site, browser, own.person);
    const { organization } = site.provider.organization;
    const { signIn: steps } = world.provider.service.signIn;
    const visitor = site.visitor(browser);
    const flow = steps.flow(organization, visitor, page.url.searchParams.get('flow') ?? '');
    if (flow === undefined) throw new Error('there is no flow');
    const first = await browser.open(`${site.base}/signin?flow=${flow.id}`);
    expect((await signIn(browser, first, victim.person)).heading).toBe('Verify it’s you');
    const facts = { requestId: 'test', header: () => '', clientAddress: () => '192.0.2.7' };
    const late = steps.secondFactor({ organization, visitor, facts }, flow, ['otp']);
    await expect(late).rejects.toMatchObject({ problem: { kind: { status: 404 } } });
    expect(site.isSignedIn(browser)).toBe(false);
  });

  it('is in the hands of its own forms alone', async () => {
    const site = await world.organization(required(['totp']));
    const { person, app } = await withApp(site);
    const browser = site.browser();
    const page = await withPassword(site, browser, person);
    const from = { from: 'https://evil.example', forgetsSameSite: true };
    expect((await browser.submit(page, { code: codeOf(app) }, from)).status).toBe(403);
    const tampered = { tampered: { csrf: 'x' } };
    expect((await browser.submit(page, { code: codeOf(app) }, tampered)).status).toBe(403);
    expect((await browser.submit(page, { code: 'x'.repeat(200) })).status).toBe(400);
    expect(site.isSignedIn(browser)).toBe(false);
  });
});
