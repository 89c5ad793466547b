import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { taskRecords } from '../../../src/directory/records/index.ts';
import type { TestAgent } from '../agency/agency-scene.ts';
import { evaluation, question, RequestScene, requests, type } from './request-scene.ts';

let on: RequestScene;

beforeAll(async () => {
  on = await RequestScene.start('authzen-requests');
});
afterAll(() => on.agency.stop());

describe('a request', () => {
  test('that is sent again finds its task, also at the same moment', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    const made = await Promise.all(Array.from({ length: 8 }, () => on.submit(agent, request, 'once')));
    expect(new Set(made.map((each) => each.text('task.id'))).size).toBe(1);
    const other = await on.submit(agent, { ...request, requested_access: { emergency: true } }, 'once');
    expect([other.status, other.at('type')]).toEqual([409, type('duplicate_request')]);
    const unkeyed = await on.submit(agent, { ...request, requested_access: { emergency: true } });
    expect([unkeyed.status, unkeyed.at('type')]).toEqual([400, type('invalid_denial_binding')]);
  });

  test('of another question, of somebody else, or without a proof is refused', async () => {
    const agent = await on.agency.agent();
    const thief = await on.agency.agent();
    const request = await on.denied(agent);
    const { denial } = request;
    const [head, , signature] = denial.binding_token.split('.');
    const forged = Buffer.from(JSON.stringify({ sub: agent.id })).toString('base64url');
    for (const [who, body] of [
      [agent, { ...request, action: { name: 'erase' } }],
      [agent, { ...request, resource: { type: 'docs', id: 'other' } }],
      [thief, { ...request }],
      [thief, { ...request, subject: { type: 'agent', id: thief.id } }],
      [agent, { ...request, denial: { ...denial, binding_token: `${head}.${forged}.${signature}` } }],
      [agent, { ...request, denial: { ...denial, binding_token: 'eyJhbGciOiJub25lIn0.e30.' } }],
      [agent, { ...request, denial: { ...denial, expires_at: '2030-01-01T00:00:00Z' } }],
      [agent, { ...request, denial: { ...denial, evaluation_id: 'another' } }],
      [agent, { ...request, denial: { evaluation_id: denial.evaluation_id, expires_at: denial.expires_at } }],
    ] as const) {
      const answer = await on.submit(who, body);
      expect([answer.status, answer.at('type')]).toEqual([400, type('invalid_denial_binding')]);
    }
  });

  test('finds its task by its key also when the denial is over long ago', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    const made = await on.submit(agent, request, 'after a restart');
    on.agency.provider.service.clock.advance(24 * 3_600_000);
    const later = await on.submit(agent, request, 'after a restart');
    expect([later.status, later.at('task.id'), later.at('task.status')]).toEqual([201, made.at('task.id'), 'expired']);
    const other = await on.submit(agent, { ...request, requested_access: {} }, 'after a restart');
    expect([other.status, other.at('type')]).toEqual([409, type('duplicate_request')]);
    // keys are each agent's own
    const another = await on.agency.agent();
    expect((await on.submit(another, request, 'after a restart')).status).not.toBe(201);
  });

  test('that claims somebody between the agent and the subject is refused', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    const issuer = `${on.agency.provider.issuer}`;
    const as = (actor: object) =>
      on.submit(agent, { ...request, client: { id: 'app', actor, source: { session_id: 's' } } });
    for (const actor of [
      { id: 'another' },
      { id: agent.id, issuer: 'https://elsewhere.example' },
      { id: agent.id, act: { sub: 'another', iss: issuer } },
    ]) {
      expect((await as(actor)).status).toBe(403);
    }
    expect((await as({ id: agent.id, issuer, type: 'ai_agent' })).status).toBe(202);
  });

  test('is given up by its agent while it waits, and by nobody else', async () => {
    const agent = await on.agency.agent();
    const made = await on.submit(agent, await on.denied(agent));
    const id = made.text('task.id');
    const path = new URL(made.text('task.links.cancel')).pathname;
    expect(path.endsWith(`${requests}/${id}/cancel`)).toBe(true);
    const cancel = (who: TestAgent, body?: object) => on.agency.call(who.key, 'POST', `${requests}/${id}/cancel`, body);
    const foreign = await cancel(await on.agency.agent());
    expect([foreign.status, foreign.at('type')]).toEqual([404, type('unknown_task')]);
    const done = await cancel(agent, { reason: 'not_needed', comment: 'The plan was changed.' });
    expect([done.status, done.at('task.status'), done.at('task.links.cancel')]).toEqual([200, 'cancelled', undefined]);
    expect((await on.status(agent, id)).at('task.status')).toBe('cancelled');
    await expect(on.decideAs(on.approver, id, 60)).rejects.toThrow(/task_settled/);
    const again = await cancel(agent);
    expect([again.status, again.at('type')]).toEqual([409, type('invalid_task_state')]);
    const entries = await on.agency.provider.organization.org('GET', `/admin/audit-logs?limit=20`);
    expect(JSON.stringify(entries.body)).toContain('not_needed: The plan was changed.');
  });

  test('comes too late after ten minutes', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    on.agency.provider.service.clock.advance(600_000);
    const answer = await on.submit(agent, request);
    expect([answer.status, answer.at('type')]).toEqual([410, type('expired_denial')]);
  });

  test('asks for no longer than the organization allows', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    const until = (ms: number) => new Date(on.agency.provider.service.clock.now() + ms).toISOString();
    const asked = (ms: number) => on.submit(agent, { ...request, requested_access: { requested_until: until(ms) } });
    expect((await asked(-1000)).status).toBe(400);
    expect((await asked(86_400_000 - 60_000)).status).toBe(422);
    const made = await asked(600_000);
    expect(made.status).toBe(202);
    const task = on.agency.provider.service.read(() =>
      taskRecords.get(on.agency.provider.organization.organization.store, made.text('task.id')),
    );
    expect(task?.document).toMatchObject({ seconds: 600, scopes: ['docs:write'], resources: ['docs:plan'] });
  });

  test('is of agents alone, and each sees its own', async () => {
    const agent = await on.agency.agent();
    const request = await on.denied(agent);
    const asAdmin = await on.agency.provider.organization.org('POST', requests, { body: request });
    expect(asAdmin.status).toBe(403);
    const id = (await on.submit(agent, request)).text('task.id');
    const other = await on.status(await on.agency.agent(), id);
    expect([other.status, other.at('type')]).toEqual([404, type('unknown_task')]);
    expect((await on.status(agent, 'nothing')).status).toBe(404);
  });

  test('of a user who has delegated is decided by that user', async () => {
    const user = await on.agency.user('docs:write');
    const agent = await on.agency.agent('docs:read');
    const { token } = await on.agency.delegated(user, agent, { scopes: ['docs:read'] });
    const asked = { ...question(agent), subject: { type: 'user', id: user.id } };
    const answer = await on.agency.call(token, 'POST', evaluation, asked);
    const denial = {
      expires_at: answer.text('context.access_request.expires_at'),
      binding_token: answer.text('context.access_request.binding_token'),
    };
    const made = await on.agency.call(token, 'POST', requests, { ...asked, denial });
    expect(made.status).toBe(202);
    const id = made.text('task.id');
    await expect(on.decideAs(on.approver, id, 60)).rejects.toThrow();
    await on.decideAs(user, id, 60);
    const evaluated = await on.agency.call(token, 'POST', evaluation, { ...asked, context: { approval: { id } } });
    expect(evaluated.at('decision')).toBe(true);
  });
});
