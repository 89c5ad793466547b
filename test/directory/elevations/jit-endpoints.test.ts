import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approveTask, denyTask } from '../../../src/directory/elevations/index.ts';
import { facts, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;
let other: Scene;

beforeAll(async () => {
  service = await InProcessService.start();
  scene = await Scene.in(await service.organization('asking'));
  other = await Scene.in(await service.organization('asking-elsewhere'));
});
afterAll(() => service.stop());

const valid = { task_description: 'Correct the prices', required_scopes: ['db:write'] };

describe.each(['tenant', 'org'] as const)('in the %s family', (family) => {
  const call = (method: string, path: string, key: string, body?: unknown): Promise<Answer> =>
    scene.org[family](method, path, { key, ...(body === undefined ? {} : { body }) });

  async function asked(body: object = valid) {
    const agentId = await scene.agent();
    const key = await scene.token(agentId);
    const answer = await call('POST', '/jit/task', key, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { agentId, key, answer, id: answer.text('task_id') };
  }

  test('a task waits, and says where it is decided', async () => {
    const { id, answer } = await asked();
    expect(answer.body).toEqual({
      task_id: id,
      status: 'pending',
      approval_url: expect.stringMatching(new RegExp(`/orgs/asking/approvals/${id}$`)),
      expires_in: 600,
      interval: 5,
    });
    expect(scene.task(id)).toMatchObject({ seconds: 300, scopes: ['db:write'] });
  });

  test('its status, until it is approved', async () => {
    const { id, key } = await asked({ ...valid, duration: 120, resources: ['db:prices', { type: 'db', id: 'old' }] });
    const pending = await call('GET', `/jit/status/${id}`, key);
    expect(pending.body).toEqual({ task_id: id, status: 'pending', expires_in: 600, interval: 5 });
    const user = await scene.approver();
    const how = { ...scene.all(id), resources: ['db:prices'] };
    await approveTask(scene.elevations, scene.org.organization, user.id, facts, id, how);
    const approvedAt = new Date(service.clock.now()).toISOString();
    const approved = {
      task_id: id,
      status: 'approved',
      approved_scopes: ['db:write'],
      approved_resources: ['db:prices'],
      approved_by: user.id,
      approved_at: approvedAt,
    };
    expect((await call('GET', `/jit/status/${id}`, key)).body).toEqual({ ...approved, expires_in: 120 });
    service.clock.advance(120_000);
    const over = { expires_in: 0, ended_at: new Date(service.clock.now()).toISOString() };
    expect((await call('GET', `/jit/status/${id}`, await scene.token(scene.task(id).agentId))).body).toEqual({
      ...approved,
      ...over,
    });
  });

  test('its status, once it is denied or nobody has decided', async () => {
    const { id, key } = await asked();
    const user = await scene.approver();
    const denial = { digest: scene.digest(id), reason: 'Not today' };
    await denyTask(scene.elevations, scene.org.organization, user.id, facts, id, denial);
    const denied = { task_id: id, status: 'denied', expires_in: 0, reason: 'Not today' };
    expect((await call('GET', `/jit/status/${id}`, key)).body).toEqual(denied);
    const second = await asked();
    service.clock.advance(600_000);
    const answer = await call('GET', `/jit/status/${second.id}`, await scene.token(second.agentId));
    expect(answer.body).toEqual({ task_id: second.id, status: 'expired', expires_in: 0 });
  });

  test('asking too early is answered slow_down, and the interval grows', async () => {
    const { id, key } = await asked();
    const poll = () => call('GET', `/jit/status/${id}`, key);
    expect((await poll()).body).toMatchObject({ interval: 5 });
    const early = await poll();
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '10']);
    expect(early.body).toMatchObject({ code: 'slow_down', interval: 10 });
    expect((await poll()).body).toMatchObject({ code: 'slow_down', interval: 15 });
    service.clock.advance(5000);
    expect((await poll()).body).toMatchObject({ status: 'pending', interval: 15 });
    service.clock.advance(10_000);
    expect((await poll()).body).toMatchObject({ code: 'slow_down', interval: 20 });
    service.clock.advance(20_000);
    expect((await poll()).status).toBe(200);
  });

  test('a scope is justified, or added with its justification', async () => {
    const { id, key } = await asked();
    const digest = scene.digest(id);
    const justified = { task_id: id, scope: 'db:write', justification: 'Two prices are wrong' };
    const first = await call('POST', '/jit/request', key, justified);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      request_id: expect.any(String),
      task_id: id,
      scope: 'db:write',
      status: 'pending',
    });
    expect(scene.digest(id)).not.toBe(digest);
    await call('POST', '/jit/request', key, { ...justified, scope: 'docs:read', justification: 'To compare' });
    await call('POST', '/jit/request', key, { ...justified, justification: 'Three are' });
    const { scopes, justifications } = scene.task(id);
    expect(scopes).toEqual(['db:write', 'docs:read']);
    expect(justifications.map(({ scope, text }) => [scope, text])).toEqual([
      ['docs:read', 'To compare'],
      ['db:write', 'Three are'],
    ]);
  });

  test('another agent, and another organization, find no such task', async () => {
    const { id, key } = await asked();
    const stranger = await asked();
    const foreign = await other.token(await other.agent());
    const more = { task_id: id, scope: 'docs:read', justification: 'To look' };
    expect((await call('GET', `/jit/status/${id}`, stranger.key)).status).toBe(404);
    const refused = await call('POST', '/jit/request', stranger.key, more);
    expect([refused.status, refused.text('detail')]).toEqual([404, `There is no task ${id}.`]);
    expect((await call('GET', `/jit/status/${id}`, foreign)).status).toBe(401);
    expect((await other.org[family]('GET', `/jit/status/${id}`, { key: foreign })).status).toBe(404);
    expect((await other.org[family]('POST', '/jit/request', { key: foreign, body: more })).status).toBe(404);
    expect((await call('GET', '/jit/status/01920000-0000-7000-8000-000000000000', key)).status).toBe(404);
  });

  test('only agents ask', async () => {
    const { id } = await asked();
    const more = { task_id: id, scope: 'docs:read', justification: 'To look' };
    const answers = [
      await call('POST', '/jit/task', scene.org.key, valid),
      await call('POST', '/jit/request', scene.org.key, more),
      await call('GET', `/jit/status/${id}`, scene.org.key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    for (const { body } of answers) expect(JSON.stringify(body)).toContain('Only agents can call this');
  });

  const faults: readonly (readonly [string, object, number, string])[] = [
    ['no description', { required_scopes: ['db:write'] }, 400, 'task_description'],
    ['a blank description', { ...valid, task_description: ' \n ' }, 400, 'task_description'],
    ['a long description', { ...valid, task_description: 'a'.repeat(2001) }, 400, 'task_description'],
    ['control characters', { ...valid, task_description: 'a\u0007b' }, 400, 'task_description'],
    ['no scope', { ...valid, required_scopes: [] }, 400, 'required_scopes'],
    ['a scope twice', { ...valid, required_scopes: ['db:write', 'db:write'] }, 400, 'required_scopes'],
    ['an unknown scope', { ...valid, required_scopes: ['db:write', 'db:drop'] }, 400, 'required_scopes[1]'],
    ['full administration', { ...valid, required_scopes: ['settings.manage'] }, 422, 'required_scopes[0]'],
    ['the right to approve', { ...valid, required_scopes: ['jit.approve'] }, 422, 'required_scopes[0]'],
    ['no time', { ...valid, duration: 0 }, 400, 'duration'],
    ['too long a time', { ...valid, duration: 3601 }, 422, 'duration'],
    ['an object without an id', { ...valid, resources: ['db'] }, 400, 'resources[0]'],
    ['all objects of a type', { ...valid, resources: ['db:*'] }, 400, 'resources[0]'],
    ['101 objects', { ...valid, resources: Array.from({ length: 101 }, (_, at) => `db:${at}`) }, 400, 'resources'],
    ['a field that there is not', { ...valid, approver: 'me' }, 400, 'approver'],
  ];

  test.each(faults)('is refused: %s', async (_, body, status, path) => {
    const key = await scene.token(await scene.agent());
    const answer = await call('POST', '/jit/task', key, body);
    expect([answer.status, answer.at('errors.0.path')]).toEqual([status, path]);
  });
});
