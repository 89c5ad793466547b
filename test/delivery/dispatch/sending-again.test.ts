import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, startWorld, type World } from './dispatch-world.ts';
import { accepts, type Behaviour, until } from './receiver.ts';

const fails: Behaviour = (_, answer) => void answer.writeHead(500).end();
const tooMany: Behaviour = (_, answer) => void answer.writeHead(429).end();

let world: World;
beforeAll(async () => {
  world = await startWorld(10_000);
});
afterAll(() => world.stop());

describe('what has become due', () => {
  it('is sent as places get free, eight at once to one receiver', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('many-due');
    await webhook(one, '/many-due', fails);
    const dispatcher = newDispatcher();
    const ids = await happen(one, 40);
    await settle(dispatcher);
    let [now, most] = [0, 0];
    receiver.behaviours.set('/many-due', (_, answer) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        answer.writeHead(204).end();
      }, 20);
    });
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    expect(receiver.at('/many-due')).toHaveLength(80);
    expect(most).toBe(8);
    const sent = deliveries(one).map(({ document }) => [document.eventId, document.status, document.attempted]);
    expect(sent).toHaveLength(ids.length);
    expect(sent).toEqual(expect.arrayContaining(ids.map((id) => [id, 'delivered', 2])));
    await dispatcher.stop();
  });

  it('does not stand before what is due to another receiver, however much it is', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const one = await service.organization('beside-due');
    await webhook(one, '/first', fails);
    const dispatcher = newDispatcher();
    await happen(one, 250);
    await settle(dispatcher);
    service.clock.advance(1000);
    await webhook(one, '/second', fails);
    const [last] = await happen(one, 1);
    await settle(dispatcher);
    receiver.behaviours.set('/first', () => {});
    receiver.behaviours.set('/second', accepts);
    service.clock.advance(MINUTE);
    await dispatcher.look();
    await until(() => receiver.at('/second').length === 2);
    expect(receiver.at('/second').map(({ id }) => id)).toEqual([last, last]);
    expect(receiver.at('/first')).toHaveLength(251 + 8);
    receiver.behaviours.set('/first', accepts);
    await dispatcher.stop();
  });

  it('waits where the receiver asks for time by 429, without saying how much', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('too-many');
    await webhook(one, '/too-many', tooMany);
    const dispatcher = newDispatcher();
    const ids = await happen(one, 2);
    await settle(dispatcher);
    expect(receiver.firsts('/too-many')).toEqual([ids[0]]);
    expect(deliveries(one)[0]?.document.dueAt).toBe(service.clock.now() + MINUTE);
    receiver.behaviours.delete('/too-many');
    service.clock.advance(9_999);
    await settle(dispatcher);
    expect(receiver.at('/too-many')).toHaveLength(1);
    service.clock.advance(1);
    await settle(dispatcher);
    expect(receiver.at('/too-many').map(({ id }) => id)).toEqual(ids);
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    expect(receiver.at('/too-many').map(({ id }) => id)).toEqual([...ids, ids[0]]);
    await dispatcher.stop();
  });
});

describe('a delivery', () => {
  it('is sent once more, as it was and with all attempts, when that is asked for', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, deliveries } = world;
    const one = await service.organization('redelivered');
    const id = await webhook(one, '/redelivered');
    const dispatcher = newDispatcher();
    const [event] = await happen(one, 1);
    await settle(dispatcher);
    const deliveryId = deliveries(one)[0]?.id;
    const path = `/t/redelivered/api/v1/admin/webhooks/${id}/deliveries/${deliveryId}/redeliver`;
    const again = () => service.call('POST', path, { key: one.key });
    expect(await again()).toMatchObject({ status: 202, body: { data: { id: deliveryId, status: 'pending' } } });
    receiver.behaviours.set('/redelivered', fails);
    await settle(dispatcher);
    receiver.behaviours.set('/redelivered', accepts);
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    const sent = receiver.at('/redelivered');
    expect(sent.map((each) => each.id)).toEqual([event, event, event]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const [delivery, ...others] = deliveries(one);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ id: deliveryId, document: { status: 'delivered', attempted: 3, round: 2 } });
    expect(delivery?.document.attempts.map(({ status, round }) => [status, round])).toEqual([
      [204, undefined],
      [500, 2],
      [204, 2],
    ]);
    await dispatcher.stop();
  });
});

describe('replays', () => {
  it('that are asked for at the same moment: one begins', async () => {
    const { service, newDispatcher, receiver, webhook, happen, settle } = world;
    const one = await service.organization('replays');
    const id = await webhook(one, '/replays');
    await happen(one, 3);
    const path = `/t/replays/api/v1/admin/webhooks/${id}/replay`;
    const body = { since: '2020-01-01T00:00:00Z' };
    const ask = () => service.call('POST', path, { key: one.key, body });
    let first: Awaited<ReturnType<typeof ask>> | undefined;
    service.beforeNextCommit(async () => {
      first = await ask();
    });
    const second = await ask();
    expect([first?.status, second.status]).toEqual([202, 409]);
    expect(second.body).toMatchObject({ code: 'conflict', detail: 'A replay to this webhook is already running.' });
    expect((await ask()).status).toBe(409);
    const dispatcher = newDispatcher();
    await settle(dispatcher);
    await dispatcher.follow();
    await settle(dispatcher);
    // three by the webhook itself, three by the replay
    expect(receiver.at('/replays')).toHaveLength(6);
    expect((await ask()).status).toBe(202);
    await settle(dispatcher);
    await dispatcher.stop();
  });
});
