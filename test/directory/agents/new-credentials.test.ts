import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgencyScene } from '../../access/agency/agency-scene.ts';

let scene: AgencyScene;

beforeAll(async () => {
  scene = await AgencyScene.start('new-credentials');
});
afterAll(() => scene.stop());

test('what an agent was lent ends where somebody gives it other credentials', async () => {
  const lender = await scene.user('docs:write');
  for (const [name, method, path, body] of [
    ['a new key', 'POST', '/rotate-key', undefined],
    ['a key address', 'PUT', '', { jwksUri: 'https://keys.example.com/jwks' }],
    [
      'a workload',
      'PUT',
      '',
      {
        federatedCredentials: [
          { issuer: 'https://ci.example.com', subject: 'job', audience: 'relata', jwksUri: 'https://ci.example.com/k' },
        ],
      },
    ],
  ] as const) {
    const agent = await scene.agent();
    const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
    expect([name, await scene.check(token, 'docs:write')]).toEqual([name, true]);
    const answer = await scene.provider.admin(method, `/admin/agents/${agent.id}${path}`, body);
    expect([name, answer.status]).toEqual([name, 200]);
    const after = await scene.call(token, 'POST', '/authz/check', { permission: 'docs:write' });
    expect([name, after.status]).toEqual([name, 401]);
  }
});

test('and goes on where only its name changes', async () => {
  const lender = await scene.user('docs:write');
  const agent = await scene.agent();
  const { token } = await scene.elevated(lender, agent, { scopes: ['docs:write'] });
  expect((await scene.provider.admin('PUT', `/admin/agents/${agent.id}`, { name: 'Renamed' })).status).toBe(200);
  expect(await scene.check(token, 'docs:write')).toBe(true);
});
