import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRequest } from '../../../src/directory/elevations/index.ts';
import { facts, InProcessService, type NewUser } from '../../identity/sessions/in-process-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;
let lender: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = await Scene.in(await service.organization(`rules-${++count}`));
  lender = await scene.person('docs:read', 'docs:write', 'db:write');
});
afterAll(() => service.stop());

async function rule(body: object, status = 201): Promise<string> {
  const made = await scene.org.tenant('POST', '/admin/elevations/rules', { body });
  expect(made.status, JSON.stringify(made.body)).toBe(status);
  return status === 201 ? made.text('data.id') : '';
}

const approving = (fields: object = {}) =>
  rule({
    name: `Approve ${++count}`,
    effect: 'approve',
    scopes: ['docs:*'],
    maxSeconds: 600,
    lenderId: lender.id,
    ...fields,
  });
const denying = (fields: object = {}) =>
  rule({ name: `Deny ${++count}`, effect: 'deny', scopes: ['docs:*'], ...fields });

async function asked(scopes: string[], fields: object = {}) {
  const agentId = await scene.agent();
  const { id, document } = await scene.ask(scene.caller(agentId), { required_scopes: scopes, ...fields });
  return { id, agentId, status: document.status };
}

describe('A rule', () => {
  test('approves what it covers, in the commit that creates the task', async () => {
    const by = await approving();
    const before = scene.org.lastEvent();
    const { id, agentId, status } = await asked(['docs:read', 'docs:write'], { duration: 60 });
    expect(status).toBe('approved');
    const until = service.clock.now() + 60_000;
    expect(scene.task(id)).toMatchObject({
      decided: { by, byType: 'rule' },
      grant: { lenderId: lender.id, scopes: ['docs:read', 'docs:write'], until },
    });
    expect(scene.counts(id, 'docs:write')).toBe(true);
    expect(scene.org.eventsAfter(before).map(({ type }) => type)).toEqual(['jit.requested', 'jit.approved']);
    expect(scene.audited(id)).toEqual([
      `elevation.request agent:${agentId} ${agentId}`,
      `elevation.approve agent:${agentId} ${agentId}`,
    ]);
  });

  test('leaves to people what it does not cover wholly', async () => {
    await approving();
    expect((await asked(['docs:read', 'db:write'])).status).toBe('pending');
    expect((await asked(['docs:read'], { duration: 601 })).status).toBe('pending');
  });

  test('is for the agents that it names', async () => {
    const agentId = await scene.agent();
    await approving({ agents: [agentId] });
    expect((await asked(['docs:read'])).status).toBe('pending');
    const own = await scene.ask(scene.caller(agentId), { required_scopes: ['docs:read'] });
    expect(own.document.status).toBe('approved');
  });

  test('denies before any approves, also a part of what is asked', async () => {
    await approving({ scopes: ['*'], order: 0 });
    const by = await denying({ scopes: ['docs:write'], order: 5 });
    const { id, status } = await asked(['docs:read', 'docs:write']);
    expect(status).toBe('denied');
    expect(scene.task(id).decided).toMatchObject({ by, byType: 'rule' });
    expect(scene.lent(id)).toEqual([]);
    expect((await asked(['docs:read'])).status).toBe('approved');
  });

  test('denies a scope that is added later', async () => {
    await denying({ scopes: ['db:write'] });
    const { id, agentId } = await asked(['docs:read']);
    const more = { task_id: id, scope: 'db:write', justification: 'To write' };
    const added = await addRequest(scene.elevations, scene.caller(agentId), facts, more);
    expect(added.task.document.status).toBe('denied');
    expect(scene.task(id)).toMatchObject({ status: 'denied', scopes: ['docs:read', 'db:write'] });
  });

  test('is asked in its order', async () => {
    const second = await scene.person('docs:read');
    await approving({ order: 2 });
    await approving({ order: 1, lenderId: second.id });
    const { id } = await asked(['docs:read']);
    expect(scene.task(id).grant?.lenderId).toBe(second.id);
    // whose lender does not hold it is passed over
    const both = await asked(['docs:read', 'docs:write']);
    expect(scene.task(both.id).grant?.lenderId).toBe(lender.id);
  });

  test('approves nothing that its lender does not hold now', async () => {
    await approving();
    await scene.revoke(lender, 'docs:write');
    expect((await asked(['docs:read', 'docs:write'])).status).toBe('pending');
    await scene.org.org('POST', `/admin/users/${lender.id}/block`);
    expect((await asked(['docs:read'])).status).toBe('pending');
  });

  test('approves nothing where its lender loses it at this moment', async () => {
    await approving();
    const caller = scene.caller(await scene.agent());
    service.beforeNextCommit(() => scene.revoke(lender, 'docs:read'));
    const { id } = await scene.ask(caller, { required_scopes: ['docs:read'] });
    expect([scene.task(id).status, scene.lent(id)]).toEqual(['pending', []]);
  });

  test('that is deleted at this moment approves nothing; one that is made then denies', async () => {
    const by = await approving();
    const caller = scene.caller(await scene.agent());
    service.beforeNextCommit(() => scene.org.tenant('DELETE', `/admin/elevations/rules/${by}`));
    expect((await scene.ask(caller, { required_scopes: ['docs:read'] })).document.status).toBe('pending');
    await approving();
    service.beforeNextCommit(() => denying());
    expect((await scene.ask(caller, { required_scopes: ['docs:read'] })).document.status).toBe('denied');
  });

  test('lends the rights of whoever has delegated to the agent', async () => {
    await approving({ lenderId: null });
    expect((await asked(['docs:read'])).status).toBe('pending');
    const user = await scene.person('docs:read');
    const agentId = await scene.agent();
    const caller = scene.caller(agentId, await scene.delegation(agentId, user));
    const { id } = await scene.ask(caller, { required_scopes: ['docs:read'] });
    expect(scene.task(id)).toMatchObject({ approverId: user.id, grant: { lenderId: user.id } });
    const more = await scene.ask(caller, { required_scopes: ['docs:write'] });
    expect(more.document.status).toBe('pending');
  });
});

describe('The condition of a rule', () => {
  test.each([
    ['over the task', 'resource.seconds <= 60', true],
    ['over what is asked for', '"docs:read" in resource.scopes && !resource.isForAll', false],
    ['over the agent', 'subject.agentType == "service" && subject.name.startsWith("agent")', true],
    ['over the time', 'now < timestamp("2020-01-01T00:00:00Z")', false],
    ['that matches in linear time', 'resource.description.matches("^(a+)+$")', false],
  ])('counts: %s', async (_, condition, isApproved) => {
    await approving({ condition });
    const { status } = await asked(['docs:read'], { duration: 60, task_description: `${'a'.repeat(1500)}!` });
    expect(status).toBe(isApproved ? 'approved' : 'pending');
  });

  test.each([
    ['lacks something', 'subject.team == "a"'],
    ['fails', 'resource.seconds / 0 == 1'],
    ['compares what cannot be compared', 'resource.seconds > "a"'],
  ])('approves nothing where it %s', async (_, condition) => {
    await approving({ condition });
    expect((await asked(['docs:read'])).status).toBe('pending');
  });

  test('that should deny and fails: nothing is approved without a person', async () => {
    await approving();
    await denying({ condition: 'resource.seconds / 0 == 1' });
    expect((await asked(['docs:read'])).status).toBe('pending');
  });

  test('must be one', async () => {
    const body = { name: 'Broken', effect: 'deny', scopes: ['docs:read'], condition: 'resource.seconds >' };
    const answer = await scene.org.tenant('POST', '/admin/elevations/rules', { body });
    expect([answer.status, answer.at('errors.0.path')]).toEqual([400, 'condition']);
  });
});

describe('Administrators', () => {
  test.each([
    ['scopes that are no permissions', { scopes: ['docs:no'] }, 400],
    ['full administration', { scopes: ['settings.manage'] }, 422],
    ['an agent that there is not', { agents: ['nobody'] }, 400],
    ['a lender that there is not', { lenderId: 'nobody' }, 400],
    ['no longest time', { maxSeconds: null }, 400],
    ['a pattern in the middle', { scopes: ['do*s'] }, 400],
    ['a denial with a lender', { effect: 'deny', maxSeconds: null }, 400],
  ])('are refused %s', async (_, fields, status) => {
    const body = { name: 'No', effect: 'approve', scopes: ['docs:read'], maxSeconds: 60, lenderId: lender.id };
    await rule({ ...body, ...fields }, status);
  });

  test('make no rule about what they do not hold', async () => {
    const key = await scene.org.newKey('agents.manage', 'docs:read');
    const own = { name: 'Own', effect: 'deny', scopes: ['docs:read'] };
    const path = '/admin/elevations/rules';
    const make = (fields: object, by = key) => scene.org.tenant('POST', path, { key: by, body: { ...own, ...fields } });
    expect((await make({ scopes: ['docs:write'] })).status).toBe(403);
    expect((await make({ scopes: ['docs:*'] })).status).toBe(403);
    const made = await make({});
    expect(made.status).toBe(201);
    const one = `${path}/${made.text('data.id')}`;
    const wider = { ...own, scopes: ['docs:read', 'docs:write'] };
    expect((await scene.org.tenant('PUT', one, { key, body: wider })).status).toBe(403);
    expect((await scene.org.tenant('PUT', one, { body: wider })).status).toBe(200);
    // what it has come to say is no longer theirs
    expect((await scene.org.tenant('PUT', one, { key, body: own })).status).toBe(403);
    expect((await scene.org.tenant('DELETE', one, { key })).status).toBe(403);
    expect((await make({}, await scene.org.newKey('users.read'))).status).toBe(403);
  });

  test('lend what others hold by no rule, unless they hold everything', async () => {
    const key = await scene.org.newKey('agents.manage', 'docs:read');
    const path = '/admin/elevations/rules';
    const denies = { name: 'Own', effect: 'deny', scopes: ['docs:read'] };
    const approves = { ...denies, effect: 'approve', maxSeconds: 60 };
    for (const lenderId of [lender.id, null]) {
      const refused = await scene.org.tenant('POST', path, { key, body: { ...approves, lenderId } });
      expect(refused.status).toBe(403);
    }
    const made = await scene.org.tenant('POST', path, { key, body: denies });
    const one = `${path}/${made.text('data.id')}`;
    expect((await scene.org.tenant('PUT', one, { key, body: approves })).status).toBe(403);
    expect((await asked(['docs:read'])).status).toBe('denied');
    const all = await scene.org.newKey('settings.manage');
    const lends = { ...approves, lenderId: lender.id };
    expect((await scene.org.tenant('PUT', one, { key: all, body: lends })).status).toBe(200);
    expect((await asked(['docs:read'], { duration: 60 })).status).toBe('approved');
  });

  test('read a rule as it was written, send it back, and delete it', async () => {
    const id = await approving({ name: 'Reading', condition: 'resource.seconds < 60' });
    const path = `/admin/elevations/rules/${id}`;
    const read = await scene.org.org('GET', path);
    expect(read.at('data.data')).toMatchObject({
      name: 'Reading',
      effect: 'approve',
      scopes: ['docs:*'],
      agents: null,
    });
    expect((await scene.org.org('PUT', path, { body: read.at('data.data') })).at('data.data')).toEqual(
      read.at('data.data'),
    );
    await rule({ name: 'reading', effect: 'deny', scopes: ['docs:read'] }, 409);
    expect((await scene.org.org('DELETE', path)).status).toBe(204);
    expect((await scene.org.org('GET', path)).status).toBe(404);
  });
});
