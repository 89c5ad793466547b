import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { ClockedProvider } from './in-process.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let provider: ClockedProvider;
let client: { id: string; secret: string };

beforeEach(async () => {
  provider = await ClockedProvider.start('keys');
  client = await provider.client(['a']);
});
afterEach(() => provider.service.stop());

const kidOf = (token: string) => String(decodeProtectedHeader(token).kid);

async function kids(alg = 'ES256'): Promise<string[]> {
  return (await provider.keySet()).filter((key) => key.alg === alg).map(({ kid = '' }) => kid);
}

/** Days go by, and the job runs in each of their hours. */
async function pass(ms: number): Promise<void> {
  for (let gone = 0; gone < ms; gone += HOUR) {
    provider.service.clock.advance(Math.min(HOUR, ms - gone));
    await provider.service.rotateKeys();
  }
}

describe('signing keys', () => {
  test('are made at the first need, once', async () => {
    const { store } = provider.organization.organization;
    expect(provider.service.idsOf(store.name, 'signing_keys')).toEqual([]);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => provider.token(client)));
    expect(new Set(tokens.map(kidOf)).size).toBe(1);
    await Promise.all(Array.from({ length: 10 }, () => provider.keySet()));
    expect([(await kids()).length, (await kids('RS256')).length]).toEqual([1, 1]);
  });

  test('are published 24 hours before they sign, and kept for the longest token life after', async () => {
    const [first = ''] = await kids();
    await pass(89 * DAY - HOUR);
    expect(await kids()).toEqual([first]);
    await pass(HOUR);
    const [, second = ''] = await kids();
    expect(second).not.toBe('');
    provider.service.clock.advance(DAY - 1);
    expect(kidOf(await provider.token(client))).toBe(first);
    provider.service.clock.advance(1);
    const last = await provider.token(client);
    expect(kidOf(last)).toBe(second);
    await pass(DAY);
    expect(await kids()).toEqual([first, second]);
    await pass(HOUR);
    expect(await kids()).toEqual([second]);
    expect((await kids('RS256')).length).toBe(1);
  });

  test('a token stays good over a rotation', async () => {
    await provider.keySet();
    await pass(90 * DAY - 60_000);
    const before = await provider.token(client);
    provider.service.clock.advance(120_000);
    const after = await provider.token(client);
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect([await provider.status(before), await provider.status(after)]).toEqual([200, 200]);
    const keys = createLocalJWKSet({ keys: (await provider.keySet()) as never });
    const currentDate = new Date(provider.service.clock.now());
    for (const token of [before, after]) await jwtVerify(token, keys, { currentDate });
  });

  test('a service that stood still for long publishes a successor for a day all the same', async () => {
    const [first = ''] = await kids();
    provider.service.clock.advance(400 * DAY);
    await provider.service.rotateKeys();
    expect((await kids()).length).toBe(2);
    expect(kidOf(await provider.token(client))).toBe(first);
    await pass(DAY);
    expect(kidOf(await provider.token(client))).not.toBe(first);
  });

  test('their making and removal stand in the audit log', async () => {
    await kids();
    await pass(92 * DAY);
    const log = await provider.organization.org('GET', '/admin/audit-logs?limit=100');
    const text = JSON.stringify(log.body);
    expect(text).toContain('signing_key.create');
    expect(text).toContain('signing_key.remove');
  });

  test('of an organization where one cannot be read keep no other from rotating', async () => {
    const { service } = provider;
    await kids();
    // it comes before the provider's own in every list of organizations
    const broken = await service.organization('broken');
    await service.call('GET', '/orgs/broken/api/v1/oauth/jwks');
    const store = broken.organization.store.name;
    const [id = ''] = service.idsOf(store, 'signing_keys');
    await damageRecord(service.folder, { store, collection: 'signing_keys', id }, damages[0]);
    await pass(89 * DAY);
    expect(await kids()).toHaveLength(2);
  });

  test('private halves are nowhere in the store', async () => {
    await provider.token(client);
    await provider.keySet();
    const stored = provider.service.everythingStored();
    expect(stored).not.toContain('PRIVATE KEY');
    expect(stored).not.toContain(client.secret);
  });
});

describe('access tokens', () => {
  test('end after ten minutes, also where they were good a moment ago', async () => {
    const token = await provider.token(client);
    expect(await provider.status(token)).toBe(200);
    provider.service.clock.advance(600_000 - 1000);
    expect(await provider.status(token)).toBe(200);
    provider.service.clock.advance(1000);
    expect(await provider.status(token)).toBe(401);
  });

  test('end earlier where the organization says so', async () => {
    const body = { accessTokenTtl: 60 };
    expect((await provider.organization.org('PUT', '/admin/settings/security', { body })).status).toBeLessThan(300);
    const answer = await provider.form('token', {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
    });
    expect(answer.at('expires_in')).toBe(60);
  });

  test('a use is written down', async () => {
    const token = await provider.token(client);
    expect(await provider.status(token)).toBe(200);
    await provider.service.signedIn.flush();
    const listed = await provider.organization.org('GET', `/admin/tokens?clientId=${client.id}`);
    expect(JSON.stringify(listed.body)).toMatch(/"lastUsedAt":"20/);
  });
});
