import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verification } from '../transmitter-world.ts';
import { type Linked, type ReceiverSite, ReceiverWorld, revoked } from './receiver-world.ts';
import { newKey, TestIssuer, type TokenWish } from './test-issuer.ts';

let world: ReceiverWorld;
let site: ReceiverSite;
let ada: Linked;

beforeAll(async () => {
  world = await ReceiverWorld.start();
  site = await world.site();
  ada = await site.come('ada');
});
afterAll(() => world.stop());

const hour = 3600;
const nowS = () => Math.floor(site.service.clock.now() / 1000);
const error = (err: string) => ({ err, description: expect.any(String) });
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const usual = () => ({ sub_id: ada.subject, events: { [revoked]: {} } });

describe('a token is refused', () => {
  const foreign = newKey('foreign');
  const namesake = newKey('first');
  const table: readonly { name: string; err: string; wish: () => TokenWish | Promise<TokenWish> }[] = [
    { name: 'of an unknown issuer', err: 'invalid_issuer', wish: () => ({ claims: { iss: 'https://other.example' } }) },
    {
      name: 'of an issuer with a slash more',
      err: 'invalid_issuer',
      wish: () => ({ claims: { iss: `${world.issuer.url}/` } }),
    },
    { name: 'without an issuer', err: 'invalid_request', wish: () => ({ claims: { iss: undefined } }) },
    { name: 'for another audience', err: 'invalid_audience', wish: () => ({ claims: { aud: 'another' } }) },
    { name: 'without an audience', err: 'invalid_audience', wish: () => ({ claims: { aud: undefined } }) },
    { name: 'of the type of an ID token', err: 'invalid_request', wish: () => ({ header: { typ: 'JWT' } }) },
    { name: 'of the type of an access token', err: 'invalid_request', wish: () => ({ header: { typ: 'at+jwt' } }) },
    { name: 'without a type', err: 'invalid_request', wish: () => ({ header: { typ: undefined } }) },
    { name: 'signed by a foreign key', err: 'invalid_key', wish: async () => ({ key: await foreign }) },
    {
      name: 'signed by a foreign key of the same name',
      err: 'invalid_key',
      wish: async () => ({ key: await namesake }),
    },
    {
      name: 'that brings its key along',
      err: 'invalid_key',
      wish: async () => ({ key: await foreign, header: { jwk: (await foreign).jwk, kid: undefined } }),
    },
    {
      name: 'that says where its key is',
      err: 'invalid_key',
      wish: () => ({ header: { jku: 'https://attacker.example/jwks' } }),
    },
    { name: 'from the future', err: 'invalid_request', wish: () => ({ claims: { iat: nowS() + hour } }) },
    {
      name: 'more than a month old',
      err: 'invalid_request',
      wish: () => ({ claims: { iat: nowS() - 31 * 24 * hour } }),
    },
    { name: 'without iat', err: 'invalid_request', wish: () => ({ claims: { iat: undefined } }) },
    { name: 'that has expired', err: 'invalid_request', wish: () => ({ claims: { exp: nowS() - hour } }) },
    { name: 'without jti', err: 'invalid_request', wish: () => ({ claims: { jti: undefined } }) },
    { name: 'with an empty jti', err: 'invalid_request', wish: () => ({ claims: { jti: '' } }) },
    { name: 'without events', err: 'invalid_request', wish: () => ({ claims: { events: undefined } }) },
    { name: 'of no event', err: 'invalid_request', wish: () => ({ claims: { events: {} } }) },
    {
      name: 'of two events',
      err: 'invalid_request',
      wish: () => ({ claims: { events: { [revoked]: {}, [verification]: {} } } }),
    },
    {
      name: 'of an event that nobody knows',
      err: 'invalid_request',
      wish: () => ({ claims: { events: { 'https://example.com/other': {} } } }),
    },
    {
      name: 'whose event is no object',
      err: 'invalid_request',
      wish: () => ({ claims: { events: { [revoked]: 1 } } }),
    },
    { name: 'without a subject', err: 'invalid_request', wish: () => ({ claims: { sub_id: undefined } }) },
    {
      name: 'whose subject has no format',
      err: 'invalid_request',
      wish: () => ({ claims: { sub_id: { sub: 'ada' } } }),
    },
    {
      name: 'whose subject lacks the issuer',
      err: 'invalid_request',
      wish: () => ({ claims: { sub_id: { format: 'iss_sub', sub: 'ada' } } }),
    },
  ];
  test.each(table)('$name', async ({ err, wish }) => {
    const { claims, ...rest } = await wish();
    const answer = await site.push(await world.issuer.sign({ ...rest, claims: { ...usual(), ...claims } }));
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: error(err) });
    expect(answer.headers.get('content-language')).toBe('en');
    expect(site.isIn(ada)).toBe(true);
  });

  test('without a signature', async () => {
    const payload = { iss: world.issuer.url, aud: 'receiver', iat: nowS(), jti: 'none', ...usual() };
    for (const alg of ['none', 'None', 'HS256']) {
      const answer = await site.push(`${base64({ alg, typ: 'secevent+jwt' })}.${base64(payload)}.`);
      expect([answer.status, answer.body]).toEqual([400, error('invalid_key')]);
    }
    expect(site.isIn(ada)).toBe(true);
  });

  test('signed with the public key as a shared secret', async () => {
    const { SignJWT } = await import('jose');
    const secret = Buffer.from(JSON.stringify(world.issuer.key.jwk));
    const claims = { iss: world.issuer.url, aud: 'receiver', iat: nowS(), jti: 'shared', ...usual() };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'first', typ: 'secevent+jwt' })
      .sign(secret);
    expect((await site.push(token)).body).toEqual(error('invalid_key'));
  });

  test('changed on its way', async () => {
    const [header, payload = '', signature] = (await world.issuer.sign({ claims: usual() })).split('.');
    const other = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), jti: 'changed' };
    expect((await site.push(`${header}.${base64(other)}.${signature}`)).body).toEqual(error('invalid_key'));
  });

  test.each(['', 'text', 'a.b.c', '{"a":1}', '..', `${base64({ alg: 'RS256' })}.${base64({ iss: 1 })}.AA`])(
    'where it is none: %j',
    async (body) => {
      const answer = await site.push(body);
      expect([answer.status, answer.body]).toEqual([400, error('invalid_request')]);
    },
  );

  test('of another media type, or too long', async () => {
    const token = await world.issuer.sign({ claims: usual() });
    const other = await site.push(token, { 'content-type': 'application/jwt' });
    expect([other.status, other.body]).toEqual([415, error('invalid_request')]);
    const long = await site.push('a'.repeat(65_537));
    expect([long.status, long.body]).toEqual([413, error('invalid_request')]);
    expect(site.isIn(ada)).toBe(true);
  });

  test('at an organization that there is not', async () => {
    const answer = await site.service.call('POST', '/orgs/none/api/v1/signals/receive', {
      headers: { 'content-type': 'application/secevent+jwt' },
      body: await world.issuer.sign({ claims: usual() }),
    });
    expect([answer.status, answer.body]).toEqual([404, error('invalid_request')]);
  });

  test('of an issuer that another organization believes', async () => {
    const issuer = await TestIssuer.open(() => site.service.clock.now());
    const other = await world.site({ issuer: issuer.url, jwksUri: issuer.jwksUri });
    const token = await issuer.sign({ claims: usual() });
    expect((await site.push(token)).body).toEqual(error('invalid_issuer'));
    expect((await other.push(token)).status).toBe(202);
    expect(site.isIn(ada)).toBe(true);
    await issuer.close();
  });
});

describe('keys', () => {
  test('of unknown issuers are not asked for, and those of a known one once, however many come', async () => {
    const issuer = await TestIssuer.open(() => site.service.clock.now());
    const token = () => issuer.sign({ claims: usual() });
    for (let each = 0; each < 5; each++) expect((await site.push(await token())).status).toBe(400);
    expect(issuer.requests).toEqual([]);
    const other = await world.site({ issuer: issuer.url, jwksUri: issuer.jwksUri });
    const tokens = await Promise.all(Array.from({ length: 10 }, token));
    const statuses = await Promise.all(tokens.map(async (each) => (await other.push(each)).status));
    expect([new Set(statuses), issuer.requests]).toEqual([new Set([202]), ['/tenant/jwks']]);
    // a key that does not fit is looked for again, but not at each attempt
    const foreign = await newKey('second');
    other.service.clock.advance(31_000);
    for (let each = 0; each < 5; each++)
      expect((await other.push(await issuer.sign({ claims: usual(), key: foreign }))).body).toEqual(
        error('invalid_key'),
      );
    expect(issuer.requests).toHaveLength(2);
    issuer.keys = [issuer.key, foreign];
    other.service.clock.advance(31_000);
    expect((await other.push(await issuer.sign({ claims: usual(), key: foreign }))).status).toBe(202);
    expect(issuer.requests).toHaveLength(3);
    await issuer.close();
  });

  test('are found by the metadata, which name the issuer itself', async () => {
    const issuer = await TestIssuer.open(() => site.service.clock.now());
    const other = await world.site({ issuer: issuer.url, jwksUri: undefined });
    issuer.metadataIssuer = 'https://other.example';
    const token = await issuer.sign({ claims: usual() });
    expect((await other.push(token)).status).toBe(503);
    issuer.metadataIssuer = issuer.url;
    other.service.clock.advance(31_000);
    expect((await other.push(token)).status).toBe(202);
    expect(issuer.requests).toEqual([
      '/.well-known/ssf-configuration/tenant',
      '/.well-known/ssf-configuration/tenant',
      '/tenant/jwks',
    ]);
    await issuer.close();
  });

  test('that cannot be fetched are no fault of the token: it is to be sent again', async () => {
    const issuer = await TestIssuer.open(() => site.service.clock.now());
    const other = await world.site({ issuer: issuer.url, jwksUri: issuer.jwksUri });
    issuer.isDown = true;
    const token = await issuer.sign({ claims: usual() });
    expect((await other.push(token)).status).toBe(503);
    issuer.isDown = false;
    expect((await other.push(token)).status).toBe(503);
    other.service.clock.advance(31_000);
    expect((await other.push(token)).status).toBe(202);
    await issuer.close();
  });
});
