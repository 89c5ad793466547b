import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../../browser/form-browser.ts';
import type { Page } from '../../../browser/page.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { browserOf, newPerson, type Person, signIn } from '../signing-in.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

let provider: ClockedProvider;
let tv: RelyingParty;
let person: Person;

beforeAll(async () => {
  provider = await ClockedProvider.start('devices');
  tv = await newTv();
  person = await newPerson(provider);
});
afterAll(() => provider.service.stop());

const newTv = (more = {}): Promise<RelyingParty> =>
  RelyingParty.register(provider, {
    name: 'Television',
    type: 'public',
    redirectUris: [],
    grantTypes: [grantType, 'refresh_token'],
    ...more,
  });

async function begun(by = tv, scope = 'openid profile offline_access'): Promise<oauth.DeviceAuthorizationResponse> {
  const { server, client, authentication, options } = by;
  const parameters = new URLSearchParams({ scope });
  const response = await oauth.deviceAuthorizationRequest(server, client, authentication, parameters, options);
  return oauth.processDeviceAuthorizationResponse(server, client, response);
}

async function polled(
  device: string,
  by = tv,
): Promise<{ status: number; error: unknown; tokens: Record<string, string> }> {
  const answer = await provider.form('token', { grant_type: grantType, device_code: device, client_id: by.id });
  return { status: answer.status, error: answer.at('error'), tokens: answer.body as Record<string, string> };
}

/** Time for the device to ask again. */
const later = (seconds = 5): void => provider.service.clock.advance(seconds * 1000);

async function atDevicePage(browser: FormBrowser, address = `${provider.issuer}/device`): Promise<Page> {
  return signIn(browser, await browser.open(address), person);
}

/** From the page that asks for the code to the one that asks whether the device may. */
async function asked(browser: FormBrowser, page: Page, code: Readonly<Record<string, string>> = {}): Promise<Page> {
  return browser.submit(await browser.submit(page, code), {}, { button: 'same' });
}

/** All that a person does who has the device beside them. */
async function answered(device: oauth.DeviceAuthorizationResponse, decision: 'allow' | 'refuse'): Promise<Page> {
  const browser = browserOf(provider);
  const page = await atDevicePage(browser, device.verification_uri_complete);
  return browser.submit(await asked(browser, page), {}, { button: decision });
}

describe('a device', () => {
  test('gets tokens when somebody has signed in elsewhere, compared the code and agreed', async () => {
    const device = await begun();
    expect(device.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(device).toMatchObject({ verification_uri: `${provider.issuer}/device`, expires_in: 600, interval: 5 });
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
    const browser = browserOf(provider);
    const page = await atDevicePage(browser);
    expect(page.heading).toBe('Connect a device');
    const compare = await browser.submit(page, { user_code: ` ${device.user_code.toLowerCase().replace('-', ' ')} ` });
    expect(compare.text).toContain(device.user_code);
    expect(compare.text).toContain('Television');
    const question = await browser.submit(compare, {}, { button: 'same' });
    expect(question.heading).toBe('Allow Television on your device?');
    expect(question.text).toContain(person.email);
    const done = await browser.submit(question, {}, { button: 'allow' });
    expect(done.heading).toBe('Your device is connected');
    later();
    const { server, client, authentication, options } = tv;
    const response = await oauth.deviceCodeGrantRequest(server, client, authentication, device.device_code, options);
    const tokens = await oauth.processDeviceCodeResponse(server, client, response);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: person.id, client_id: tv.id });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: person.id, aud: tv.id });
    expect(await provider.status(tokens.access_token)).toBe(200);
    expect((await tv.refresh(tokens.refresh_token ?? '')).access_token).toBeTruthy();
  });

  test('gets them once', async () => {
    const device = await begun();
    await answered(device, 'allow');
    expect((await polled(device.device_code)).status).toBe(200);
    later();
    expect((await polled(device.device_code)).error).toBe('invalid_grant');
  });

  test('gets them once, however many ask at the same moment', async () => {
    const device = await begun();
    await answered(device, 'allow');
    const all = await Promise.all(Array.from({ length: 10 }, () => polled(device.device_code)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is told that the user refused', async () => {
    const device = await begun();
    expect((await answered(device, 'refuse')).heading).toBe('Your device was not connected');
    expect((await polled(device.device_code)).error).toBe('access_denied');
  });

  test('is not slowed down by another client with its code', async () => {
    const device = await begun();
    const other = await RelyingParty.register(provider, { type: 'public', redirectUris: [], grantTypes: [grantType] });
    expect((await polled(device.device_code, other)).error).toBe('invalid_grant');
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
  });

  test('is told to slow down, and that is no answer for good', async () => {
    const device = await begun();
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
    expect((await polled(device.device_code)).error).toBe('slow_down');
    later();
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
    later();
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
  });

  test('is told that the time is over, also when nothing is left of it', async () => {
    const device = await begun();
    later(601);
    expect((await polled(device.device_code)).error).toBe('expired_token');
    later(601);
    await provider.service.sweep();
    const { name } = provider.organization.organization.store;
    expect(provider.service.idsOf(name, 'device_authorizations')).toEqual([]);
    expect((await polled(device.device_code)).error).toBe('expired_token');
  });

  test('cannot ask with the code of another client, or one that is made up', async () => {
    const device = await begun();
    await answered(device, 'allow');
    expect((await polled(device.device_code, await newTv())).error).toBe('invalid_grant');
    later();
    const wrong = device.device_code.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await polled(wrong)).error).toBe('invalid_grant');
    expect((await polled(device.device_code)).status).toBe(200);
  });

  test('gets nothing when the user has been blocked meanwhile', async () => {
    const blocked = await newPerson(provider);
    const device = await begun();
    const browser = browserOf(provider);
    const page = await signIn(browser, await browser.open(device.verification_uri_complete ?? ''), blocked);
    await browser.submit(await asked(browser, page), {}, { button: 'allow' });
    await provider.admin('POST', `/admin/users/${blocked.id}/block`);
    expect((await polled(device.device_code)).error).toBe('invalid_grant');
  });

  test('must be of a client that is registered for it', async () => {
    const plain = await RelyingParty.register(provider);
    await expect(begun(plain)).rejects.toMatchObject({ error: 'unauthorized_client' });
  });

  test('is served by openid-client as it is', async () => {
    const configuration = await tv.configuration();
    const device = await openid.initiateDeviceAuthorization(configuration, { scope: 'openid' });
    await answered(device, 'allow');
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0.1 });
    expect(decodeJwt(tokens.id_token ?? '').sub).toBe(person.id);
  }, 15_000);
});

describe('the page of the code', () => {
  test('asks who is there first, and comes back with the code', async () => {
    const device = await begun();
    const browser = browserOf(provider);
    const first = await browser.open(device.verification_uri_complete ?? '');
    expect(first.url.pathname).toMatch(/\/signin$/);
    const page = await signIn(browser, first, person);
    expect(page.url.pathname).toMatch(/\/device$/);
    expect(page.html).toContain(device.user_code);
  });

  test('shows nothing that is no code', async () => {
    const browser = browserOf(provider);
    const page = await atDevicePage(browser, `${provider.issuer}/device?user_code=%22%3E%3Cscript%3Ealert(1)`);
    expect(page.status).toBe(200);
    expect(page.html).not.toContain('alert(1)');
  });

  test('allows five wrong codes to a user, whatever the browser, and forgives after ten minutes', async () => {
    const guesser = await newPerson(provider);
    const device = await begun();
    const browser = browserOf(provider);
    let page = await signIn(browser, await browser.open(`${provider.issuer}/device`), guesser);
    for (const last of ['B', 'C', 'D', 'F', 'G']) {
      page = await browser.submit(page, { user_code: `BBBB-BBB${last}` });
      expect([page.status, page.text.includes('No device is waiting')]).toEqual([400, true]);
    }
    const sixth = await browser.submit(page, { user_code: device.user_code });
    expect(sixth.text).toContain('Too many incorrect codes');
    const other = browserOf(provider);
    const again = await signIn(other, await other.open(`${provider.issuer}/device`), guesser);
    expect((await other.submit(again, { user_code: device.user_code })).text).toContain('Too many incorrect codes');
    later(602);
    const fresh = await begun();
    const open = await signIn(other, await other.open(`${provider.issuer}/device`), guesser);
    expect((await other.submit(open, { user_code: fresh.user_code })).text).toContain(
      'Does your device show this code?',
    );
  });

  test('counts no right code as a try', async () => {
    const browser = browserOf(provider);
    for (let round = 0; round < 7; round++) {
      const device = await begun();
      const page = await atDevicePage(browser);
      const compare = await browser.submit(page, { user_code: device.user_code });
      expect(compare.text).toContain('Does your device show this code?');
    }
  });

  test('takes a decision from its own form alone, of whom it was shown to', async () => {
    const device = await begun();
    const browser = browserOf(provider);
    const compare = await asked(browser, await atDevicePage(browser, device.verification_uri_complete));
    const foreign = await browser.submit(compare, {}, { button: 'allow', tampered: { ticket: 'x' } });
    expect(foreign.status).toBe(400);
    const forged = await browser.submit(compare, {}, { button: 'allow', tampered: { csrf: 'x' } });
    expect(forged.status).toBe(403);
    const somebody = await browser.submit(compare, {}, { button: 'allow', tampered: { account: 'somebody' } });
    expect(somebody.url.pathname).toMatch(/\/device$/);
    expect((await polled(device.device_code)).error).toBe('authorization_pending');
    expect((await browser.submit(compare, {}, { button: 'allow' })).heading).toBe('Your device is connected');
    // and no second one
    expect((await browser.submit(compare, {}, { button: 'refuse' })).status).toBe(400);
  });

  test('leads nowhere that has no way on: reload, back, another session', async () => {
    const device = await begun();
    const browser = browserOf(provider);
    const compare = await asked(browser, await atDevicePage(browser, device.verification_uri_complete));
    const opened = await browser.open(`${provider.issuer}/device/decision`);
    expect(opened.heading).toBe('Connect a device');
    await provider.organization.org('DELETE', `/admin/users/${person.id}/sessions`);
    const signedOut = await browser.submit(compare, {}, { button: 'allow' });
    expect(signedOut.url.pathname).toMatch(/\/signin$/);
    const back = await signIn(browser, signedOut, person);
    expect(back.heading).toBe('Connect a device');
  });

  test('puts what was agreed to where the user finds it', async () => {
    const device = await begun();
    await answered(device, 'allow');
    const log = await provider.organization.org('GET', '/admin/audit-logs?eventType=consent.granted');
    expect(JSON.stringify(log.body)).toContain(tv.id);
  });
});
