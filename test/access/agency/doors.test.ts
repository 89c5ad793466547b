import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentRecords } from '../../../src/directory/records/index.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { AgencyScene, type TestAgent } from './agency-scene.ts';

/** Requests a minute that one credential has. */
const RATE = 40;

let scene: AgencyScene;
let user: NewUser;
let agent: TestAgent;
/** By delegation, and by elevation. */
let delegated: string;
let elevated: string;

beforeAll(async () => {
  scene = await AgencyScene.start('agency-doors', {
    RELATA_TRUSTED_PROXIES: '127.0.0.1, ::1',
    RELATA_LIMIT_RATE_ORDINARY: String(RATE),
  });
  user = await scene.user('docs:read');
  agent = await scene.agent('docs:read');
  delegated = (await scene.delegated(user, agent, { scopes: ['docs:read'] })).token;
  elevated = (await scene.elevated(user, agent, { scopes: ['docs:read'] })).token;
});
afterAll(() => scene.stop());

function call(token: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const { service, organization } = scene.provider;
  return service.call('GET', `/t/${organization.organization.slug}/api/v1${path}`, { key: token, headers });
}

test('an agent learns who has delegated to it', async () => {
  expect((await call(delegated, '/agents/me')).body).toMatchObject({ agent_id: agent.id, delegated_by: user.id });
  expect((await call(elevated, '/agents/me')).body).not.toHaveProperty('delegated_by');
});

test('what it was given is used from its own networks alone', async () => {
  const { service, organization } = scene.provider;
  const { store } = organization.organization;
  const put = (document: Parameters<typeof agentRecords.put>[2]) =>
    service.submit([agentRecords.put(store, agent.id, document)]);
  const before = service.read(() => agentRecords.get(store, agent.id))?.document;
  if (before === undefined) throw new Error('the agent is gone');
  await put({ ...before, allowedIps: ['192.0.2.0/24'] });
  for (const token of [delegated, elevated]) {
    const from = async (address: string) =>
      (await call(token, '/authz/permissions', { 'x-forwarded-for': address })).status;
    expect([await from('192.0.2.7'), await from('203.0.113.5')]).toEqual([200, 403]);
  }
  await put(before);
});

test('its requests count as its own, and not as those of the person it acts for', async () => {
  scene.provider.service.clock.advance(60_000);
  const own = await scene.token(user, ['openid']);
  const statuses: number[] = [];
  for (let request = 0; request <= RATE; request++) {
    statuses.push((await call(request % 2 === 0 ? delegated : elevated, '/agents/me')).status);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(RATE);
  expect(statuses.at(-1)).toBe(429);
  expect((await call(agent.key, '/agents/me')).status).toBe(429);
  expect((await call(own, '/authz/permissions')).status).toBe(200);
});
