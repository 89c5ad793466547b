import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RelyingParty } from '../relying-party.ts';
import { authorize } from '../signing-in.ts';
import { answered, Certification, idTokenOf } from './certification.ts';

let suite: Certification;
let party: RelyingParty;

beforeAll(async () => {
  suite = await Certification.start('requests');
  party = await suite.client();
});
afterAll(() => suite.stop());

const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');

describe('OpenID Connect Basic: authorization requests', () => {
  test('oidcc-response-type-missing', async () => {
    const page = await suite.outcome(party, { response_type: undefined });
    expect(answered(page)).toMatchObject({
      error: expect.stringMatching(/^(invalid_request|unsupported_response_type)$/),
    });
    expect(page.left.url.searchParams.get('state')).not.toBeNull();
  });

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    expect(idTokenOf(await suite.flow(party, { nonce: undefined }))).not.toHaveProperty('nonce');
  });

  test.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se de' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-ensure-request-with-valid-pkce-succeeds', {}],
  ])('%s', async (_, parameters) => {
    expect((await suite.flow(party, parameters)).tokens.id_token).toEqual(expect.any(String));
  });

  test('oidcc-login-hint', async () => {
    const { first } = await suite.flow(party, { login_hint: suite.person.email });
    const field = first.forms.flatMap(({ fields }) => fields).find(({ autocomplete }) => /username/.test(autocomplete));
    expect(field?.value).toBe(suite.person.email);
  });

  test('oidcc-prompt-login', async () => {
    const { browser, ...before } = await suite.flow(party);
    suite.provider.service.clock.advance(2000);
    const after = await suite.flow(party, { prompt: 'login' }, browser);
    expect(after.first.departure).toBeUndefined();
    expect(idTokenOf(after).sub).toBe(suite.person.id);
    expect(Number(idTokenOf(after).auth_time)).toBeGreaterThan(Number(idTokenOf({ ...before, browser }).auth_time));
  });

  test('oidcc-prompt-none-not-logged-in', async () => {
    const page = await suite.outcome(party, { prompt: 'none' });
    expect(answered(page)).toMatchObject({ error: 'login_required', iss: suite.provider.issuer });
    expect(page.left.url.searchParams.get('state')).not.toBeNull();
  });

  test('oidcc-prompt-none-logged-in', async () => {
    const { browser, ...before } = await suite.flow(party);
    const after = await suite.flow(party, { prompt: 'none' }, browser);
    expect(after.first.departure).toBeDefined();
    const { sub, auth_time: authTime } = idTokenOf({ ...before, browser });
    expect(idTokenOf(after)).toMatchObject({ sub, ...(authTime === undefined ? {} : { auth_time: authTime }) });
  });

  test('oidcc-max-age-1', async () => {
    const { browser, ...before } = await suite.flow(party);
    suite.provider.service.clock.advance(2000);
    const after = await suite.flow(party, { max_age: '1' }, browser);
    expect(after.first.departure).toBeUndefined();
    const { auth_time: was } = idTokenOf({ ...before, browser });
    expect(Number(idTokenOf(after).auth_time)).toBeGreaterThan(Number(was ?? 0));
  });

  test('oidcc-max-age-10000', async () => {
    const { browser, ...before } = await suite.flow(party, { max_age: '15000' });
    suite.provider.service.clock.advance(2000);
    const after = await suite.flow(party, { max_age: '10000' }, browser);
    expect(after.first.departure).toBeDefined();
    expect(idTokenOf(after).auth_time).toBe(idTokenOf({ ...before, browser }).auth_time);
    expect(idTokenOf(after).auth_time).toEqual(expect.any(Number));
  });

  test('oidcc-id-token-hint', async () => {
    const { browser, tokens } = await suite.flow(party);
    const hinted = await suite.flow(party, { prompt: 'none', id_token_hint: String(tokens.id_token) }, browser);
    expect(idTokenOf(hinted).sub).toBe(suite.person.id);
  });

  test('an id_token_hint of somebody else, and none at all, are told from the right one', async () => {
    const { browser, tokens } = await suite.flow(party);
    const other = await suite.another();
    const theirs = await suite.flow(party, {}, undefined, other);
    const hint = { prompt: 'none', id_token_hint: String(theirs.tokens.id_token) };
    expect(answered(await suite.outcome(party, hint, browser))).toMatchObject({ error: 'login_required' });
    const broken = { prompt: 'none', id_token_hint: `${tokens.id_token}x` };
    expect(answered(await suite.outcome(party, broken, browser))).toMatchObject({ error: expect.any(String) });
  });

  test('oidcc-ensure-post-request-succeeds', async () => {
    const request = await party.begin({ scope: 'openid email' });
    const browser = suite.browser();
    const posted = await browser.post(
      request.url.origin + request.url.pathname,
      Object.fromEntries(request.url.searchParams),
      { from: 'https://app.example' },
    );
    const callback = await suite.carryOn(browser, posted);
    expect((await party.finish(request, callback)).id_token).toEqual(expect.any(String));
  });

  test('oidcc-ensure-registered-redirect-uri', async () => {
    const page = await suite.outcome(party, { redirect_uri: 'https://app.example/callback/other' });
    expect({ status: page.status, departure: page.departure }).toEqual({ status: 400, departure: undefined });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('not registered with the address');
  });

  test('oidcc-ensure-request-object-with-redirect-uri', async () => {
    const inside = { redirect_uri: party.redirectUri, client_id: party.id, response_type: 'code' };
    const request = `${none}.${Buffer.from(JSON.stringify(inside)).toString('base64url')}.`;
    const page = await suite.outcome(party, { request, redirect_uri: 'https://evil.example/callback' });
    expect(page.departure).toBeUndefined();
    expect(page.status).toBe(400);
  });

  test('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async () => {
    const request = `${none}.${Buffer.from(JSON.stringify({ scope: 'openid' })).toString('base64url')}.`;
    expect(answered(await suite.outcome(party, { request }))).toMatchObject({ error: 'request_not_supported' });
    expect(party.server.request_parameter_supported).toBe(false);
  });

  test('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async () => {
    const page = await suite.outcome(party, { request_uri: 'https://app.example/request.jwt' });
    expect(answered(page)).toMatchObject({ error: 'request_uri_not_supported' });
    expect(party.server.request_uri_parameter_supported).toBe(false);
  });

  test('oidcc-idtoken-unsigned: an ID token is always signed', async () => {
    const body = { name: 'Unsigned', redirectUris: ['https://app.example/callback'], idTokenSignedResponseAlg: 'none' };
    expect((await suite.provider.admin('POST', '/admin/clients', body)).status).toBe(400);
    expect(party.server.id_token_signing_alg_values_supported).not.toContain('none');
  });

  test('oidcc-alternate-happy-flow: a second browser, and a state of every character', async () => {
    const state = `~!@$^&*()_+={}[]|:;"'<>,.?/ ${'x'.repeat(100)}`;
    const request = { ...(await party.begin({ state })), state };
    const callback = await authorize(suite.browser(), request, suite.person);
    expect(callback.searchParams.get('state')).toBe(state);
    expect((await party.finish(request, callback)).access_token).toEqual(expect.any(String));
  });
});
