import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepDeliveries } from '../../../src/delivery/dispatch/records/sweep-deliveries.ts';
import { startWorld, type World } from './dispatch-world.ts';
import type { Behaviour } from './receiver.ts';

const KEPT = 50;
const fails: Behaviour = (_, answer) => void answer.writeHead(500).end();

let world: World;
beforeAll(async () => {
  world = await startWorld(10_000, {}, { RELATA_LIMIT_DELIVERIES_PER_ORGANIZATION: String(KEPT) });
});
afterAll(() => world.stop());

type Organization = Awaited<ReturnType<World['service']['organization']>>;

/** Events a millisecond apart, so that their order is that of their ids. */
async function happenApart(of: Organization, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    world.service.clock.advance(1);
    ids.push(...(await world.happen(of, 1)));
  }
  return ids;
}

const kept = (of: Organization, status: string) =>
  world.deliveries(of).flatMap(({ document }) => (document.status === status ? [document.eventId] : []));

it('deliveries that are too many are removed, the oldest first, in their own organization', async () => {
  const { service, newDispatcher, webhook, happen, settle, deliveries } = world;
  const [many, few] = [await service.organization('many'), await service.organization('few')];
  await webhook(many, '/many');
  await webhook(few, '/few');
  const dispatcher = newDispatcher();
  const ids = await happenApart(many, KEPT + 20);
  await happen(few, KEPT);
  await settle(dispatcher);
  expect([deliveries(many).length, deliveries(few).length]).toEqual([KEPT + 20, KEPT]);
  await service.runJob('old_deliveries');
  expect(deliveries(many).map(({ document }) => document.eventId)).toEqual(ids.slice(-KEPT));
  expect(deliveries(few)).toHaveLength(KEPT);
  await dispatcher.stop();
});

it('what is still to be sent stays, and what has ended goes before it, of any webhook', async () => {
  const { service, newDispatcher, webhook, settle, deliveries } = world;
  const one = await service.organization('still-pending');
  const failing = await webhook(one, '/still-pending', fails);
  const dispatcher = newDispatcher();
  const pending = await happenApart(one, 30);
  await settle(dispatcher);
  await webhook(one, '/delivered-1');
  await webhook(one, '/delivered-2');
  const path = `/t/still-pending/api/v1/admin/webhooks/${failing}`;
  const narrow = { key: one.key, body: { events: ['user.deleted'] } };
  expect((await service.call('PATCH', path, narrow)).status).toBe(200);
  const delivered = await happenApart(one, 30);
  await settle(dispatcher);
  expect([deliveries(one).length, kept(one, 'pending')]).toEqual([90, pending]);
  await service.runJob('old_deliveries');
  expect(kept(one, 'pending')).toEqual(pending);
  // two of each event
  expect([...new Set(kept(one, 'delivered'))]).toEqual(delivered.slice(-10));
  await dispatcher.stop();
});

it('what has to go though it was never sent is counted as failed, and told in the log and the audit log', async () => {
  const { service, newDispatcher, webhook, settle } = world;
  const one = await service.organization('never-sent');
  const id = await webhook(one, '/never-sent', fails);
  const dispatcher = newDispatcher();
  const ids = await happenApart(one, KEPT + 20);
  await settle(dispatcher);
  const logged: unknown[] = [];
  const counted: number[] = [];
  const { limits, ...rest } = service.keyDependencies();
  const step = sweepDeliveries({
    ...rest,
    limits,
    log: { warn: (facts: object, text: string) => void logged.push({ ...facts, text }) } as never,
    missed: (count) => void counted.push(count),
  });
  while (await step(15));
  expect(kept(one, 'pending')).toEqual(ids.slice(-KEPT));
  expect(counted).toEqual([15, 5]);
  expect(logged).toEqual(
    [15, 5].map((count) => ({
      organization: 'never-sent',
      subscription: `webhook:${id}`,
      count,
      text: 'deliveries were too many to be kept and made',
    })),
  );
  expect(world.state(one, id)).toMatchObject({ failed: 20, consecutiveFailures: 0 });
  const told = await one.tenant('GET', '/admin/audit-logs?action=delivery.drop', { key: one.key });
  const entries = told.at('data') as { severity: string; result: string; metadata: object }[];
  expect(entries.map(({ severity, result, metadata }) => ({ severity, result, metadata }))).toEqual(
    [5, 15].map((count) => ({
      severity: 'warning',
      result: 'failure',
      metadata: { count, ofSubscriptions: 1, subscriptions: { [`webhook:${id}`]: count } },
    })),
  );
  await dispatcher.stop();
});

it('what is still to be sent is kept however old it is', async () => {
  const { service, newDispatcher, webhook, happen, settle, receiver } = world;
  const one = await service.organization('old-pending');
  await webhook(one, '/old-pending', fails);
  const dispatcher = newDispatcher();
  const ids = await happen(one, 1);
  await settle(dispatcher);
  service.clock.advance(365 * 86_400_000);
  await service.runJob('expired_records');
  expect(kept(one, 'pending')).toEqual(ids);
  receiver.behaviours.delete('/old-pending');
  await settle(dispatcher);
  expect(kept(one, 'delivered')).toEqual(ids);
  await service.runJob('expired_records');
  expect(kept(one, 'delivered')).toEqual([]);
  await dispatcher.stop();
});
