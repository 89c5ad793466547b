import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  activeFor,
  approveTask,
  closeTasksOf,
  elevationSettings,
  isLent,
  mayDecide,
  pendingFor,
} from '../../../src/directory/elevations/index.ts';
import { agentRecords } from '../../../src/directory/records/index.ts';
import { transact } from '../../../src/kernel/transactions/index.ts';
import { facts, InProcessService, type NewUser } from '../../identity/sessions/in-process-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = await Scene.in(await service.organization(`administered-${++count}`));
});
afterAll(() => service.stop());

const approve = (user: NewUser, id: string) =>
  approveTask(scene.elevations, scene.org.organization, user.id, facts, id, scene.all(id));

async function lent(user: NewUser) {
  const agentId = await scene.agent();
  const { id } = await scene.ask(scene.caller(agentId));
  await approve(user, id);
  return { id, agentId };
}

const pendingOf = (user: NewUser, limit = 50) =>
  service.read(() => pendingFor(scene.elevations, scene.org.organization, user.id, { limit }));
const decides = (user: NewUser, id: string) => {
  const entry = scene.entry(id);
  const { organization } = scene.org;
  return service.read(
    () => entry !== undefined && mayDecide(scene.elevations, organization, user.id, entry, service.clock.now()),
  );
};
const active = (user: NewUser) =>
  service.read(() => activeFor(scene.store, user.id, service.clock.now())).map(({ id }) => id);

describe('Who decides', () => {
  test('whoever holds every scope and jit.approve, newest first', async () => {
    const caller = scene.caller(await scene.agent());
    const { id: first } = await scene.ask(caller, { required_scopes: ['db:write'] });
    service.clock.advance(10);
    const { id: second } = await scene.ask(caller, { required_scopes: ['docs:read'] });
    const approver = await scene.approver();
    const reader = await scene.person('jit.approve', 'docs:read');
    const holder = await scene.person('docs:read', 'db:write');
    expect(pendingOf(approver).tasks.map(({ id }) => id)).toEqual([second, first]);
    expect(pendingOf(approver, 1)).toMatchObject({ tasks: [{ id: second }], hasMore: true });
    expect(pendingOf(reader).tasks.map(({ id }) => id)).toEqual([second]);
    expect(pendingOf(holder).tasks).toEqual([]);
    expect([decides(approver, first), decides(reader, first), decides(holder, first)]).toEqual([true, false, false]);
    service.clock.advance(600_000);
    expect(pendingOf(approver).tasks).toEqual([]);
  });

  test('on the objects that are named: a right on each of them is enough', async () => {
    const model = [
      'model',
      '  schema 1.1',
      'type db',
      '  relations',
      '    define owner: [user]',
      '    define can_write: owner',
    ].join('\n');
    expect((await scene.org.tenant('POST', '/zanzibar/models', { body: { dsl: model } })).status).toBe(201);
    const owner = await scene.person('jit.approve');
    const writes = [`db:prices#owner@user:${owner.id}`];
    expect((await scene.org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    const caller = scene.caller(await scene.agent());
    const own = await scene.ask(caller, { resources: ['db:prices'] });
    const more = await scene.ask(caller, { resources: ['db:prices', 'db:stock'] });
    const all = await scene.ask(caller);
    expect([own, more, all].map(({ id }) => decides(owner, id))).toEqual([true, false, false]);
    await approve(owner, own.id);
    expect(scene.task(own.id).grant).toMatchObject({ lenderId: owner.id, resources: ['db:prices'] });
  });

  test('whoever has delegated to the agent, alone, and lends what they hold', async () => {
    const user = await scene.person('docs:read');
    const agentId = await scene.agent();
    const caller = scene.caller(agentId, await scene.delegation(agentId, user));
    const { id } = await scene.ask(caller, { required_scopes: ['docs:read', 'db:write'] });
    const approver = await scene.approver();
    expect([decides(user, id), decides(approver, id)]).toEqual([true, false]);
    expect(pendingOf(user).tasks.map((task) => task.id)).toEqual([id]);
    expect(pendingOf(approver).tasks).toEqual([]);
    const forbidden = { problem: { kind: { code: 'forbidden' } } };
    await expect(approve(approver, id)).rejects.toMatchObject(forbidden);
    await expect(approve(user, id)).rejects.toMatchObject(forbidden);
    const less = { ...scene.all(id), scopes: ['docs:read'] };
    await approveTask(scene.elevations, scene.org.organization, user.id, facts, id, less);
    expect(scene.lent(id)).toEqual(['permission:docs:read']);
  });
});

describe('What was lent ends', () => {
  test('with its lender, whoever that takes away', async () => {
    const [blocked, deleted] = [await scene.approver(), await scene.approver()];
    const loans = [await lent(blocked), await lent(deleted)];
    expect(active(blocked)).toEqual([loans[0]?.id]);
    await scene.org.org('POST', `/admin/users/${blocked.id}/block`);
    expect((await scene.org.org('DELETE', `/admin/users/${deleted.id}`)).status).toBe(204);
    const now = service.clock.now();
    expect(loans.map(({ id }) => service.read(() => isLent(scene.store, scene.task(id), now)))).toEqual([false, false]);
    expect([active(blocked), active(deleted)]).toEqual([[], []]);
    for (const { id } of loans) {
      const shown = await scene.org.tenant('GET', `/admin/elevations/${id}`);
      expect(shown.at('data.isActive')).toBe(false);
    }
  });

  test('with its agent, in the commit that ends the agent', async () => {
    const user = await scene.approver();
    const { id, agentId } = await lent(user);
    const waiting = await scene.ask(scene.caller(agentId));
    const other = await lent(user);
    const by = { ...scene.caller(agentId), subject: undefined };
    await transact(scene.elevations, by, facts, (each) => closeTasksOf(each, agentId, 'The agent was deleted.'));
    expect(scene.lent(id)).toEqual([]);
    expect(scene.task(id)).toMatchObject({ status: 'approved', ended: { reason: 'The agent was deleted.' } });
    expect(scene.task(waiting.id)).toMatchObject({ status: 'expired', ended: { by: 'platform' } });
    expect(active(user)).toEqual([other.id]);
  });
});

describe.each(['tenant', 'org'] as const)('administrators, in the %s family', (family) => {
  const inside = (path: string) => (family === 'org' ? `data.${path}` : path);
  const call = (method: string, path: string, body?: unknown, key = scene.org.key) =>
    scene.org[family](method, `/admin/elevations${path}`, { key, ...(body === undefined ? {} : { body }) });

  test('see tasks, by status, agent and user', async () => {
    const user = await scene.approver();
    const { id, agentId } = await lent(user);
    const waiting = await scene.ask(scene.caller(agentId));
    const idsOf = async (query: string) => {
      const answer = await call('GET', query);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return (answer.at(family === 'org' ? 'data.data' : 'data') as { id: string }[]).map((each) => each.id);
    };
    expect(await idsOf('?sortBy=createdAt')).toEqual([id, waiting.id]);
    expect(await idsOf('?status=pending')).toEqual([waiting.id]);
    expect(await idsOf('?status=approved&isLent=true')).toEqual([id]);
    expect(await idsOf(`?agentId=${agentId}`)).toEqual([id, waiting.id]);
    expect(await idsOf('?agentId=nobody')).toEqual([]);
    expect(await idsOf(`?userId=${user.id}`)).toEqual([id]);
    expect(await idsOf('?search=prices')).toEqual([id, waiting.id]);
    const shown = await call('GET', `/${id}`);
    expect(shown.at(inside('data'))).toMatchObject({
      id,
      agent: { id: agentId, type: 'service', ownerName: null },
      status: 'approved',
      isActive: true,
      scopes: [{ slug: 'db:write', name: 'May db:write', description: null, justification: null }],
      resources: null,
      decided: { by: user.id, byType: 'user', reason: null },
      grant: { lenderId: user.id, scopes: ['db:write'] },
      ended: null,
    });
  });

  test('take back what was lent', async () => {
    const user = await scene.approver();
    const { id } = await lent(user);
    const key = await scene.org.newKey('agents.manage');
    const answer = await call('POST', `/${id}/revoke`, { reason: 'Too long' }, key);
    expect(answer.at(inside('data'))).toMatchObject({
      status: 'approved',
      isActive: false,
      ended: { reason: 'Too long' },
    });
    expect(scene.lent(id)).toEqual([]);
    const again = await call('POST', `/${id}/revoke`, undefined, key);
    expect([again.status, again.at('code')]).toEqual([409, 'task_settled']);
    const waiting = await scene.ask(scene.caller(await scene.agent()));
    expect((await call('POST', `/${waiting.id}/revoke`)).status).toBe(409);
    expect((await call('POST', '/nothing/revoke')).status).toBe(404);
  });

  test('only with agents.manage; settings with full administration', async () => {
    const { id } = await lent(await scene.approver());
    const reader = await scene.org.newKey('users.read', 'settings.read');
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${id}`],
      ['POST', `/${id}/revoke`],
      ['GET', '/settings'],
      ['GET', '/rules'],
    ] as const) {
      expect((await call(method, path, undefined, reader)).status, path).toBe(403);
    }
    const manager = await scene.org.newKey('agents.manage');
    expect((await call('GET', '/settings', undefined, manager)).status).toBe(200);
    expect((await call('PUT', '/settings', {}, manager)).status).toBe(403);
    expect(scene.lent(id)).toEqual(['permission:db:write']);
  });

  test('decide how long', async () => {
    const usual = { pendingSeconds: 600, maxSeconds: 3600, requireSecondFactor: false, notifyByMail: true };
    expect((await call('GET', '/settings')).at(inside('data'))).toEqual(usual);
    const changed = { ...usual, pendingSeconds: 60, maxSeconds: 120, requireSecondFactor: true };
    expect((await call('PUT', '/settings', changed)).at(inside('data'))).toEqual(changed);
    expect(service.read(() => elevationSettings(scene.store))).toEqual(changed);
    const caller = scene.caller(await scene.agent());
    const { id, document } = await scene.ask(caller);
    expect([document.seconds, document.expiresAt - document.createdAt]).toEqual([120, 60_000]);
    await expect(scene.ask(caller, { duration: 121 })).rejects.toMatchObject({
      problem: { kind: { code: 'refused' } },
    });
    expect(id).toBeTruthy();
    expect((await call('PUT', '/settings', { maxSeconds: 86_401 })).status).toBe(400);
  });
});

test('organizations do not meet', async () => {
  const user = await scene.approver();
  const { id, agentId } = await lent(user);
  const elsewhere = await Scene.in(await service.organization(`elsewhere-${count}`));
  const stranger = await elsewhere.approver();
  const missing = { problem: { kind: { code: 'not_found' } } };
  const how = { digest: scene.digest(id), scopes: ['db:write'], seconds: 1 };
  const there = elsewhere.org.organization;
  await expect(approveTask(scene.elevations, there, stranger.id, facts, id, how)).rejects.toMatchObject(missing);
  expect((await elsewhere.org.tenant('GET', `/admin/elevations/${id}`)).status).toBe(404);
  expect((await elsewhere.org.tenant('POST', `/admin/elevations/${id}/revoke`)).status).toBe(404);
  expect((await elsewhere.org.tenant('GET', '/admin/elevations')).at('meta.total')).toBe(0);
  expect(elsewhere.counts(id, 'db:write')).toBe(false);
  expect(service.read(() => agentRecords.get(elsewhere.store, agentId))).toBeUndefined();
});
