import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, startWorld, type World } from './dispatch-world.ts';
import { accepts, type Behaviour, until } from './receiver.ts';

const fails: Behaviour = (_, answer) => void answer.writeHead(500).end();

describe('events', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(60_000, {
      limits: { deliveryRetentionMs: 30 * DAY, deliveryFailures: 3, deliveryFailingMs: DAY },
    });
  });
  afterAll(() => world.stop());

  it('come in the order of their commits, and what failed comes behind those that follow it', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries, state } = world;
    const one = await service.organization('order');
    const before = await happen(one, 2);
    const id = await webhook(one, '/order', (_, answer) => {
      answer.writeHead(receiver.at('/order').length === 2 ? 500 : 200).end();
    });
    const dispatcher = newDispatcher();
    const ids = await happen(one, 30);
    await settle(dispatcher);
    expect(receiver.firsts('/order')).toEqual(ids);
    expect(receiver.firsts('/order')).not.toContain(before[0]);
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    expect(receiver.at('/order').at(-1)?.id).toBe(ids[1]);
    expect(receiver.at('/order')).toHaveLength(31);
    expect(deliveries(one).every(({ document }) => document.status === 'delivered')).toBe(true);
    expect(state(one, id)).toMatchObject({ delivered: 30, failed: 0, consecutiveFailures: 0 });
    await dispatcher.stop();
  });

  it('are delayed for nobody by a receiver that hangs', async () => {
    const { service, receiver, newDispatcher, webhook, happen } = world;
    const one = await service.organization('beside');
    const held: ServerResponse[] = [];
    await webhook(one, '/hangs', (_, answer) => void held.push(answer));
    const paths = Array.from({ length: 49 }, (_, place) => `/beside-${place}`);
    for (const path of paths) await webhook(one, path);
    const dispatcher = newDispatcher();
    const ids = await happen(one, 4);
    await dispatcher.follow();
    await until(() => paths.every((path) => receiver.at(path).length === ids.length));
    for (const path of paths) expect(receiver.firsts(path)).toEqual(ids);
    expect(receiver.at('/hangs')).toHaveLength(1);
    receiver.behaviours.set('/hangs', accepts);
    for (const answer of held) answer.end();
    await dispatcher.stop();
  });

  it('go on from where a dispatcher stopped, and none is sent again that is on record', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const one = await service.organization('again');
    await webhook(one, '/again');
    const first = newDispatcher();
    const ids = await happen(one, 5);
    await settle(first);
    await first.stop();
    const later = await happen(one, 5);
    const second = newDispatcher();
    await settle(second);
    expect(receiver.at('/again').map((each) => each.id)).toEqual([...ids, ...later]);
    await second.stop();
  });

  it('of one organization are never told to another', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const [left, right] = [await service.organization('left'), await service.organization('right')];
    await webhook(left, '/left');
    await webhook(right, '/right');
    const dispatcher = newDispatcher();
    const [lefts, rights] = [await happen(left, 3), await happen(right, 2)];
    await settle(dispatcher);
    expect([receiver.firsts('/left'), receiver.firsts('/right')]).toEqual([lefts, rights]);
    await dispatcher.stop();
  });

  it('are sent no more after a webhook is deleted or disabled, nor is what waited for another attempt', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('ends');
    const id = await webhook(one, '/deleted', fails);
    const other = await webhook(one, '/disabled', fails);
    const dispatcher = newDispatcher();
    await happen(one, 1);
    await settle(dispatcher);
    const api = '/t/ends/api/v1/admin/webhooks';
    expect((await service.call('DELETE', `${api}/${id}`, { key: one.key })).status).toBeLessThan(300);
    expect((await service.call('POST', `${api}/${other}/disable`, { key: one.key })).status).toBeLessThan(300);
    await happen(one, 2);
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    expect([receiver.at('/deleted').length, receiver.at('/disabled').length]).toEqual([1, 1]);
    expect(deliveries(one).filter(({ document }) => document.status === 'pending')).toEqual([]);
    await dispatcher.stop();
  });

  it('end with three deliveries that failed over a day, and begin anew when it is enabled', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, state } = world;
    const one = await service.organization('failing');
    const id = await webhook(one, '/failing', fails);
    const dispatcher = newDispatcher();
    const shown = async (): Promise<string> => {
      const answer = await service.call('GET', `/t/failing/api/v1/admin/webhooks/${id}`, { key: one.key });
      return JSON.stringify(answer.body);
    };
    for (let hour = 0; hour < 2; hour++) {
      for (let event = 0; event < 2; event++) await happen(one, 1);
      for (const minutes of [0, 1, 5, 15, 39]) {
        service.clock.advance(minutes * MINUTE);
        await settle(dispatcher);
      }
    }
    // more than three, but within some hours
    expect(state(one, id)).toMatchObject({ failed: 4, consecutiveFailures: 4 });
    expect(await shown()).not.toContain('failures');
    service.clock.advance(22 * HOUR);
    await happen(one, 1);
    for (const minutes of [0, 1, 5, 15, 39]) {
      service.clock.advance(minutes * MINUTE);
      await settle(dispatcher);
    }
    await settle(dispatcher);
    expect(await shown()).toContain('failures');
    const seen = receiver.at('/failing').length;
    const missed = await happen(one, 2);
    await settle(dispatcher);
    expect(receiver.at('/failing')).toHaveLength(seen);
    receiver.behaviours.set('/failing', accepts);
    const api = `/t/failing/api/v1/admin/webhooks/${id}`;
    expect((await service.call('POST', `${api}/enable`, { key: one.key })).status).toBeLessThan(300);
    const next = await happen(one, 1);
    await settle(dispatcher);
    expect(receiver.at('/failing').slice(seen)).toMatchObject([{ id: next[0] }]);
    const since = new Date(service.clock.now() - HOUR).toISOString();
    const replay = await service.call('POST', `${api}/replay`, { key: one.key, body: { since } });
    expect([replay.status, replay.body]).toMatchObject([202, expect.anything()]);
    await settle(dispatcher);
    expect(receiver.firsts('/failing')).toEqual(expect.arrayContaining([...missed, ...next]));
    await dispatcher.stop();
  });
});
