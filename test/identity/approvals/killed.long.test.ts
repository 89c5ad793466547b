/** `npm test` has decisions of two people at once (`deciding.test.ts`), and commits that a kill leaves whole (`engine/crash/`). */
import { expect, test } from 'vitest';
import type { Organization } from '../../server/running-service.ts';
import { type Approver, KilledScene } from './killed-scene.ts';

const KILLS = 5;
/** Tasks that are decided at each kill, every one by two people at once. */
const TASKS = 8;

/** What a person pressed for a task, and which answer came. */
interface Pressed {
  readonly taskId: string;
  readonly by: string;
  readonly decision: 'approve' | 'deny';
  readonly status: number | undefined;
}

test('a service that is killed between decisions and their answers leaves one outcome of each', async () => {
  const scene = await KilledScene.start();
  try {
    const [dora, emil] = [await scene.approver('dora'), await scene.approver('emil')];
    let cut = 0;
    let unheard = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const pressed = await decideAndKill(scene, dora, emil);
      cut += pressed.filter(({ status }) => status === undefined).length;
      for (const taskId of new Set(pressed.map((each) => each.taskId))) {
        const ofTask = pressed.filter((each) => each.taskId === taskId);
        const heard = ofTask.filter(({ status }) => status === 303);
        const left = await outcomeOf(scene, taskId);
        // what somebody was told has happened, and nothing else has
        expect(heard.length).toBeLessThanOrEqual(1);
        for (const { decision, by } of heard) expect(left).toEqual({ decision, by });
        if (heard.length === 0 && left !== undefined) unheard++;
        await pressAgain(scene, dora, taskId, left);
      }
    }
    expect(cut).toBeGreaterThan(0);
    // decisions that were kept, of which nobody was told
    expect(unheard).toBeGreaterThan(0);
  } finally {
    await scene.remove();
  }
}, 600_000);

/** Both decide all tasks at once, one yes and the other no; the service dies with the first answer. */
async function decideAndKill(scene: KilledScene, dora: Approver, emil: Approver): Promise<Pressed[]> {
  const presses: (() => Promise<Pressed>)[] = [];
  for (let count = 0; count < TASKS; count++) {
    const taskId = await scene.ask();
    for (const [who, decision] of [[dora, 'approve'] as const, [emil, 'deny'] as const]) {
      const page = await who.open(taskId);
      presses.push(async () => ({
        taskId,
        by: who.person.id,
        decision,
        status: await who.decide(page, decision),
      }));
    }
  }
  const all = presses.map((press) => press());
  await Promise.race(all);
  await scene.kill();
  const pressed = await Promise.all(all);
  await scene.startAgain();
  return pressed;
}

type Outcome = Pick<Pressed, 'decision' | 'by'>;

/** The same by the record, the audit log, the events and the tuples; `undefined` while it waits. */
async function outcomeOf({ org }: KilledScene, taskId: string): Promise<Outcome | undefined> {
  const task = await org.call('GET', `/admin/elevations/${taskId}`);
  const entries = await org.call('GET', `/admin/audit-logs?targetId=${taskId}`);
  const steps = entries.list('data').map((entry) => (entry as { readonly action: string }).action);
  const lent = await org.call('GET', `/zanzibar/tuples?subject=elevation:${taskId}`);
  const seen = {
    status: task.at('data.status'),
    steps: steps.filter((step) => step !== 'elevation.request'),
    told: await toldOf(org, taskId),
    lent: lent.list('tuples').length,
  };
  const by = task.at('data.decided.by');
  if (seen.status === 'pending') {
    expect(seen).toEqual({ status: 'pending', steps: [], told: [], lent: 0 });
    return undefined;
  }
  const isApproved = seen.status === 'approved';
  expect(seen).toEqual(
    isApproved
      ? { status: 'approved', steps: ['elevation.approve'], told: ['jit.approved'], lent: 1 }
      : { status: 'denied', steps: ['elevation.deny'], told: ['jit.denied'], lent: 0 },
  );
  return { decision: isApproved ? 'approve' : 'deny', by: String(by) };
}

/** Types of the events that tell what became of a task. */
async function toldOf(org: Organization, taskId: string): Promise<string[]> {
  const answer = await org.call('GET', '/admin/events?limit=200&types=jit.approved,jit.denied,jit.expired');
  expect(answer.at('data.hasMore')).toBe(false);
  const events = answer.list('data.events') as { readonly type: string; readonly data: { readonly task_id: string } }[];
  return events.filter(({ data }) => data.task_id === taskId).map(({ type }) => type);
}

/** Whoever presses again after the restart decides what still waits, and changes nothing else. */
async function pressAgain(scene: KilledScene, dora: Approver, taskId: string, left: Outcome | undefined) {
  const page = await dora.open(taskId);
  const after = left ?? { decision: 'approve', by: dora.person.id };
  if (left === undefined) expect(await dora.decide(page, 'approve')).toBe(303);
  else expect(page.forms.some(({ buttons }) => buttons.some(({ value }) => value === 'approve'))).toBe(false);
  expect(await outcomeOf(scene, taskId)).toEqual(after);
  const exchanged = await scene.exchange(taskId);
  expect([exchanged.status, exchanged.at('error')]).toEqual(
    after.decision === 'approve' ? [200, undefined] : [400, 'access_denied'],
  );
}
