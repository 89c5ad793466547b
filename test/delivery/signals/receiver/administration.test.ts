import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Linked, type ReceiverSite, ReceiverWorld } from './receiver-world.ts';

let world: ReceiverWorld;
let site: ReceiverSite;
let ada: Linked;

beforeAll(async () => {
  world = await ReceiverWorld.start({ RELATA_LIMIT_RATE_REFUSED: '3' });
  site = await world.site();
  ada = await site.come('ada');
});
afterAll(() => world.stop());

const path = '/admin/signals/issuers';
const usual = (more: object = {}) => ({
  name: 'Other',
  issuer: 'https://other.example/tenant',
  audience: 'us',
  provider: 'oidc',
  ...more,
});
const admin = (method: string, where: string, body?: object, key?: string) =>
  site.organization.tenant(method, where, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

describe('issuers are administered', () => {
  test.each(['tenant', 'org'] as const)('made, shown, changed and deleted in the %s family', async (family) => {
    const call = (method: string, where: string, body?: object) =>
      site.organization[family](method, where, body === undefined ? {} : { body });
    const one = family === 'tenant' ? 'data' : 'data.data';
    const made = await call('POST', path, usual({ jwksUri: 'https://other.example/jwks' }));
    expect(made.status).toBe(201);
    const id = made.text(`${one}.id`);
    const shown = {
      id,
      name: 'Other',
      issuer: 'https://other.example/tenant',
      jwksUri: 'https://other.example/jwks',
      audience: 'us',
      provider: 'oidc',
      isActive: true,
      requiresSecret: false,
      receivedCount: 0,
      lastReceivedAt: null,
    };
    expect(made.at(one)).toMatchObject({ ...shown, secret: null });
    const read = await call('GET', `${path}/${id}`);
    expect(read.at(one)).toMatchObject(shown);
    const list = await call('GET', `${path}?search=other.example`);
    expect(list.at(one)).toMatchObject([shown]);
    // what was read can be sent back
    const data = read.at(one) as object;
    expect((await call('PUT', `${path}/${id}`, { ...data, name: 'Another', jwksUri: null })).at(one)).toMatchObject({
      ...shown,
      name: 'Another',
      jwksUri: null,
    });
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204);
    expect((await call('GET', `${path}/${id}`)).status).toBe(404);
    for (const verb of ['create', 'update', 'delete'])
      expect((await site.logged(`signal_issuer.${verb}`)).map(({ targetId }) => targetId)).toContain(id);
  });

  test.each([
    { name: 'http', body: { issuer: 'ftp://other.example' }, at: 'issuer' },
    { name: 'a user name', body: { issuer: 'https://a:b@other.example' }, at: 'issuer' },
    { name: 'a query', body: { issuer: 'https://other.example/?a=b' }, at: 'issuer' },
    { name: 'a fragment', body: { issuer: 'https://other.example/#a' }, at: 'issuer' },
    { name: 'no URL of keys', body: { jwksUri: 'file:///etc/passwd' }, at: 'jwksUri' },
    { name: 'a provider that there is not', body: { provider: 'google' }, at: 'provider' },
    { name: 'no audience', body: { audience: '' }, at: 'audience' },
    { name: 'a blank name', body: { name: ' ' }, at: 'name' },
    { name: 'another member', body: { other: 1 }, at: 'other' },
  ])('refuses $name', async ({ body, at }) => {
    const answer = await admin('POST', path, usual(body));
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(at)]);
  });

  test('an issuer has one record, and needs the right', async () => {
    expect((await admin('POST', path, usual({ issuer: world.issuer.url }))).status).toBe(409);
    const reader = await site.organization.newKey('settings.read');
    expect((await admin('GET', path, undefined, reader)).status).toBe(200);
    expect((await admin('POST', path, usual(), reader)).status).toBe(403);
    expect((await admin('DELETE', `${path}/${site.id}`, undefined, reader)).status).toBe(403);
    expect((await admin('POST', `${path}/${site.id}/rotate-secret`, undefined, reader)).status).toBe(403);
    const nobody = await site.organization.newKey('users.read');
    expect((await admin('GET', path, undefined, nobody)).status).toBe(403);
  });

  test('an organization has fifty at most, and sees its own alone', async () => {
    const neighbour = await world.site();
    expect((await neighbour.organization.tenant('GET', `${path}/${site.id}`)).status).toBe(404);
    expect((await neighbour.organization.tenant('DELETE', `${path}/${site.id}`)).status).toBe(404);
    const make = (place: number) =>
      neighbour.organization.tenant('POST', path, { body: usual({ issuer: `https://other.example/${place}` }) });
    const made = await Promise.all(Array.from({ length: 52 }, (_, place) => make(place)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(49);
    expect(made.filter(({ status }) => status === 422)).toHaveLength(3);
  });
});

describe('an issuer', () => {
  test('that is not active, or is gone, ends nothing', async () => {
    const other = await world.site();
    const person = await other.come('ada');
    const one = `${path}/${other.id}`;
    await other.organization.tenant('PATCH', one, { body: { isActive: false } });
    expect(await other.send(person.subject)).toMatchObject({ status: 400, body: { err: 'access_denied' } });
    await other.organization.tenant('PATCH', one, { body: { isActive: true } });
    await other.organization.tenant('DELETE', one);
    expect(await other.send(person.subject)).toMatchObject({ status: 400, body: { err: 'invalid_issuer' } });
    expect(other.isIn(person)).toBe(true);
  });

  test('whose provider is gone speaks of nobody', async () => {
    const other = await world.site();
    const person = await other.come('ada');
    const [provider] = (await other.organization.tenant('GET', '/admin/social-providers')).at('data') as {
      id: number;
    }[];
    await other.organization.tenant('DELETE', `/admin/social-providers/${provider?.id}`);
    expect((await other.send(person.subject)).status).toBe(202);
    expect(other.isIn(person)).toBe(true);
    expect(await other.shown()).toMatchObject({ provider: null });
  });

  test('why its tokens are refused is in the audit log', async () => {
    expect((await site.send(ada.subject, undefined, { claims: { aud: 'another' } })).status).toBe(400);
    await expect
      .poll(() => site.logged('signal.refuse'))
      .toMatchObject([{ targetId: site.id, result: 'failure', metadata: { err: 'invalid_audience' } }]);
  });
});

describe('the secret of an issuer', () => {
  const bearer = (secret: string | null) => ({ authorization: `Bearer ${secret}` });

  test('is shown once, required, kept as a digest, replaced and taken away', async () => {
    const other = await world.site({ requiresSecret: true });
    const person = await other.come('ada');
    const { secret } = other;
    expect(secret).toMatch(/^\w{43}$/);
    expect(await other.shown()).toMatchObject({ requiresSecret: true });
    expect(JSON.stringify(await other.shown())).not.toContain(secret);
    expect(other.service.everythingStored()).not.toContain(secret);
    const token = await world.issuer.sign({ claims: { sub_id: person.subject, events: eventsOf() } });
    for (const headers of [{}, bearer('wrong'), { authorization: `Basic ${secret}` }])
      expect(await other.push(token, headers)).toMatchObject({ status: 400, body: { err: 'authentication_failed' } });
    expect(other.isIn(person)).toBe(true);
    // one who guesses waits, and who is known to be right does not
    expect((await other.push(token, bearer('another'))).status).toBe(429);
    other.service.clock.advance(60_000);
    const again = await world.issuer.sign({ claims: { sub_id: person.subject, events: eventsOf() } });
    expect((await other.push(again, bearer(secret))).status).toBe(202);
    expect(other.isIn(person)).toBe(false);

    const one = `${path}/${other.id}`;
    const rotated = await other.organization.tenant('POST', `${one}/rotate-secret`);
    const next = rotated.text('data.secret');
    expect([rotated.status, next === secret]).toEqual([200, false]);
    expect((await other.push(again, bearer(secret))).status).toBe(400);
    expect((await other.push(again, bearer(next))).status).toBe(202);
    const body = { requiresSecret: false };
    expect((await other.organization.tenant('PATCH', one, { body })).at('data.requiresSecret')).toBe(false);
    expect((await other.push(again)).status).toBe(202);
    const without = await other.organization.tenant('PATCH', one, { body: { requiresSecret: true } });
    expect(without.status).toBe(400);
    const changes = JSON.stringify(await other.logged('signal_issuer.rotate_secret'));
    expect(changes).not.toContain(next);
  });
});

function eventsOf(): object {
  return { 'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {} };
}
