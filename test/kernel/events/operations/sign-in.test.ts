import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import { appOf, wrongCode } from '../../../identity/mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from '../../../identity/signin/world.ts';
import { RelyingParty } from '../../../protocols/oauth/relying-party.ts';
import { browserOf, type Person, signIn, tokensFor } from '../../../protocols/oauth/signing-in.ts';
import { expectEvents } from './observed.ts';

const MINUTE = 60_000;

let world: SignInWorld;
beforeAll(async () => {
  world = await SignInWorld.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
});
afterAll(() => world.stop());

const now = () => world.provider.service.clock.now();
const orgOf = (site: SignInSite) => site.provider.organization;

async function withPassword(site: SignInSite, browser: FormBrowser, person: Omit<Person, 'id'>): Promise<Page> {
  return signIn(browser, await browser.open(`${site.base}/signin`), person);
}

describe('exactly the events of who signs in', () => {
  it('with a password, and out', async () => {
    const site = await world.organization();
    const { id: userId, email, password } = await site.person();
    const browser = site.browser('192.0.2.20');
    const [login] = await expectEvents(
      orgOf(site),
      () => withPassword(site, browser, { email, password }),
      [['user.login', { userId, email, ip: '192.0.2.20', method: 'password', mfa: false, clientId: null }]],
      'POST /signin',
    );
    const account = await browser.open(`${site.base}/account`);
    const sessionId = login?.data.sessionId;
    await expectEvents(
      orgOf(site),
      () => browser.submit(account, {}, { button: 'Sign out' }),
      [['user.logout', { userId, sessionId, scope: 'session', exceptSessionId: null, reason: 'signed_out' }]],
      'POST /signout',
    );
  });

  it('with a wrong password, until the account is locked', async () => {
    const loginPolicy = { maxAttempts: 2, lockoutDuration: 600, attemptWindow: 900 };
    const site = await world.organization({ tenant: { loginPolicy } });
    const { id: userId, email } = await site.person();
    const org = orgOf(site);
    const fail = () => withPassword(site, site.browser('192.0.2.21'), { email, password: 'wrong' });
    const about = { userId, email, account: email, ip: '192.0.2.21' };
    await expectEvents(
      org,
      fail,
      [['user.login_failed', { ...about, reason: 'wrong_password', count: 1 }]],
      'POST /signin',
    );
    // what fails again within a minute is told at its end
    await expectEvents(org, fail, [['security.account_lockout', { ...about, failures: 2 }]], 'POST /signin');
    await expectEvents(
      org,
      fail,
      [['user.login_failed', { ...about, reason: 'locked_out', count: 1 }]],
      'POST /signin',
    );
  });

  it('where there is no such account', async () => {
    const site = await world.organization();
    const given = { email: 'nobody@example.com', password: 'wrong' };
    await expectEvents(
      orgOf(site),
      () => withPassword(site, site.browser(), given),
      [['user.login_failed', { userId: null, email: null, account: given.email, reason: 'wrong_password' }]],
      'POST /signin',
    );
  });

  it('with a second factor: registered, asked for, failed, proved, and taken away', async () => {
    const mfaPolicy = { required: true, allowedMethods: ['totp'], gracePeriodDays: 0 };
    const site = await world.organization({ tenant: { mfaPolicy } });
    const person = await site.person();
    const { id: userId, email } = person;
    const org = orgOf(site);
    const first = site.browser();
    const enrol = await withPassword(site, first, person);
    const app = appOf(enrol.link('Open in an app on this device').href);
    const code = () => app.generate({ timestamp: now() });
    await expectEvents(
      org,
      () => first.submit(enrol, { code: code() }),
      [
        ['user.mfa_enabled', { userId, email, factor: { type: 'totp' }, user: { mfaEnabled: true } }],
        ['user.login', { userId, mfa: true }],
      ],
      'POST /signin/second-factor/enrol',
    );
    world.provider.service.clock.advance(MINUTE);
    const second = site.browser();
    let page: Page | undefined;
    const ask = async () => {
      page = await withPassword(site, second, person);
    };
    await expectEvents(
      org,
      ask,
      [['user.mfa_challenged', { userId, email, types: ['totp'], reason: 'asked' }]],
      'POST /signin',
    );
    const answer = async (typed: string) => {
      page = await second.submit(page as Page, { code: typed });
    };
    await expectEvents(
      org,
      () => answer(wrongCode(app, now())),
      [['user.mfa_failed', { userId, email, type: 'totp', reason: 'wrong', count: 1 }]],
      'POST /signin/second-factor',
    );
    await expectEvents(
      org,
      () => answer(code()),
      [
        ['user.mfa_verified', { userId, email, type: 'totp' }],
        ['user.login', { userId, mfa: true }],
      ],
      'POST /signin/second-factor',
    );
    await expectEvents(
      org,
      () => org.org('POST', `/admin/users/${userId}/mfa/reset`),
      [['user.mfa_disabled', { userId, email, reason: 'reset', user: { mfaEnabled: false } }]],
      'POST /admin/users/{userId}/mfa/reset',
    );
  });

  it('by a link to set the password anew', async () => {
    const site = await world.organization();
    const { id: userId, email } = await site.person();
    const browser = site.browser();
    const forgotten = await browser.click(await browser.open(`${site.base}/signin`), 'Forgot your password?');
    await expectEvents(orgOf(site), () => browser.submit(forgotten, { email }), []);
    const page = await browser.open(await site.mailedLink(email));
    await expectEvents(
      orgOf(site),
      () => browser.submit(page, { password: 'an entirely new one' }),
      [
        ['user.password_changed', { userId, email, reason: 'reset' }],
        ['user.login', { userId, email }],
      ],
      'POST /signin/reset',
    );
  });

  it('to an application: consent and tokens, a refresh token used twice, and consent taken back', async () => {
    const site = await world.organization();
    const { provider } = site;
    const org = orgOf(site);
    const person = await site.person();
    const userId = person.id;
    const party = await RelyingParty.register(provider, { grantTypes: ['authorization_code', 'refresh_token'] });
    const both = { userId, clientId: party.id };
    let refresh = '';
    const enter = async () => {
      const tokens = await tokensFor(party, browserOf(provider), person, { scope: 'openid offline_access' });
      refresh = tokens.refresh_token ?? '';
    };
    await expectEvents(
      org,
      enter,
      [
        ['user.login', { userId, clientId: party.id }],
        ['consent.granted', { ...both, scopes: ['openid', 'offline_access'] }],
        ['token.issued', { ...both, type: 'access', scopes: ['openid', 'offline_access'] }],
      ],
      'POST /signin',
      'POST /consent',
      'POST /oauth/token',
    );
    const issued = await org.tenant('GET', '/admin/audit-logs?eventType=token.issued&limit=1');
    expect(issued.at('data.0')).toMatchObject({ actorId: userId, actorEmail: person.email });
    await expectEvents(
      org,
      () => party.refresh(refresh),
      [['token.issued', { ...both, type: 'access' }]],
      'POST /oauth/token',
    );
    await expectEvents(
      org,
      () => party.refresh(refresh).catch(() => {}),
      [['token.revoked', { ...both, type: 'refresh', reason: 'reuse' }]],
      'POST /oauth/token',
    );
    await expectEvents(
      org,
      () => org.org('DELETE', `/admin/users/${userId}/applications/${party.id}`),
      [['consent.revoked', { ...both, scopes: ['openid', 'offline_access'] }]],
      'DELETE /admin/users/{userId}/applications/{clientId}',
    );
  });
});
