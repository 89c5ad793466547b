import { createHash } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveTask, denyTask, taskView } from '../../../src/directory/elevations/index.ts';
import { taskRecords } from '../../../src/directory/records/index.ts';
import { facts, type NewUser } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';
import { AgencyScene, type TestAgent } from '../agency/agency-scene.ts';

const evaluation = '/access/v1/evaluation';
const requests = '/access/v1/requests';

let scene: AgencyScene;
let approver: NewUser;

beforeAll(async () => {
  scene = await AgencyScene.start('authzen-requests');
  approver = await scene.user('jit.approve', 'docs:write', 'docs:erase');
});
afterAll(() => scene.stop());

const question = (agent: TestAgent, action = 'write', id = 'plan') => ({
  subject: { type: 'agent', id: agent.id },
  action: { name: action },
  resource: { type: 'docs', id },
});

/** Asks, is denied, and answers with the request that the denial admits. */
async function denied(agent: TestAgent, action?: string, id?: string) {
  const asked = question(agent, action, id);
  const answer = await scene.call(agent.key, 'POST', evaluation, asked);
  expect(answer.body).toMatchObject({ decision: false, context: { reason: 'approval_required' } });
  return {
    ...asked,
    denial: {
      evaluation_id: answer.text('context.evaluation_id'),
      expires_at: answer.text('context.access_request.expires_at'),
      binding_token: answer.text('context.access_request.binding_token'),
    },
  };
}

const submit = (agent: TestAgent, body: object, key = ''): Promise<Answer> =>
  scene.provider.organization.org('POST', requests, {
    key: agent.key,
    body,
    ...(key === '' ? {} : { headers: { 'idempotency-key': key } }),
  });

const status = (agent: TestAgent, id: string) => scene.call(agent.key, 'GET', `${requests}/${id}`);

const again = (agent: TestAgent, id: string, asked = question(agent)) =>
  scene.call(agent.key, 'POST', evaluation, { ...asked, context: { approval: { id } } });

const type = (code: string) => `urn:openid:authzen:access-request:error:${code}`;

function digestOf(id: string): string {
  const { service, organization } = scene.provider;
  const { store } = organization.organization;
  return service.read(() => {
    const entry = taskRecords.get(store, id);
    return entry === undefined ? '' : taskView(store, entry, service.clock.now()).digest;
  });
}

const decideAs = (user: NewUser, id: string, seconds?: number) => {
  const { service, organization } = scene.provider;
  const dependencies = service.keyDependencies();
  const digest = digestOf(id);
  return seconds === undefined
    ? denyTask(dependencies, organization.organization, user.id, facts, id, { digest })
    : approveTask(dependencies, organization.organization, user.id, facts, id, {
        digest,
        scopes: ['docs:write'],
        seconds,
      });
};

describe('what an agent is denied', () => {
  test('it asks for, a person approves, and it evaluates again', async () => {
    const agent = await scene.agent('docs:read');
    const request = await denied(agent);
    const made = await submit(agent, { ...request, context: { business_justification: 'The prices are wrong.' } });
    expect(made.status).toBe(202);
    const id = made.text('task.id');
    expect(made.headers.get('location')).toBe(made.text('task.status_endpoint'));
    expect(made.at('task')).toMatchObject({ status: 'pending', display: { title: 'The prices are wrong.' } });
    expect((await status(agent, id)).headers.get('retry-after')).toBe('5');
    expect((await again(agent, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_unverifiable' },
    });

    await decideAs(approver, id, 60);
    const done = await status(agent, id);
    const state = done.text('result.approval.state');
    expect(done.body).toMatchObject({ task: { status: 'approved' }, result: { mode: 'reevaluate', approval: { id } } });
    // the approval alone is no grant
    expect((await scene.call(agent.key, 'POST', evaluation, question(agent))).at('decision')).toBe(false);
    expect((await again(agent, id)).body).toMatchObject({ decision: true, context: { approval: { id } } });

    const withState = (approval: object) =>
      scene.call(agent.key, 'POST', evaluation, { ...question(agent), context: { approval } });
    expect((await withState({ ...(done.at('result.approval') as object) })).at('decision')).toBe(true);
    const [head, payload, signature = ''] = state.split('.');
    const other = await submit(agent, await denied(agent, 'write', 'second'));
    await decideAs(approver, other.text('task.id'), 60);
    for (const wrong of [
      'something else',
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      (await status(agent, other.text('task.id'))).text('result.approval.state'),
      request.denial.binding_token,
      { nested: true },
    ]) {
      expect((await withState({ id, state: wrong })).body).toMatchObject({
        decision: false,
        context: { reason: 'approval_unverifiable', next_action: 'none' },
      });
    }

    const elsewhere = await again(agent, id, question(agent, 'write', 'other'));
    expect(elsewhere.body).toMatchObject({
      decision: false,
      context: { reason: 'out_of_scope', next_action: 'request' },
    });
    expect(elsewhere.at('context.access_request')).toBeDefined();
    const another = await scene.agent();
    expect((await again(another, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_unverifiable', next_action: 'none' },
    });
  });

  test('is bound by a token that anybody can verify by the published keys', async () => {
    const agent = await scene.agent();
    const asked = question(agent);
    const { denial } = await denied(agent);
    const { slug } = scene.provider.organization.organization;
    const path = `/.well-known/authzen-configuration/orgs/${slug}`;
    const metadata = await scene.provider.service.call('GET', path);
    const keys = await scene.provider.service.call('GET', new URL(metadata.text('jwks_uri')).pathname);
    const { payload, protectedHeader } = await jwtVerify(
      denial.binding_token,
      createLocalJWKSet(keys.body as JSONWebKeySet),
      {
        issuer: metadata.text('policy_decision_point'),
        audience: metadata.text('access_request_endpoint'),
        currentDate: new Date(scene.provider.now()),
      },
    );
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'access-request-binding+jwt' });
    // the canonical form of RFC 8785: members in the order of their names
    const { subject, resource, action } = asked;
    const canonical =
      `{"action":{"name":"${action.name}"},"context":{},"resource":{"id":"${resource.id}","type":"docs"},` +
      `"subject":{"id":"${subject.id}","type":"agent"}}`;
    expect(payload).toMatchObject({
      evaluation_id: denial.evaluation_id,
      denial_expires_at: denial.expires_at,
      binding_context_members: [],
      binding_hash: createHash('sha256').update(canonical).digest('base64url'),
    });
  });

  test('is over with its time, and with the right of whoever lent it', async () => {
    const lender = await scene.user('jit.approve', 'docs:write');
    const agent = await scene.agent();
    const id = (await submit(agent, await denied(agent))).text('task.id');
    await decideAs(lender, id, 60);
    expect((await again(agent, id)).at('decision')).toBe(true);
    await scene.grant('docs:write', `user:${lender.id}`, 'deletes');
    expect((await again(agent, id)).body).toMatchObject({ decision: false, context: { reason: 'policy_denied' } });
    await scene.grant('docs:write', `user:${lender.id}`);
    expect((await again(agent, id)).at('decision')).toBe(true);
    scene.provider.service.clock.advance(60_000);
    expect((await again(agent, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_expired', next_action: 'request' },
    });
  });

  test('stays denied where a person says no', async () => {
    const agent = await scene.agent();
    const id = (await submit(agent, await denied(agent))).text('task.id');
    await decideAs(approver, id);
    const answer = await status(agent, id);
    expect(answer.at('task.status')).toBe('denied');
    expect(answer.at('result')).toBeUndefined();
    expect((await again(agent, id)).at('decision')).toBe(false);
  });

  test('cannot be asked for where there is no such permission, or it is never lent', async () => {
    const agent = await scene.agent();
    for (const action of ['vanish', 'viewer']) {
      const answer = await scene.call(agent.key, 'POST', evaluation, question(agent, action));
      expect(answer.body).toEqual({ decision: false, context: { reason: 'denied' } });
    }
  });
});

describe('a request', () => {
  test('that is sent again finds its task, also at the same moment', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    const made = await Promise.all(Array.from({ length: 8 }, () => submit(agent, request, 'once')));
    expect(new Set(made.map((each) => each.text('task.id'))).size).toBe(1);
    const other = await submit(agent, { ...request, requested_access: { emergency: true } }, 'once');
    expect([other.status, other.at('type')]).toEqual([409, type('duplicate_request')]);
    const unkeyed = await submit(agent, { ...request, requested_access: { emergency: true } });
    expect([unkeyed.status, unkeyed.at('type')]).toEqual([400, type('invalid_denial_binding')]);
  });

  test('of another question, of somebody else, or without a proof is refused', async () => {
    const agent = await scene.agent();
    const thief = await scene.agent();
    const request = await denied(agent);
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
      const answer = await submit(who, body);
      expect([answer.status, answer.at('type')]).toEqual([400, type('invalid_denial_binding')]);
    }
  });

  test('finds its task by its key also when the denial is over long ago', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    const made = await submit(agent, request, 'after a restart');
    scene.provider.service.clock.advance(24 * 3_600_000);
    const later = await submit(agent, request, 'after a restart');
    expect([later.status, later.at('task.id'), later.at('task.status')]).toEqual([201, made.at('task.id'), 'expired']);
    const other = await submit(agent, { ...request, requested_access: {} }, 'after a restart');
    expect([other.status, other.at('type')]).toEqual([409, type('duplicate_request')]);
    // keys are each agent's own
    const another = await scene.agent();
    expect((await submit(another, request, 'after a restart')).status).not.toBe(201);
  });

  test('that claims somebody between the agent and the subject is refused', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    const issuer = `${scene.provider.issuer}`;
    const as = (actor: object) =>
      submit(agent, { ...request, client: { id: 'app', actor, source: { session_id: 's' } } });
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
    const agent = await scene.agent();
    const made = await submit(agent, await denied(agent));
    const id = made.text('task.id');
    const path = new URL(made.text('task.links.cancel')).pathname;
    expect(path.endsWith(`${requests}/${id}/cancel`)).toBe(true);
    const cancel = (who: TestAgent, body?: object) => scene.call(who.key, 'POST', `${requests}/${id}/cancel`, body);
    const foreign = await cancel(await scene.agent());
    expect([foreign.status, foreign.at('type')]).toEqual([404, type('unknown_task')]);
    const done = await cancel(agent, { reason: 'not_needed', comment: 'The plan was changed.' });
    expect([done.status, done.at('task.status'), done.at('task.links.cancel')]).toEqual([200, 'cancelled', undefined]);
    expect((await status(agent, id)).at('task.status')).toBe('cancelled');
    await expect(decideAs(approver, id, 60)).rejects.toThrow(/task_settled/);
    const again = await cancel(agent);
    expect([again.status, again.at('type')]).toEqual([409, type('invalid_task_state')]);
    const entries = await scene.provider.organization.org('GET', `/admin/audit-logs?limit=20`);
    expect(JSON.stringify(entries.body)).toContain('not_needed: The plan was changed.');
  });

  test('comes too late after ten minutes', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    scene.provider.service.clock.advance(600_000);
    const answer = await submit(agent, request);
    expect([answer.status, answer.at('type')]).toEqual([410, type('expired_denial')]);
  });

  test('asks for no longer than the organization allows', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    const until = (ms: number) => new Date(scene.provider.service.clock.now() + ms).toISOString();
    const asked = (ms: number) => submit(agent, { ...request, requested_access: { requested_until: until(ms) } });
    expect((await asked(-1000)).status).toBe(400);
    expect((await asked(86_400_000 - 60_000)).status).toBe(422);
    const made = await asked(600_000);
    expect(made.status).toBe(202);
    const task = scene.provider.service.read(() =>
      taskRecords.get(scene.provider.organization.organization.store, made.text('task.id')),
    );
    expect(task?.document).toMatchObject({ seconds: 600, scopes: ['docs:write'], resources: ['docs:plan'] });
  });

  test('is of agents alone, and each sees its own', async () => {
    const agent = await scene.agent();
    const request = await denied(agent);
    const asAdmin = await scene.provider.organization.org('POST', requests, { body: request });
    expect(asAdmin.status).toBe(403);
    const id = (await submit(agent, request)).text('task.id');
    const other = await status(await scene.agent(), id);
    expect([other.status, other.at('type')]).toEqual([404, type('unknown_task')]);
    expect((await status(agent, 'nothing')).status).toBe(404);
  });

  test('of a user who has delegated is decided by that user', async () => {
    const user = await scene.user('docs:write');
    const agent = await scene.agent('docs:read');
    const { token } = await scene.delegated(user, agent, { scopes: ['docs:read'] });
    const asked = { ...question(agent), subject: { type: 'user', id: user.id } };
    const answer = await scene.call(token, 'POST', evaluation, asked);
    const denial = {
      expires_at: answer.text('context.access_request.expires_at'),
      binding_token: answer.text('context.access_request.binding_token'),
    };
    const made = await scene.call(token, 'POST', requests, { ...asked, denial });
    expect(made.status).toBe(202);
    const id = made.text('task.id');
    await expect(decideAs(approver, id, 60)).rejects.toThrow();
    await decideAs(user, id, 60);
    const evaluated = await scene.call(token, 'POST', evaluation, { ...asked, context: { approval: { id } } });
    expect(evaluated.at('decision')).toBe(true);
  });
});
