import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TaskRecord, taskRecords } from '../../../src/directory/records/index.ts';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { Scene } from './scene.ts';

let service: InProcessService;
let scene: Scene;

beforeAll(async () => {
  service = await InProcessService.start();
  scene = await Scene.in(await service.organization('pace'));
});
afterAll(() => service.stop());

/** Tasks that were denied at once, as a rule does it. */
async function denied(agentId: string, count: number): Promise<void> {
  const { audit, clock } = scene.elevations;
  const now = clock.now();
  const document: TaskRecord = {
    agentId,
    description: 'Again',
    scopes: ['db:write'],
    justifications: [],
    seconds: 1,
    status: 'denied',
    createdAt: now,
    expiresAt: now + 600_000,
  };
  await service.submit(Array.from({ length: count }, () => taskRecords.put(scene.store, audit.newId(), document)));
}

test('an agent asks a thousand times in an hour, however soon it is answered', async () => {
  const agent = await scene.agent();
  await denied(agent, 999);
  await scene.ask(scene.caller(agent));
  await expect(scene.ask(scene.caller(agent))).rejects.toThrow('rate_limited');
  // another one is not held up
  await scene.ask(scene.caller(await scene.agent()));
  service.clock.advance(3_600_000);
  await scene.ask(scene.caller(agent));
});
