import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from './dispatch-world.ts';
import { until } from './receiver.ts';

let world: World;
beforeAll(async () => {
  // longer than the test: no attempt that hangs ends in it
  world = await startWorld(600_000, { slots: { total: 64, ofOne: 16 } });
});
afterAll(() => world.stop());

it('five organizations whose receivers all hang delay nobody else', async () => {
  const { service, receiver, newDispatcher, webhook, happen, settle } = world;
  const held: ServerResponse[] = [];
  const other = await service.organization('other');
  await webhook(other, '/other');
  const hostile = [];
  for (let n = 0; n < 5; n++) {
    const one = await service.organization(`hostile-${n}`);
    hostile.push(one);
    // the bound of one organization, and more
    for (let hook = 0; hook < 18; hook++) {
      await webhook(one, `/hostile-${n}/${hook}`, (_, answer) => void held.push(answer));
    }
  }
  const dispatcher = newDispatcher();
  await dispatcher.follow();
  for (const one of hostile) await happen(one, 1);
  await dispatcher.follow();
  // the bound of one, and then half of what is left
  await until(() => held.length >= 16 * 3 + 8 + 4, 60_000);
  const ids = await happen(other, 20);
  await dispatcher.follow();
  await until(() => receiver.at('/other').length === ids.length, 60_000);
  expect(receiver.firsts('/other')).toEqual(ids);
  for (const path of receiver.behaviours.keys()) receiver.behaviours.delete(path);
  for (const answer of held) answer.end();
  await settle(dispatcher);
  await dispatcher.stop();
}, 300_000);
