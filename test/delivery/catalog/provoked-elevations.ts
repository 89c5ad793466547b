import { agentRecords, mintAgentKey } from '../../../src/directory/records/index.ts';
import { basic, ClientScene } from '../../protocols/oauth/clients/scene.ts';
import type { Provoked } from './provoked.ts';

const AGENT = '01920000-0000-7000-8000-0000000000a1';

/** An agent asks: rules approve and deny, at once and when more is asked for; nobody decides; an administrator takes it back. */
export async function provokeElevations(all: Provoked): Promise<void> {
  const { org, family } = all;
  const { key, kept } = mintAgentKey();
  const times = { createdAt: 0, updatedAt: 0, createdBy: 'platform' };
  const agent = { name: 'Agent', type: 'bot', isActive: true, ...kept, ...times } as const;
  await org.service.submit([agentRecords.put(org.organization.store, AGENT, agent)]);
  const userId = all.id(await all.did('POST /admin/users', {}, { email: 'lender@example.com' }));
  for (const slug of ['a:read', 'b:read', 'c:read']) {
    const permission = all.id(await all.did('POST /admin/permissions', {}, { slug, name: slug }));
    await all.did('POST /admin/users/{userId}/permissions', { userId }, { permissionId: Number(permission) });
  }
  const late = { name: 'Late', effect: 'deny', scopes: ['b:read'], condition: '"c:read" in resource.scopes' };
  const approving = {
    name: 'Soon',
    effect: 'approve',
    scopes: ['a:read', 'b:read'],
    maxSeconds: 900,
    lenderId: userId,
  };
  const both = { ...approving, name: 'Both', condition: 'size(resource.scopes) == 2' };
  const one = { ...approving, scopes: ['a:read'], condition: 'resource.seconds == 60' };
  for (const body of [late, both, one]) {
    const ruleId = all.id(await all.did('POST /admin/elevations/rules', {}, body));
    await all.did('PUT /admin/elevations/rules/{ruleId}', { ruleId }, body);
  }
  const token = async (id = AGENT, secret = key) =>
    (await new ClientScene(org, family).token({}, basic(id, secret))).text('access_token');
  const ask = async (required_scopes: string[], duration: number, by = token()) => {
    const body = { task_description: 'Read', required_scopes, duration };
    return (await all.did('POST /jit/task', {}, body, await by)).text('task_id');
  };
  // what an agent was lent, and what it waits for, end with its credentials
  for (const ending of ['PUT', 'DELETE', 'POST'] as const) {
    const made = await all.did('POST /admin/agents', {}, { name: ending });
    const agentId = all.id(made);
    const own = () => token(agentId, String(made.at(family === 'org' ? 'data.data.apiKey' : 'data.apiKey')));
    await ask(['a:read'], 60, own());
    await ask(['c:read'], 61, own());
    if (ending === 'PUT') await all.did('PUT /admin/agents/{agentId}', { agentId }, { isActive: false });
    else if (ending === 'DELETE') await all.did('DELETE /admin/agents/{agentId}', { agentId });
    else await all.did('POST /admin/agents/{agentId}/rotate-key', { agentId });
  }
  const add = async (task_id: string, scope: string) =>
    all.did('POST /jit/request', {}, { task_id, scope, justification: 'More' }, await token());
  const approved = await ask(['a:read'], 60);
  await all.did('POST /admin/elevations/{taskId}/revoke', { taskId: approved }, { reason: 'Done' });
  await ask(['b:read', 'c:read'], 61);
  await add(await ask(['a:read'], 61), 'b:read');
  await add(await ask(['b:read'], 61), 'c:read');
  await ask(['c:read'], 61);
  org.service.clock.advance(600_000);
  await ask(['c:read'], 61);
  await all.did('PUT /admin/elevations/settings', {}, { pendingSeconds: 60 });
}
