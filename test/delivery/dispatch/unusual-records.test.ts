import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceId } from '../../../engine/index.ts';
import { eventRecords } from '../../../src/kernel/events/index.ts';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { MINUTE, startWorld, type World } from './dispatch-world.ts';
import { accepts, type Behaviour, until } from './receiver.ts';

const fails: Behaviour = (_, answer) => void answer.writeHead(500).end();

let world: World;
const missed: number[] = [];
beforeAll(async () => {
  const meter = { made: () => {}, waiting: () => {}, missed: (count: number) => void missed.push(count) };
  world = await startWorld(10_000, { meter });
});
afterAll(() => world.stop());

describe.each(damages)('with %s', (damage) => {
  it('as a webhook, a state or a delivery, the others of the organization get what they should', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const slug = damage.replaceAll(' ', '-');
    const one = await service.organization(slug);
    const store = one.organization.store.name;
    const [first, second, third] = [`/${slug}-1`, `/${slug}-2`, `/${slug}-3`];
    const damaged = await webhook(one, first);
    const unknown = await webhook(one, second);
    await webhook(one, third, fails);
    const before = newDispatcher();
    const [lost, tried] = await happen(one, 2);
    await settle(before);
    await before.stop();
    const { deliveries } = world;
    const pending = deliveries(one).find(({ document }) => document.status === 'pending' && document.eventId === lost);
    for (const place of [
      { store, collection: 'webhooks', id: damaged },
      { store, collection: 'subscription_states', id: `webhook:${unknown}` },
      { store, collection: 'deliveries', id: pending?.id ?? '' },
    ]) {
      await damageRecord(service.folder, place, damage);
    }
    // a commit, so that what was read before is read anew
    await service.submit([{ op: 'put_record', store, record: { collection: 'seen', id: 'damage', document: {} } }]);
    receiver.behaviours.set(third, accepts);
    const dispatcher = newDispatcher();
    await dispatcher.follow();
    const [next] = await happen(one, 1);
    service.clock.advance(MINUTE);
    await settle(dispatcher);
    expect(receiver.at(first).map(({ id }) => id)).toEqual([lost, tried]);
    expect(receiver.at(second).map(({ id }) => id)).toEqual([lost, tried, next]);
    expect(receiver.firsts(third)).toEqual([lost, tried, next]);
    expect(receiver.at(third).filter(({ id }) => id === tried)).toHaveLength(2);
    expect(receiver.at(third).filter(({ id }) => id === lost)).toHaveLength(1);
    await dispatcher.stop();
  });
});

describe('events', () => {
  it('that nobody can put into words are passed over, and those behind them are sent', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const one = await service.organization('wordless');
    await webhook(one, '/wordless');
    const dispatcher = newDispatcher();
    const [first] = await happen(one, 1);
    await happen(one, 1, 'user.created', { user: null });
    const [last] = await happen(one, 1);
    await settle(dispatcher);
    expect(receiver.at('/wordless').map(({ id }) => id)).toEqual([first, last]);
    await dispatcher.stop();
  });

  it('that are no longer kept when a webhook comes to them are passed over, and counted', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle, state } = world;
    const one = await service.organization('behind');
    const { store } = one.organization;
    const id = await webhook(one, '/behind');
    const ids = await happen(one, 10);
    await service.submit([1, 2, 3, 4, 5].map((n) => eventRecords.delete(store, sequenceId(n))));
    missed.length = 0;
    const dispatcher = newDispatcher();
    await settle(dispatcher);
    expect(receiver.at('/behind').map((each) => each.id)).toEqual(ids.slice(5));
    expect(missed).toEqual([5]);
    expect(state(one, id)).toMatchObject({ position: 10, delivered: 5 });
    await dispatcher.stop();
  });

  it('of an organization that is deleted go to nobody any more, and those of others do', async () => {
    const { service, receiver, newDispatcher, webhook, happen, settle } = world;
    const [gone, left] = [await service.organization('deleted'), await service.organization('left-over')];
    const answers: (() => void)[] = [];
    await webhook(gone, '/deleted-held', (_, answer) => void answers.push(() => answer.end()));
    await webhook(gone, '/deleted-failed', fails);
    await webhook(left, '/left-over');
    const dispatcher = newDispatcher();
    await happen(gone, 3);
    await dispatcher.follow();
    await until(() => answers.length === 1 && receiver.at('/deleted-failed').length === 3);
    expect(await service.keyDependencies().organizations.delete('deleted')).toBe(true);
    const seen = receiver.received.length;
    answers[0]?.();
    const ids = await happen(left, 2);
    for (const minutes of [1, 5, 15]) {
      await settle(dispatcher);
      service.clock.advance(minutes * MINUTE);
    }
    await settle(dispatcher);
    expect(receiver.received.slice(seen).map(({ path, id }) => [path, id])).toEqual(
      ids.map((id) => ['/left-over', id]),
    );
    await dispatcher.stop();
  });

  it('that are for nobody are passed over by many webhooks with few commits', async () => {
    const { service, newDispatcher, webhook, happen, settle, state } = world;
    const one = await service.organization('passed');
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push(await webhook(one, `/passed-${n}`));
    const dispatcher = newDispatcher();
    await settle(dispatcher);
    await happen(one, 1, 'role.created');
    await dispatcher.follow();
    await settle(dispatcher);
    service.clock.advance(10_000);
    const before = service.revision();
    await dispatcher.look();
    await until(() => ids.every((id) => state(one, id)?.position === 1));
    expect(service.revision() - before).toBeLessThan(5);
    await dispatcher.stop();
  });
});
