import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import { again, type Visitor, visitor } from '../../../identity/account/account-world.ts';
import { appOf } from '../../../identity/mfa/mfa-world.ts';
import type { InProcessOrganization } from '../../../identity/sessions/in-process-service.ts';
import { type SignInSite, SignInWorld } from '../../../identity/signin/world.ts';
import { RelyingParty } from '../../../protocols/oauth/relying-party.ts';
import { tokensFor } from '../../../protocols/oauth/signing-in.ts';
import { expectEvents } from './observed.ts';

let world: SignInWorld;
let site: SignInSite;
let org: InProcessOrganization;
let anne: Visitor;
let about: { readonly userId: string };

beforeAll(async () => {
  world = await SignInWorld.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
});
beforeEach(async () => {
  site = await world.organization();
  org = site.provider.organization;
  anne = await visitor(site);
  about = { userId: anne.person.id };
});
afterAll(() => world.stop());

describe('exactly the events of what people do to their account', () => {
  it('the profile', async () => {
    const page = await anne.open('/profile');
    const changed = () => anne.browser.submit(page, { name: 'Anne Other' });
    const told = { ...about, user: { name: 'Anne Other' } };
    await expectEvents(org, changed, [['user.updated', told]], 'POST /account/profile');
    await expectEvents(org, changed, []);
  });

  it('another address, confirmed by its mail', async () => {
    const email = 'anne@elsewhere.example';
    const ask = async () => anne.browser.submit(await anne.open('/email'), { email });
    await expectEvents(org, ask, []);
    const page = await anne.browser.open(await site.mailedLink(email));
    const confirm = () => anne.browser.submit(page, {}, { button: 'Use this address' });
    await expectEvents(org, confirm, [['user.updated', { ...about, email }]], 'POST /account/email/confirm');
  });

  it('the password, after a wrong one', async () => {
    const page = await anne.open('/password');
    const next = 'quite another horse battery';
    await expectEvents(org, () => anne.browser.submit(page, { current: 'wrong', password: next }), []);
    await expectEvents(
      org,
      () => anne.browser.submit(page, { current: anne.person.password, password: next }),
      [['user.password_changed', { ...about, reason: 'change' }]],
      'POST /account/password',
    );
  });

  it('one device, and all others', async () => {
    const browser = await again(site, anne.person);
    const form = (await anne.open('/sessions')).forms.find(({ action }) => action.endsWith('/sessions/end'));
    const field = (wanted: string) => form?.fields.find(({ name }) => name === wanted)?.value ?? '';
    const fields = { csrf: field('csrf'), session: field('session') };
    await expectEvents(
      org,
      () => anne.browser.post(`${site.base}/account/sessions/end`, fields),
      [['user.logout', { ...about, sessionId: fields.session, scope: 'session', reason: 'signed_out' }]],
      'POST /account/sessions/end',
    );
    await browser.open();
    await again(site, anne.person);
    const page = await anne.open('/sessions');
    await expectEvents(
      org,
      () => anne.browser.submit(page, {}, { button: 'Sign out everywhere else' }),
      [['user.logout', { ...about, sessionId: null, scope: 'other_sessions' }]],
      'POST /account/sessions/end-others',
    );
  });

  it('a second factor, which comes and goes', async () => {
    await site.set('tenant', { mfaPolicy: { allowedMethods: ['totp'] } });
    const page = await anne.open('/factors/add?method=totp');
    const app = appOf(page.link('Open in an app on this device').href);
    const code = app.generate({ timestamp: world.provider.service.clock.now() });
    const add = () => anne.browser.submit(page, { code, name: 'Phone' });
    const told = { ...about, factor: { type: 'totp' } };
    await expectEvents(org, add, [['user.mfa_enabled', told]], 'POST /account/factors/add');
    const list = await anne.open('/factors');
    const remove = () => anne.browser.submit(list, {}, { button: 'Remove Phone' });
    const gone = { ...about, reason: 'removed' };
    await expectEvents(org, remove, [['user.mfa_disabled', gone]], 'POST /account/factors/remove');
  });

  it('an application, which is disconnected', async () => {
    const party = await RelyingParty.register(site.provider, { name: 'The shop' });
    await tokensFor(party, anne.browser, anne.person, { scope: 'openid email' });
    const page = await anne.open('/applications');
    const both = { ...about, clientId: party.id };
    await expectEvents(
      org,
      () => anne.browser.submit(page, {}, { button: 'Remove access for The shop' }),
      [
        ['consent.revoked', both],
        ['token.revoked', { ...both, tokenId: null, reason: 'consent' }],
      ],
      'POST /account/applications/disconnect',
    );
  });
});
