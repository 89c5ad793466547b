import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Dispatcher, deliveryRecords, served } from '../../../src/delivery/dispatch/index.ts';
import { signalsChannel } from '../../../src/delivery/signals/index.ts';
import { OutboundClient, OutboundGuard } from '../../../src/platform/index.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { Receiver as Address, type Behaviour } from '../dispatch/receiver.ts';
import { push, Receiver, streamUpdated, verification } from './transmitter-world.ts';

const limits = { deliveryRetentionMs: 86_400_000, deliveryFailures: 2, deliveryFailingMs: 0 };

let provider: ClockedProvider;
let receiver: Receiver;
let address: Address;
let client: OutboundClient;
let dispatcher: Dispatcher;
let count = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('push', { RELATA_ALLOW_PRIVATE_URLS: '1' });
  address = await Address.start();
  client = new OutboundClient(new OutboundGuard(true), { perHost: 16 });
});
beforeEach(async () => {
  receiver = await Receiver.open(await provider.neighbour(`push${++count}`));
  const services = provider.service.keyDependencies();
  dispatcher = new Dispatcher({
    ...services,
    limits,
    channels: [served(signalsChannel()).serve(services)],
    send: (request) => client.request({ ...request, timeoutMs: 2_000 }),
    meter: { made: () => {}, waiting: () => {}, missed: () => {} },
    random: () => 0.5,
  });
});
afterEach(async () => {
  await dispatcher.stop();
});
afterAll(async () => {
  client.close();
  await address.stop();
  await provider.service.stop();
});

/** Looks until nothing is under way and nothing more comes. */
async function settle(): Promise<void> {
  await dispatcher.follow();
  await dispatcher.look();
  for (let quiet = 0, seen = -1; quiet < 4; quiet = address.received.length === seen ? quiet + 1 : 0) {
    seen = address.received.length;
    await dispatcher.idle();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await dispatcher.follow();
  }
}

/** A stream to a path of its own, whose receiver answers as is said. */
async function streamTo(path: string, behaviour?: Behaviour): Promise<string> {
  if (behaviour !== undefined) address.behaviours.set(path, behaviour);
  const id = await receiver.stream({ delivery: { method: push, endpoint_url: address.url(path) } });
  await settle();
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
  return provider.service.read(() => [...deliveryRecords.all(store)].map(({ document }) => document));
};
const admin = (id: string, body: object) =>
  receiver.organization.tenant('PATCH', `/admin/signals/streams/${id}`, { body });

test('a token that the receiver refuses by a code is not sent again', async () => {
  const id = await streamTo('/refused', answers(400, '{"err":"invalid_audience","description":"not mine"}'));
  await verify(id);
  await settle();
  expect(deliveries()).toMatchObject([{ status: 'failed', attempts: [{ status: 400 }], type: verification }]);
  provider.service.clock.advance(3_600_000);
  await settle();
  expect(eventsAt('/refused').filter((each) => verification in each)).toHaveLength(1);
});

test.each([
  { name: 'without a code', path: '/plain', status: 400, body: 'no' },
  { name: 'with another body', path: '/other', status: 400, body: '{"error":"invalid_request"}' },
  { name: 'of another status', path: '/status', status: 500, body: '{"err":"invalid_request"}' },
])('an answer $name is no refusal: it is sent again', async ({ path, status, body }) => {
  const id = await streamTo(path, answers(status, body));
  await verify(id);
  await settle();
  expect(deliveries()).toMatchObject([{ status: 'pending' }]);
  provider.service.clock.advance(120_000);
  await settle();
  expect(address.at(path)).toHaveLength(2);
  expect(new Set(address.at(path).map((each) => decodeJwt(each.body).jti)).size).toBe(1);
});

test('an administrator who disables a stream is told of to its receiver, which then gets nothing more', async () => {
  const id = await streamTo('/disabled');
  const changed = await admin(id, { status: 'disabled', reason: 'not now' });
  expect([changed.status, changed.at('data.status')]).toEqual([200, 'disabled']);
  await settle();
  expect(eventsAt('/disabled')).toEqual([{ [streamUpdated]: { status: 'disabled', reason: 'not now' } }]);
  const user = await receiver.organization.newUser('a@example.com');
  await receiver.organization.org('POST', `/admin/users/${user.id}/block`, { body: {} });
  await settle();
  expect(address.at('/disabled')).toHaveLength(1);
  expect((await admin(id, { status: 'enabled' })).status).toBe(200);
  await settle();
  await receiver.organization.org('POST', `/admin/users/${user.id}/unblock`, { body: {} });
  await settle();
  const [, ...more] = eventsAt('/disabled').map((each) => Object.keys(each)[0]);
  expect(more).toEqual([streamUpdated, expect.stringContaining('account-enabled')]);
});

test('it is told again where that fails, and for a day at most', async () => {
  const id = await streamTo('/down', answers(503, ''));
  await admin(id, { status: 'disabled' });
  await settle();
  expect(deliveries()).toMatchObject([{ status: 'pending', type: streamUpdated }]);
  address.behaviours.delete('/down');
  provider.service.clock.advance(120_000);
  await settle();
  expect(deliveries()).toMatchObject([{ status: 'delivered' }]);
  const { store } = receiver.organization.organization;
  provider.service.clock.advance(86_400_000);
  await provider.service.sweep();
  expect(
    provider.service.read(() => store.recordIndex('signal_streams').ids('pushed', 'enabled', { limit: 1 })),
  ).toEqual([]);
});

test('a stream that is disabled because its deliveries fail is told so, once', async () => {
  const id = await streamTo('/failing', answers(400, '{"err":"invalid_key"}'));
  for (let failures = 0; failures < 2; failures++) {
    await verify(id);
    await settle();
    provider.service.clock.advance(31_000);
  }
  await settle();
  const shown = await receiver.organization.tenant('GET', `/admin/signals/streams/${id}`);
  expect(shown.at('data')).toMatchObject({ status: 'disabled', reason: expect.stringContaining('failed') });
  provider.service.clock.advance(1_000);
  await settle();
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
  await settle();
  expect((await receiver.organization.tenant('GET', `/admin/signals/streams/${id}`)).at('data.status')).toBe(
    'disabled',
  );
  expect(eventsAt('/gone').filter((each) => streamUpdated in each)).toEqual([]);
});
