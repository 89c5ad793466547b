import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TaskRecord } from '../../../../src/directory/records/index.ts';
import {
  AgencyScene,
  accessTokenType,
  delegationType,
  type TestAgent,
  tokenIn,
} from '../../../access/agency/agency-scene.ts';
import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { RelyingParty } from '../relying-party.ts';

let scene: AgencyScene;
let user: NewUser;
let agent: TestAgent;
const scopes = ['docs:read', 'docs:write'];

beforeAll(async () => {
  scene = await AgencyScene.start('agency-exchange');
  user = await scene.user(...scopes);
  agent = await scene.agent();
});
afterAll(() => scene.stop());

const ofTask = (id: string, by = agent, more: Readonly<Record<string, string>> = {}) =>
  scene.exchange(by, { jit_task_id: id, ...more });
const ofDelegation = (id: string, by = agent, more: Readonly<Record<string, string>> = {}) =>
  scene.exchange(by, { subject_token: id, subject_token_type: delegationType, ...more });
const told = (answer: { readonly status: number; text(path: string): string }) => [
  answer.status,
  answer.text('error'),
  answer.text('error_description'),
];

describe('a task is exchanged', () => {
  test('for a token of what was lent, which ends with it and is not renewed', async () => {
    const id = await scene.lent(user, agent, { scopes });
    const answer = await ofTask(id);
    expect(answer.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'docs:read docs:write',
      issued_token_type: accessTokenType,
    });
    expect(answer.body).not.toHaveProperty('refresh_token');
    expect(answer.body).not.toHaveProperty('id_token');
    scene.provider.service.clock.advance(200_000);
    expect((await ofTask(id, agent, { scope: 'docs:read' })).body).toMatchObject({
      expires_in: 100,
      scope: 'docs:read',
    });
    const log = await scene.provider.organization.org(
      'GET',
      `/admin/audit-logs?action=token.issue&actorId=${agent.id}`,
    );
    expect(log.at('data.data.0')).toMatchObject({
      actorType: 'agent',
      metadata: { elevation: id, userId: user.id, actor: `agent:${agent.id}` },
    });
  });

  const states: readonly [string, Partial<TaskRecord>, string][] = [
    ['pending', { status: 'pending' }, 'authorization_pending'],
    ['denied', { status: 'denied' }, 'access_denied'],
    ['expired', { status: 'expired' }, 'expired_token'],
    ['pending, past its time', { status: 'pending', expiresAt: 1 }, 'expired_token'],
    ['taken back', { ended: { at: 1, by: 'user:x' } }, 'invalid_grant'],
  ];
  test.each(states)('not while it is %s', async (_, state, error) => {
    const id = await scene.lent(user, agent, { scopes }, state);
    expect(told(await ofTask(id)).slice(0, 2)).toEqual([400, error]);
  });

  test('not when what was lent has come to its end', async () => {
    const id = await scene.lent(user, agent, { scopes });
    scene.provider.service.clock.advance(300_000);
    expect((await ofTask(id)).text('error')).toBe('expired_token');
  });

  test('not with a forged id, nor by another agent, nor in another organization: each gets the same answer', async () => {
    const other = await scene.agent();
    const answers: (readonly unknown[])[] = [];
    for (const status of ['approved', 'pending', 'denied', 'expired'] as const) {
      answers.push(told(await ofTask(await scene.lent(user, agent, { scopes }, { status }), other)));
    }
    const neighbour = await AgencyScene.at(await scene.provider.neighbour('agency-exchange-next'));
    const foreign = await neighbour.lent(await neighbour.user(...scopes), await neighbour.agent(), { scopes });
    answers.push(told(await ofTask(foreign)), told(await ofTask('forged')), told(await ofTask('x'.repeat(256))));
    expect(new Set(answers.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify([400, 'invalid_grant', 'This agent has no such task, or it has ended.'])]),
    );
  });

  test('not where the lender has nothing of it any more', async () => {
    const one = await scene.user('docs:write');
    const id = await scene.lent(one, agent, { scopes: ['docs:write'] });
    await scene.grant('docs:write', `user:${one.id}`, 'deletes');
    expect((await ofTask(id)).text('error')).toBe('invalid_grant');
  });

  test('with a token of the agent beside it, and no other', async () => {
    const id = await scene.lent(user, agent, { scopes });
    const own = await scene.provider.token({ id: agent.id, secret: agent.key });
    const beside = (token: string) => ofTask(id, agent, { subject_token: token, subject_token_type: accessTokenType });
    expect((await beside(own)).status).toBe(200);
    const other = await scene.agent();
    const foreign = await scene.provider.token({ id: other.id, secret: other.key });
    const elevated = tokenIn(await ofTask(id));
    for (const token of [foreign, await scene.token(user), elevated, 'forged']) {
      expect((await beside(token)).text('error')).toBe('invalid_request');
    }
    const acting = { actor_token: own, actor_token_type: accessTokenType };
    expect((await ofTask(id, agent, acting)).text('error')).toBe('invalid_request');
  });

  test('by agents alone, which prove who they are', async () => {
    const id = await scene.lent(user, agent, { scopes });
    const client = await RelyingParty.register(scene.provider, {
      grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      redirectUris: [],
    });
    const answer = await ofTask(id, { id: client.id, key: client.secret ?? '' });
    expect(answer.text('error')).toBe('unauthorized_client');
    expect((await ofTask(id, { ...agent, key: 'wrong' })).text('error')).toBe('invalid_client');
  });

  test('for the API of the organization alone, and for no more than was lent', async () => {
    const id = await scene.lent(user, agent, { scopes: ['docs:read'] });
    expect((await ofTask(id, agent, { resource: 'https://elsewhere.example/' })).text('error')).toBe('invalid_target');
    expect((await ofTask(id, agent, { scope: 'docs:write' })).text('error')).toBe('invalid_scope');
    expect((await ofTask(id, agent, { scope: 'docs:read docs:write' })).text('scope')).toBe('docs:read');
    const type = { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' };
    expect((await ofTask(id, agent, type)).text('error')).toBe('invalid_request');
  });
});

describe('a delegation is exchanged', () => {
  test('by its agent alone, again and again', async () => {
    const { id } = await scene.delegated(user, agent, { scopes });
    const answer = await ofDelegation(id);
    expect(answer.body).toMatchObject({ scope: 'docs:read docs:write', issued_token_type: accessTokenType });
    expect(answer.body).not.toHaveProperty('refresh_token');
    expect((await ofDelegation(id)).status).toBe(200);
    const other = await scene.agent();
    const refused = [400, 'invalid_grant', 'This agent has no such delegation, or it has ended.'];
    expect([told(await ofDelegation(id, other)), told(await ofDelegation('forged'))]).toEqual([refused, refused]);
    expect((await scene.exchange(agent, { subject_token_type: delegationType })).text('error')).toBe('invalid_request');
    expect((await ofDelegation(id, agent, { jit_task_id: id })).text('error')).toBe('invalid_request');
  });

  test('not one that is over, or withdrawn', async () => {
    const { id } = await scene.delegated(user, agent, { scopes });
    await scene.provider.admin('DELETE', `/admin/delegations/${id}`);
    expect((await ofDelegation(id)).text('error')).toBe('invalid_grant');
    const other = await scene.delegated(user, agent, { scopes });
    scene.provider.service.clock.advance(30 * 86_400_000);
    expect((await ofDelegation(other.id)).text('error')).toBe('expired_token');
  });

  test('not where it is withdrawn while the token is made', async () => {
    const { id } = await scene.delegated(user, agent, { scopes });
    scene.provider.service.beforeNextCommit(() => scene.provider.admin('DELETE', `/admin/delegations/${id}`));
    expect((await ofDelegation(id)).text('error')).toBe('invalid_grant');
  });
});

test('an agent does not exchange a token of its own', async () => {
  const own = tokenIn(
    await scene.provider.form('token', {
      grant_type: 'client_credentials',
      client_id: agent.id,
      client_secret: agent.key,
    }),
  );
  const answer = await scene.exchange(agent, { subject_token: own, subject_token_type: accessTokenType });
  expect(told(answer)).toEqual([400, 'invalid_request', 'An agent gets tokens of its own with client_credentials.']);
});
