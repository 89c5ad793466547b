import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addRequest,
  approveTask,
  createTask,
  denyTask,
  endElevation,
  personCaller,
} from '../../../src/directory/elevations/index.ts';
import { agentRecords } from '../../../src/directory/records/index.ts';
import { facts, InProcessService, type NewUser } from '../../identity/sessions/in-process-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = await Scene.in(await service.organization(`races-${++count}`));
});
afterAll(() => service.stop());

const approve = (user: NewUser, id: string, how = scene.all(id)) =>
  approveTask(scene.elevations, scene.org.organization, user.id, facts, id, how);
const deny = (user: NewUser, id: string) =>
  denyTask(scene.elevations, scene.org.organization, user.id, facts, id, { digest: scene.digest(id) });
const settled = { status: 'rejected', reason: { problem: { kind: { status: 409, code: 'task_settled' } } } };
const forbidden = { problem: { kind: { code: 'forbidden' } } };

async function pending() {
  const agentId = await scene.agent();
  const { id } = await scene.ask(scene.caller(agentId), { required_scopes: ['db:write', 'docs:write'] });
  return { id, agentId };
}

describe('Of two who decide at once', () => {
  test('two approvers leave one loan', async () => {
    const { id } = await pending();
    const people = [await scene.approver(), await scene.approver(), await scene.approver()];
    const outcomes = await Promise.allSettled(people.map((user) => approve(user, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of outcomes.filter(({ status }) => status === 'rejected')) expect(each).toMatchObject(settled);
    const winner = people[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect(scene.task(id)).toMatchObject({ status: 'approved', grant: { lenderId: winner?.id } });
    expect(scene.audited(id).filter((entry) => entry.startsWith('elevation.approve'))).toHaveLength(1);
  });

  test.each(['approval', 'denial'])(
    'the second of an approval and a denial comes too late: %s first',
    async (first) => {
      const { id } = await pending();
      const [one, other] = [await scene.approver(), await scene.approver()];
      service.beforeNextCommit(() => (first === 'approval' ? approve(one, id) : deny(one, id)));
      const late = first === 'approval' ? deny(other, id) : approve(other, id);
      await expect(late).rejects.toMatchObject(settled.reason);
      expect(scene.task(id).status).toBe(first === 'approval' ? 'approved' : 'denied');
      expect(scene.lent(id)).toHaveLength(first === 'approval' ? 2 : 0);
    },
  );

  test('an approval and the sweep that finds it too late', async () => {
    const { id } = await pending();
    const user = await scene.approver();
    const how = scene.all(id);
    service.clock.advance(599_999);
    service.beforeNextCommit(async () => {
      service.clock.advance(2);
      await service.runJob('elevations');
    });
    await expect(approve(user, id, how)).rejects.toMatchObject(settled.reason);
    expect(scene.task(id).status).toBe('expired');
    expect(scene.lent(id)).toEqual([]);
  });

  test('the sweep and an approval in the last moment: a task that was approved is not expired', async () => {
    const { id } = await pending();
    const user = await scene.approver();
    const { clock } = service;
    clock.advance(600_000);
    service.beforeNextCommit(async () => {
      // of another node, whose clock is behind
      clock.advance(-10);
      await approve(user, id);
      clock.advance(10);
    });
    await service.runJob('elevations');
    expect(scene.task(id).status).toBe('approved');
    expect(scene.lent(id)).toHaveLength(2);
  });
});

describe('Between the page and the commit', () => {
  test.each([
    ['one scope', 'db:write'],
    ['the right to approve', 'jit.approve'],
  ])('an approver loses %s', async (_, slug) => {
    const { id } = await pending();
    const user = await scene.approver();
    service.beforeNextCommit(() => scene.revoke(user, slug));
    await expect(approve(user, id)).rejects.toMatchObject(forbidden);
    expect([scene.task(id).status, scene.lent(id)]).toEqual(['pending', []]);
  });

  test('an approver is blocked', async () => {
    const { id } = await pending();
    const user = await scene.approver();
    service.beforeNextCommit(() => scene.org.org('POST', `/admin/users/${user.id}/block`));
    await expect(approve(user, id)).rejects.toMatchObject({ problem: { kind: { status: 401 } } });
    expect([scene.task(id).status, scene.lent(id)]).toEqual(['pending', []]);
  });

  test('the agent asks for more: what was shown is no more what is asked', async () => {
    const { id, agentId } = await pending();
    const user = await scene.approver();
    const more = { task_id: id, scope: 'docs:read', justification: 'To look' };
    service.beforeNextCommit(() => addRequest(scene.elevations, scene.caller(agentId), facts, more));
    const changed = { problem: { kind: { status: 409, code: 'task_changed' } } };
    await expect(approve(user, id)).rejects.toMatchObject(changed);
    expect(scene.task(id)).toMatchObject({ status: 'pending', scopes: ['db:write', 'docs:write', 'docs:read'] });
  });

  test('the agent is deactivated', async () => {
    const { id, agentId } = await pending();
    const user = await scene.approver();
    const agent = service.read(() => agentRecords.get(scene.store, agentId))?.document;
    if (agent === undefined) throw new Error('no agent');
    service.beforeNextCommit(() =>
      service.submit([agentRecords.put(scene.store, agentId, { ...agent, isActive: false })]),
    );
    await expect(approve(user, id)).rejects.toMatchObject(settled.reason);
    expect(scene.lent(id)).toEqual([]);
  });

  test('two who take it back', async () => {
    const { id, agentId } = await pending();
    const user = await scene.approver();
    await approve(user, id);
    const lender = service.read(() => personCaller(scene.elevations, scene.org.organization, user.id));
    const ends = [lender, scene.caller(agentId)].map((by) => endElevation(scene.elevations, by, facts, id));
    const outcomes = await Promise.allSettled(ends);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(scene.audited(id).filter((entry) => entry.startsWith('elevation.revoke'))).toHaveLength(1);
  });
});

describe('Bounds', () => {
  test('an agent waits for 20 tasks, also where it asks for 30 at once', async () => {
    const caller = scene.caller(await scene.agent());
    const asked = await Promise.allSettled(Array.from({ length: 30 }, () => scene.ask(caller)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const refusal = { reason: { problem: { kind: { code: 'refused' } } } };
    for (const each of asked.filter(({ status }) => status === 'rejected')) expect(each).toMatchObject(refusal);
    // those that nobody has decided in time make room, whether or not the sweep has come by
    service.clock.advance(600_000);
    const { id } = await scene.ask(caller);
    expect(scene.task(id).status).toBe('pending');
    // and another agent was never in the way
    await scene.ask(scene.caller(await scene.agent()));
  });

  test('a task asks for 50 scopes at most', async () => {
    const many = Array.from({ length: 51 }, (_, at) => `many:${at}`);
    for (const slug of many) {
      const made = await scene.org.org('POST', '/admin/permissions', { body: { slug, name: slug } });
      expect(made.status).toBe(201);
    }
    const caller = scene.caller(await scene.agent());
    const { id } = await scene.ask(caller, { required_scopes: many.slice(0, 50) });
    const more = { task_id: id, scope: 'many:50', justification: 'One more' };
    await expect(addRequest(scene.elevations, caller, facts, more)).rejects.toMatchObject({
      problem: { kind: { code: 'refused' } },
    });
  });
});

test('nobody else creates a task for an agent that is gone', async () => {
  const caller = scene.caller('nobody');
  const body = { task_description: 'More', required_scopes: ['db:write'] };
  await expect(createTask(scene.elevations, caller, facts, body)).rejects.toMatchObject(forbidden);
});
