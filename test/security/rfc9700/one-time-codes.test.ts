import { createHash, randomBytes } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Page } from '../../browser/page.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import { browserOf, newPerson, type Person, signIn } from '../../protocols/oauth/signing-in.ts';
import { Provider } from '../../protocols/oauth/world.ts';

let provider: Provider;

beforeAll(async () => {
  provider = await Provider.start('once', { RELATA_LIMIT_RATE_REFUSED: '0', RELATA_THREADS: '3' });
});
afterAll(() => provider.stop());

const AT_ONCE = 10;

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  const page = await browser.open(`${provider.issuer}/account`);
  return page.url.pathname.endsWith('/account');
}

describe('security.md: what is good once is not good twice', () => {
  test('a pushed request: one browser is sent away with a code', async () => {
    const person = await newPerson(provider);
    const party = await RelyingParty.register(provider);
    const browser = browserOf(provider);
    await signIn(browser, await browser.open(`${provider.issuer}/account`), person);
    const request = await party.begin({ prompt: 'none' });
    const { server, client, authentication, options } = party;
    const pushing = await oauth.pushedAuthorizationRequest(
      server,
      client,
      authentication,
      new URLSearchParams(request.url.searchParams),
      options,
    );
    const { request_uri: uri } = await oauth.processPushedAuthorizationResponse(server, client, pushing);
    const url = new URL(String(server.authorization_endpoint));
    url.search = new URLSearchParams({ client_id: party.id, request_uri: uri }).toString();
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => browser.open(url)));
    const answered = all.filter(({ departure }) => departure !== undefined);
    expect(answered.length).toBeLessThanOrEqual(1);
  });

  test('a client assertion, and a proof of possession: once on all threads', async () => {
    const pair = await oauth.generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await crypto.subtle.exportKey('jwk', pair.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' };
    const party = await RelyingParty.register(provider, {
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [jwk] },
      grantTypes: ['client_credentials'],
      scopes: ['a'],
    });
    const assertion = await signed(
      pair.privateKey,
      { alg: 'ES256', kid: 'own', typ: 'JWT' },
      {
        iss: party.id,
        sub: party.id,
        aud: party.server.issuer,
        ...fresh(),
      },
    );
    const fields = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    };
    const endpoint = String(party.server.token_endpoint);
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => party.post(endpoint, fields)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);

    const holder = await RelyingParty.register(provider, { grantTypes: ['client_credentials'], scopes: ['a'] });
    const basic = { authorization: `Basic ${Buffer.from(`${holder.id}:${holder.secret}`).toString('base64')}` };
    const head = { alg: 'ES256', typ: 'dpop+jwt', jwk: await crypto.subtle.exportKey('jwk', pair.publicKey) };
    const proof = (more: object) => signed(pair.privateKey, head, { htm: 'POST', htu: endpoint, ...fresh(), ...more });
    const one = await proof({});
    const asked = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        party.post(endpoint, { grant_type: 'client_credentials' }, { ...basic, dpop: one }),
      ),
    );
    const [won, second] = asked.filter(({ status }) => status === 200);
    expect([won?.status, second]).toEqual([200, undefined]);
    if (won === undefined) throw new Error('nobody got a token');
    const { access_token: token } = (await won.json()) as { readonly access_token: string };
    const api = `${provider.api}/authz/permissions`;
    const ath = createHash('sha256').update(token).digest('base64url');
    const reused = await proof({ htm: 'GET', htu: api, ath });
    const calls = await Promise.all(
      Array.from({ length: AT_ONCE }, () => fetch(api, { headers: { authorization: `DPoP ${token}`, dpop: reused } })),
    );
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a code of an authenticator, and a recovery code: once, on all threads', async () => {
    const person = await newPerson(provider);
    const browser = browserOf(provider);
    const { secret, recoveryCodes } = await enrolTotp(browser, person);
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8);
    const code = new TOTP({ secret: keyOf(secret) }).generate({ timestamp: Date.now() + 30_000 });
    const tries = await Promise.all(Array.from({ length: 5 }, () => challenged(person)));
    const answers = await Promise.all(tries.map(({ visitor, page }) => visitor.submit(page, { code })));
    const inside = await Promise.all(tries.map(({ visitor }) => isSignedIn(visitor)));
    expect({ inside: inside.filter(Boolean).length, said: answers.map(({ status }) => status).sort() }).toMatchObject({
      inside: 1,
    });
    const [recovery = ''] = recoveryCodes;
    const raced = await Promise.all(Array.from({ length: 5 }, () => challenged(person)));
    await Promise.all(raced.map((each) => recovered(each, recovery)));
    const recovering = await Promise.all(raced.map(({ visitor }) => isSignedIn(visitor)));
    expect(recovering.filter(Boolean)).toHaveLength(1);
    const second = await challenged(person);
    await recovered(second, recovery);
    expect(await isSignedIn(second.visitor)).toBe(false);
  });
});

interface Challenge {
  readonly visitor: FormBrowser;
  readonly page: Page;
}

async function challenged(person: Person): Promise<Challenge> {
  const visitor = browserOf(provider);
  const page = await signIn(visitor, await visitor.open(`${provider.issuer}/account`), person);
  expect(page.url.pathname).toMatch(/\/signin\/second-factor/);
  return { visitor, page };
}

async function recovered({ visitor, page }: Challenge, code: string): Promise<Page> {
  return visitor.submit(await visitor.click(page, /recovery/i), { code });
}

/** Registers an authenticator on the account page, and keeps what it shows. */
async function enrolTotp(browser: FormBrowser, person: Person) {
  await signIn(browser, await browser.open(`${provider.issuer}/account`), person);
  const offered = await browser.open(`${provider.issuer}/account/factors/add?method=totp`);
  const [secret = ''] = /\b[A-Z2-7]{4}(?: [A-Z2-7]{1,4}){3,}\b/.exec(offered.text) ?? [];
  const done = await browser.submit(offered, { code: new TOTP({ secret: keyOf(secret) }).generate() });
  const codes = [...done.html.matchAll(/<code[^>]*>([^<]{8,})<\/code>/g)].map(([, code = '']) => code);
  return { secret, recoveryCodes: codes };
}

function keyOf(text: string): Secret {
  return Secret.fromBase32(text.replaceAll(' ', ''));
}

function fresh() {
  const now = Math.floor(Date.now() / 1000);
  return { jti: randomBytes(16).toString('hex'), iat: now, exp: now + 60 };
}

async function signed(key: CryptoKey, head: object, payload: object): Promise<string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode(head)}.${encode(payload)}`;
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}
