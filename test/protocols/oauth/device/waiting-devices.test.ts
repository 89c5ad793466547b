import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deviceRecords } from '../../../../src/protocols/oauth/device/device-record.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

let provider: ClockedProvider;
let tv: RelyingParty;

beforeAll(async () => {
  provider = await ClockedProvider.start('waiting', { RELATA_TRUSTED_PROXIES: '127.0.0.1,::1' });
  tv = await RelyingParty.register(provider, { type: 'public', redirectUris: [], grantTypes: [grantType] });
});
afterAll(() => provider.service.stop());

function form(path: string, address: string, fields: Readonly<Record<string, string>>) {
  return provider.service.call('POST', `/orgs/waiting/api/v1/oauth/${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
    body: new URLSearchParams({ client_id: tv.id, ...fields }).toString(),
  });
}

async function begun(address: string): Promise<string> {
  const answer = await form('device_authorization', address, {});
  expect(answer.status).toBe(200);
  return answer.text('device_code');
}

async function polled(device: string): Promise<unknown> {
  return (await form('token', '203.0.113.1', { grant_type: grantType, device_code: device })).at('error');
}

describe('devices that wait', () => {
  test('are replaced by newer ones of their own network, never by those of another', async () => {
    const quiet = await begun('198.51.100.7');
    const first = await begun('2001:db8:1:2::1');
    for (let n = 2; n <= 100; n++) await begun(`2001:db8:1:2::${n}`);
    expect(await polled(first)).toBe('authorization_pending');
    const last = await begun('2001:db8:1:2:ffff::1');
    provider.service.clock.advance(5000);
    expect(await Promise.all([quiet, first, last].map(polled))).toEqual([
      'authorization_pending',
      'invalid_grant',
      'authorization_pending',
    ]);
  });

  test('of a client keep nobody out, however many there are: the one that has waited longest is replaced', async () => {
    const { engine } = provider.service.keyDependencies();
    const store = engine.store('org:waiting');
    const clientId = tv.id;
    const oldest = '00000000-0000-7000-8000-000000000000';
    for (let batch = 0; batch < 10; batch++) {
      const changes = Array.from({ length: 1000 }, (_, n) => {
        const number = batch * 1000 + n;
        const id = number === 0 ? oldest : `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
        const expiresAt = provider.now() + 600_000;
        const document = {
          clientId,
          scopes: [],
          codeTag: `tag${number}`,
          expiresAt,
          network: `network${number % 500}`,
          state: 'pending',
        } as const;
        return deviceRecords.put(store, id, document);
      });
      await engine.submit(engine.command(changes));
    }
    const has = (id: string): boolean => deviceRecords.get(store, id) !== undefined;
    expect(has(oldest)).toBe(true);
    const device = await begun('192.0.2.77');
    expect([has(oldest), await polled(device)]).toEqual([false, 'authorization_pending']);
  });
});
