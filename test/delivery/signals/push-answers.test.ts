import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryRecords } from '../../../src/delivery/dispatch/index.ts';
import type { Receiver as Address, Behaviour } from '../dispatch/receiver.ts';
import { PushWorld } from './push-world.ts';
import { push, Receiver, streamUpdated, verification } from './transmitter-world.ts';

let world: PushWorld;
let receiver: Receiver;
let address: Address;
let count = 0;

beforeAll(async () => {
  world = await PushWorld.start('push');
  ({ address } = world);
});
beforeEach(async () => {
  receiver = await Receiver.open(await world.provider.neighbour(`push${++count}`));
  world.dispatch();
});
afterEach(() => world.rest());
afterAll(() => world.stop());

/** A stream to a path of its own, whose receiver answers as is said. */
async function streamTo(path: string, behaviour?: Behaviour): Promise<string> {
  if (behaviour !== undefined) address.behaviours.set(path, behaviour);
  const id = await receiver.stream({ delivery: { method: push, endpoint_url: address.url(path) } });
  await world.settle();
  return id;
}

const answers =
  (status: number, body: string): Behaviour =>
  (_, answer) =>
    void answer.writeHead(status, { 'content-type': 'application/json' }).end(body);
const verify = (id: string) => receiver.call('POST', '/verify', { stream_id: id });
const eventsAt = (path: string) => address.at(path).map(({ body }) => decodeJwt(body).events as Record<string, object>);
const deliveries = () => {
  const { store } = receiver.organization.organization;
  return world.provider.service.read(() => [...deliveryRecords.all(store)].map(({ document }) => document));
};
const admin = (id: string, body: object) =>
  receiver.organization.tenant('PATCH', `/admin/signals/streams/${id}`, { body });

test('a token that the receiver refuses by a code is not sent again', async () => {
  const id = await streamTo('/refused', answers(400, '{"err":"invalid_audience","description":"not mine"}'));
  await verify(id);
  await world.settle();
  expect(deliveries()).toMatchObject([{ status: 'failed', attempts: [{ status: 400 }], type: verification }]);
  world.provider.service.clock.advance(3_600_000);
  await world.settle();
  expect(eventsAt('/refused').filter((each) => verification in each)).toHaveLength(1);
});

test.each([
  { name: 'without a code', path: '/plain', status: 400, body: 'no' },
  { name: 'with another body', path: '/other', status: 400, body: '{"error":"invalid_request"}' },
  { name: 'of another status', path: '/status', status: 500, body: '{"err":"invalid_request"}' },
])('an answer $name is no refusal: it is sent again', async ({ path, status, body }) => {
  const id = await streamTo(path, answers(status, body));
  await verify(id);
  await world.settle();
  expect(deliveries()).toMatchObject([{ status: 'pending' }]);
  world.provider.service.clock.advance(120_000);
  await world.settle();
  expect(address.at(path)).toHaveLength(2);
  expect(new Set(address.at(path).map((each) => decodeJwt(each.body).jti)).size).toBe(1);
});

test('an administrator who disables a stream is told of to its receiver, which then gets nothing more', async () => {
  const id = await streamTo('/disabled');
  const changed = await admin(id, { status: 'disabled', reason: 'not now' });
  expect([changed.status, changed.at('data.status')]).toEqual([200, 'disabled']);
  await world.settle();
  expect(eventsAt('/disabled')).toEqual([{ [streamUpdated]: { status: 'disabled', reason: 'not now' } }]);
  const user = await receiver.organization.newUser('a@example.com');
  await receiver.organization.org('POST', `/admin/users/${user.id}/block`, { body: {} });
  await world.settle();
  expect(address.at('/disabled')).toHaveLength(1);
  expect((await admin(id, { status: 'enabled' })).status).toBe(200);
  await world.settle();
  await receiver.organization.org('POST', `/admin/users/${user.id}/unblock`, { body: {} });
  await world.settle();
  const [, ...more] = eventsAt('/disabled').map((each) => Object.keys(each)[0]);
  expect(more).toEqual([streamUpdated, expect.stringContaining('account-enabled')]);
});

test('it is told again where that fails, and for a day at most', async () => {
  const id = await streamTo('/down', answers(503, ''));
  await admin(id, { status: 'disabled' });
  await world.settle();
  expect(deliveries()).toMatchObject([{ status: 'pending', type: streamUpdated }]);
  address.behaviours.delete('/down');
  world.provider.service.clock.advance(120_000);
  await world.settle();
  expect(deliveries()).toMatchObject([{ status: 'delivered' }]);
  const { store } = receiver.organization.organization;
  world.provider.service.clock.advance(86_400_000);
  await world.provider.service.sweep();
  expect(
    world.provider.service.read(() => store.recordIndex('signal_streams').ids('pushed', 'enabled', { limit: 1 })),
  ).toEqual([]);
});

test('a stream that is disabled because its deliveries fail is told so, once', async () => {
  const id = await streamTo('/failing', answers(400, '{"err":"invalid_key"}'));
  for (let failures = 0; failures < 2; failures++) {
    await verify(id);
    await world.settle();
    world.provider.service.clock.advance(31_000);
  }
  await world.settle();
  const shown = await receiver.organization.tenant('GET', `/admin/signals/streams/${id}`);
  expect(shown.at('data')).toMatchObject({ status: 'disabled', reason: expect.stringContaining('failed') });
  world.provider.service.clock.advance(1_000);
  await world.settle();
  expect(eventsAt('/failing').filter((each) => streamUpdated in each)).toHaveLength(1);
  const logged = await receiver.organization.org(
    'GET',
    `/admin/audit-logs?action=signal_stream.disable&targetId=${id}`,
  );
  expect(logged.at('data.data')).toHaveLength(1);
});

test('one whose receiver is gone is told nothing more', async () => {
  const id = await streamTo('/gone', answers(410, ''));
  await verify(id);
  await world.settle();
  expect((await receiver.organization.tenant('GET', `/admin/signals/streams/${id}`)).at('data.status')).toBe(
    'disabled',
  );
  expect(eventsAt('/gone').filter((each) => streamUpdated in each)).toEqual([]);
});
