import { createHash } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluation, question, RequestScene } from './request-scene.ts';

let on: RequestScene;

beforeAll(async () => {
  on = await RequestScene.start('authzen-approvals');
});
afterAll(() => on.agency.stop());

describe('what an agent is denied', () => {
  test('it asks for, a person approves, and it evaluates again', async () => {
    const agent = await on.agency.agent('docs:read');
    const request = await on.denied(agent);
    const made = await on.submit(agent, { ...request, context: { business_justification: 'The prices are wrong.' } });
    expect(made.status).toBe(202);
    const id = made.text('task.id');
    expect(made.headers.get('location')).toBe(made.text('task.status_endpoint'));
    expect(made.at('task')).toMatchObject({ status: 'pending', display: { title: 'The prices are wrong.' } });
    expect((await on.status(agent, id)).headers.get('retry-after')).toBe('5');
    expect((await on.again(agent, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_unverifiable' },
    });

    await on.decideAs(on.approver, id, 60);
    const done = await on.status(agent, id);
    const state = done.text('result.approval.state');
    expect(done.body).toMatchObject({ task: { status: 'approved' }, result: { mode: 'reevaluate', approval: { id } } });
    // the approval alone is no grant
    expect((await on.agency.call(agent.key, 'POST', evaluation, question(agent))).at('decision')).toBe(false);
    expect((await on.again(agent, id)).body).toMatchObject({ decision: true, context: { approval: { id } } });

    const withState = (approval: object) =>
      on.agency.call(agent.key, 'POST', evaluation, { ...question(agent), context: { approval } });
    expect((await withState({ ...(done.at('result.approval') as object) })).at('decision')).toBe(true);
    const [head, payload, signature = ''] = state.split('.');
    const other = await on.submit(agent, await on.denied(agent, 'write', 'second'));
    await on.decideAs(on.approver, other.text('task.id'), 60);
    for (const wrong of [
      'something else',
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      (await on.status(agent, other.text('task.id'))).text('result.approval.state'),
      request.denial.binding_token,
      { nested: true },
    ]) {
      expect((await withState({ id, state: wrong })).body).toMatchObject({
        decision: false,
        context: { reason: 'approval_unverifiable', next_action: 'none' },
      });
    }

    const elsewhere = await on.again(agent, id, question(agent, 'write', 'other'));
    expect(elsewhere.body).toMatchObject({
      decision: false,
      context: { reason: 'out_of_scope', next_action: 'request' },
    });
    expect(elsewhere.at('context.access_request')).toBeDefined();
    const another = await on.agency.agent();
    expect((await on.again(another, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_unverifiable', next_action: 'none' },
    });
  });

  test('is bound by a token that anybody can verify by the published keys', async () => {
    const agent = await on.agency.agent();
    const asked = question(agent);
    const { denial } = await on.denied(agent);
    const { slug } = on.agency.provider.organization.organization;
    const path = `/.well-known/authzen-configuration/orgs/${slug}`;
    const metadata = await on.agency.provider.service.call('GET', path);
    const keys = await on.agency.provider.service.call('GET', new URL(metadata.text('jwks_uri')).pathname);
    const { payload, protectedHeader } = await jwtVerify(
      denial.binding_token,
      createLocalJWKSet(keys.body as JSONWebKeySet),
      {
        issuer: metadata.text('policy_decision_point'),
        audience: metadata.text('access_request_endpoint'),
        currentDate: new Date(on.agency.provider.now()),
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
    const lender = await on.agency.user('jit.approve', 'docs:write');
    const agent = await on.agency.agent();
    const id = (await on.submit(agent, await on.denied(agent))).text('task.id');
    await on.decideAs(lender, id, 60);
    expect((await on.again(agent, id)).at('decision')).toBe(true);
    await on.agency.grant('docs:write', `user:${lender.id}`, 'deletes');
    expect((await on.again(agent, id)).body).toMatchObject({ decision: false, context: { reason: 'policy_denied' } });
    await on.agency.grant('docs:write', `user:${lender.id}`);
    expect((await on.again(agent, id)).at('decision')).toBe(true);
    on.agency.provider.service.clock.advance(60_000);
    expect((await on.again(agent, id)).body).toMatchObject({
      decision: false,
      context: { reason: 'approval_expired', next_action: 'request' },
    });
  });

  test('stays denied where a person says no', async () => {
    const agent = await on.agency.agent();
    const id = (await on.submit(agent, await on.denied(agent))).text('task.id');
    await on.decideAs(on.approver, id);
    const answer = await on.status(agent, id);
    expect(answer.at('task.status')).toBe('denied');
    expect(answer.at('result')).toBeUndefined();
    expect((await on.again(agent, id)).at('decision')).toBe(false);
  });

  test('cannot be asked for where there is no such permission, or it is never lent', async () => {
    const agent = await on.agency.agent();
    for (const action of ['vanish', 'viewer']) {
      const answer = await on.agency.call(agent.key, 'POST', evaluation, question(agent, action));
      expect(answer.body).toEqual({ decision: false, context: { reason: 'denied' } });
    }
  });
});
