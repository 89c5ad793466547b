import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { AgentScene, type MadeAgent } from './scene.ts';

const elsewhere = 'The agent is not allowed to connect from this address.';

let proxied: InProcessService;
let direct: InProcessService;
let scene: AgentScene;
let count = 0;

beforeAll(async () => {
  const limits = { RELATA_LIMIT_RATE_REFUSED: '0' };
  proxied = await InProcessService.start({ ...limits, RELATA_TRUSTED_PROXIES: '127.0.0.1, ::1, 10.0.0.0/8' });
  direct = await InProcessService.start(limits);
});
beforeEach(async () => {
  scene = await AgentScene.at(proxied, `networks${++count}`);
});
afterAll(async () => {
  await proxied.stop();
  await direct.stop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });

describe('an agent with allowedIps', () => {
  test.each<[allowed: string[], admitted: string[], refused: string[]]>([
    [
      ['192.0.2.0/24'],
      ['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '::ffff:c000:0207'],
      ['192.0.3.1', '2001:db8::1'],
    ],
    [['198.51.100.7'], ['198.51.100.7'], ['198.51.100.8', '::198.51.100.7']],
    [['2001:db8::/33'], ['2001:db8:7fff::1', '2001:DB8::1'], ['2001:db8:8000::1', '32.1.13.184']],
    [['::ffff:192.0.2.0/120'], ['192.0.2.9'], ['192.0.3.9']],
    [
      ['203.0.113.9', '2001:db8::5'],
      ['203.0.113.9', '2001:db8:0:0::5'],
      ['203.0.113.10', '2001:db8::6'],
    ],
    [['0.0.0.0/0'], ['203.0.113.10'], ['2001:db8::6']],
    [['::/0'], ['2001:db8::6'], ['203.0.113.10', '::ffff:203.0.113.10']],
    [['::/0', '0.0.0.0/0'], ['2001:db8::6', '203.0.113.10'], ['unknown']],
  ])('%j is used from there, and from nowhere else', async (allowedIps, admitted, refused) => {
    const agent = await scene.make({ allowedIps });
    for (const address of admitted)
      expect([address, await scene.status(agent.apiKey, from(address))]).toEqual([address, 200]);
    for (const address of refused)
      expect([address, await scene.status(agent.apiKey, from(address))]).toEqual([address, 403]);
  });

  test('is judged by the client behind trusted proxies, and an address that is unknown fails', async () => {
    const agent = await scene.make({ allowedIps: ['192.0.2.7'] });
    for (const [header, status] of [
      ['192.0.2.7', 200],
      ['192.0.2.7, 10.1.2.3', 200],
      ['192.0.2.7, 203.0.113.5', 403],
      ['203.0.113.5, 192.0.2.7', 200],
      ['unknown', 403],
      ['192.0.2.7, unknown', 403],
      ['192.0.2.7:1234', 403],
      [Array(40).fill('192.0.2.7').join(', '), 403],
    ] as const) {
      expect([header, await scene.status(agent.apiKey, from(header))]).toEqual([header, status]);
    }
    expect(await scene.status(agent.apiKey)).toBe(403);
  });

  test('believes no header where no proxy is trusted', async () => {
    const own = await AgentScene.at(direct, `networks-direct${count}`);
    const far = await own.make({ allowedIps: ['192.0.2.7'] });
    const near = await own.make({ allowedIps: ['127.0.0.0/8', '::1'] });
    expect(await own.status(far.apiKey, from('192.0.2.7'))).toBe(403);
    expect(await own.status(near.apiKey, from('192.0.2.7'))).toBe(200);
  });

  test('gets and uses its tokens there alone, at every door; the reason names no network', async () => {
    const agent = await scene.make({ allowedIps: ['192.0.2.0/24'] });
    const ask = (address: string, secret = agent.apiKey) =>
      scene.tokenForm({ client_id: agent.id, client_secret: secret }, from(address));
    const refused = await ask('203.0.113.5');
    expect([refused.status, refused.body]).toEqual([403, { error: 'access_denied', error_description: elsewhere }]);
    // a wrong key is told nothing of networks
    expect((await ask('203.0.113.5', `${agent.apiKey}x`)).at('error')).toBe('invalid_client');
    const token = (await ask('192.0.2.1')).text('access_token');
    const api = `/orgs/${scene.slug}/api/v1`;
    const doors: [method: string, path: string][] = [
      ['GET', `${api}/authz/permissions`],
      ['GET', `${api}/agents/me`],
      ['GET', `${api}/oauth/userinfo`],
    ];
    for (const [method, path] of doors) {
      const at = (address: string) =>
        proxied.call(method, path, { headers: { authorization: `Bearer ${token}`, ...from(address) } });
      expect([path, (await at('192.0.2.9')).status]).toEqual([path, 200]);
      const away = await at('203.0.113.5');
      expect([path, away.status]).toEqual([path, 403]);
      expect(JSON.stringify(away.body)).toContain(elsewhere);
      expect(JSON.stringify(away.body)).not.toContain('192.0.2');
    }
    const inquiry = await proxied.call('POST', `${api}/oauth/introspect`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...from('203.0.113.5') },
      body: new URLSearchParams({ client_id: agent.id, client_secret: agent.apiKey, token }).toString(),
    });
    expect(inquiry.status).toBe(403);
  });

  test('is judged by what is allowed now: also the tokens that it has', async () => {
    const agent = await scene.make();
    const token = await scene.token(agent);
    const both = async () => [
      await scene.status(agent.apiKey, from('203.0.113.5')),
      await scene.status(token, from('203.0.113.5')),
    ];
    const allow = (allowedIps: string[] | null) => scene.admin('PUT', `/agents/${agent.id}`, { allowedIps });
    expect(await both()).toEqual([200, 200]);
    await allow(['192.0.2.0/24']);
    expect(await both()).toEqual([403, 403]);
    await allow(['192.0.2.0/24', '203.0.113.0/24']);
    expect(await both()).toEqual([200, 200]);
    await allow(['192.0.2.0/24']);
    await allow(null);
    expect(await both()).toEqual([200, 200]);
  });

  test('whose key is tried from elsewhere is named in the log, once a minute and address', async () => {
    const agent: MadeAgent = await scene.make({ allowedIps: ['192.0.2.0/24'] });
    for (let time = 0; time < 3; time++) await scene.status(agent.apiKey, from('203.0.113.77'));
    const seen = async () => (await scene.admin('GET', `/audit-logs?action=agent.address_refused&limit=10`)).at('data');
    await expect
      .poll(seen, { timeout: 30_000 })
      .toMatchObject([
        { actorId: agent.id, actorType: 'agent', ipAddress: '203.0.113.77', result: 'failure', targetId: agent.id },
      ]);
    expect((await scene.admin('GET', `/agents/${agent.id}`)).at('data.lastUsedAt')).toBe(null);
  });
});
