import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addRequest,
  approveTask,
  denyTask,
  endElevation,
  personCaller,
  taskStatus,
} from '../../../src/directory/elevations/index.ts';
import { facts, InProcessService } from '../../identity/sessions/in-process-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;

beforeAll(async () => {
  service = await InProcessService.start();
  scene = await Scene.in(await service.organization('transitions'));
});
afterAll(() => service.stop());

const code = (kind: string) => ({ problem: { kind: { code: kind } } });

async function pending(seconds = 300) {
  const agentId = await scene.agent();
  const caller = scene.caller(agentId);
  const user = await scene.approver();
  const { id } = await scene.ask(caller, { required_scopes: ['db:write', 'docs:write'], duration: seconds });
  return { id, agentId, caller, user };
}

const approve = (userId: string, id: string, how = scene.all(id)) =>
  approveTask(scene.elevations, scene.org.organization, userId, facts, id, how);
const deny = (userId: string, id: string, reason?: string) =>
  denyTask(scene.elevations, scene.org.organization, userId, facts, id, { digest: scene.digest(id), reason });

describe('A task', () => {
  test('(created) -> pending', async () => {
    const before = scene.org.lastEvent();
    const { id, agentId } = await pending();
    expect(scene.task(id)).toMatchObject({ status: 'pending', agentId, seconds: 300 });
    expect(scene.task(id).expiresAt - scene.task(id).createdAt).toBe(600_000);
    expect(scene.lent(id)).toEqual([]);
    const events = scene.org.eventsAfter(before).filter(({ type }) => type.startsWith('jit.'));
    expect(events).toMatchObject([{ type: 'jit.requested', data: { task_id: id, agent_id: agentId } }]);
    expect(scene.audited(id)).toEqual([`elevation.request agent:${agentId} ${agentId}`]);
  });

  test('pending -> approved, with less than was asked for', async () => {
    const { id, agentId, user } = await pending();
    const before = scene.org.lastEvent();
    const now = service.clock.now();
    await approve(user.id, id, { ...scene.all(id), scopes: ['db:write'], seconds: 60 });
    expect(scene.task(id)).toMatchObject({
      status: 'approved',
      decided: { by: user.id, byType: 'user', at: now },
      grant: { lenderId: user.id, scopes: ['db:write'], until: now + 60_000 },
    });
    expect(scene.lent(id)).toEqual(['permission:db:write']);
    expect(scene.counts(id, 'db:write')).toBe(true);
    expect(scene.counts(id, 'docs:write')).toBe(false);
    expect(scene.org.eventsAfter(before)).toMatchObject([
      { type: 'jit.approved', data: { task_id: id, approved_by: { type: 'user', id: user.id } } },
    ]);
    expect(scene.audited(id).at(-1)).toBe(`elevation.approve user:${user.id} ${agentId}`);
  });

  test('pending -> denied', async () => {
    const { id, agentId, user } = await pending();
    await deny(user.id, id, 'Not now');
    expect(scene.task(id)).toMatchObject({ status: 'denied', decided: { by: user.id, reason: 'Not now' } });
    expect(scene.lent(id)).toEqual([]);
    expect(scene.audited(id).at(-1)).toBe(`elevation.deny user:${user.id} ${agentId}`);
  });

  test('pending -> expired, by the clock at once, and on record by the sweep', async () => {
    const { id, agentId, user } = await pending();
    const before = scene.org.lastEvent();
    const expired = () => scene.org.eventsAfter(before).filter(({ data }) => data.task_id === id);
    service.clock.advance(599_999);
    expect(taskStatus({ document: scene.task(id) }, service.clock.now())).toBe('pending');
    service.clock.advance(1);
    expect(taskStatus({ document: scene.task(id) }, service.clock.now())).toBe('expired');
    await expect(approve(user.id, id)).rejects.toMatchObject(code('task_settled'));
    await service.runJob('elevations');
    expect(scene.task(id)).toMatchObject({ status: 'expired', ended: { by: 'system' } });
    expect(expired()).toMatchObject([{ type: 'jit.expired', data: { agent_id: agentId } }]);
    expect(scene.audited(id).at(-1)).toBe(`elevation.expire admin:system ${agentId}`);
  });

  test('what was lent ends at its time, and the record is swept 30 days later', async () => {
    const { id, user } = await pending(60);
    await approve(user.id, id);
    service.clock.advance(59_999);
    expect(scene.counts(id, 'db:write')).toBe(true);
    service.clock.advance(1);
    expect(scene.counts(id, 'db:write')).toBe(false);
    await service.runJob('elevations');
    await service.runJob('sweep');
    expect(scene.task(id)).toMatchObject({ status: 'approved', ended: { by: 'system' } });
    expect(scene.lent(id)).toEqual([]);
    expect(scene.audited(id).at(-1)).toMatch(/^elevation\.end admin:system/);
    service.clock.advance(30 * 86_400_000 - 60_000);
    await service.sweep();
    expect(scene.entry(id)).toBeDefined();
    service.clock.advance(120_000);
    await service.sweep();
    expect(scene.entry(id)).toBeUndefined();
  });

  test('what was lent is taken back at once', async () => {
    const { id, user, agentId, caller } = await pending();
    await approve(user.id, id);
    const other = await scene.approver();
    const stranger = service.read(() => personCaller(scene.elevations, scene.org.organization, other.id));
    await expect(endElevation(scene.elevations, stranger, facts, id)).rejects.toMatchObject(code('not_found'));
    const lender = service.read(() => personCaller(scene.elevations, scene.org.organization, user.id));
    const before = scene.org.lastEvent();
    await endElevation(scene.elevations, lender, facts, id, 'Done');
    expect(scene.lent(id)).toEqual([]);
    expect(scene.task(id)).toMatchObject({ status: 'approved', ended: { by: `user:${user.id}`, reason: 'Done' } });
    expect(scene.org.eventsAfter(before)).toMatchObject([{ type: 'jit.revoked', data: { reason: 'Done' } }]);
    expect(scene.audited(id).at(-1)).toBe(`elevation.revoke user:${user.id} ${agentId}`);
    await expect(endElevation(scene.elevations, caller, facts, id)).rejects.toMatchObject(code('task_settled'));
  });
});

describe('Final', () => {
  const finals = {
    approved: (userId: string, id: string) => approve(userId, id),
    denied: (userId: string, id: string) => deny(userId, id),
    expired: async () => service.clock.advance(600_000),
  };

  test.each(Object.entries(finals))('%s is', async (status, reach) => {
    const { id, user, caller } = await pending(3600);
    await reach(user.id, id);
    const settled = scene.task(id);
    expect(taskStatus({ document: settled }, service.clock.now())).toBe(status);
    await expect(approve(user.id, id)).rejects.toMatchObject(code('task_settled'));
    await expect(deny(user.id, id)).rejects.toMatchObject(code('task_settled'));
    const more = { task_id: id, scope: 'docs:read', justification: 'To look' };
    await expect(addRequest(scene.elevations, caller, facts, more)).rejects.toMatchObject(code('task_settled'));
    if (status !== 'approved') {
      await expect(endElevation(scene.elevations, caller, facts, id)).rejects.toMatchObject(code('task_settled'));
    }
    expect(scene.task(id)).toEqual(settled);
    expect(scene.lent(id)).toEqual(status === 'approved' ? ['permission:db:write', 'permission:docs:write'] : []);
  });
});
