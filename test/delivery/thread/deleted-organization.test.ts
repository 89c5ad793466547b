import { afterAll, beforeAll, expect, test } from 'vitest';
import { Provider } from '../../protocols/oauth/world.ts';
import { platformKey, RunningService } from '../../server/running-service.ts';
import { Receiver, until } from '../dispatch/receiver.ts';
import { push } from '../signals/transmitter-world.ts';

const environment = { RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_THREADS: '2', RELATA_DEMO: '0' };

let service: RunningService;
let receiver: Receiver;
beforeAll(async () => {
  [service, receiver] = await Promise.all([RunningService.start(environment), Receiver.start()]);
}, 120_000);
afterAll(async () => {
  await service.remove();
  await receiver.stop();
});

/** A stream that is open until the service ends it, and all that it brought. */
async function openStream(path: string, key: string): Promise<{ readonly text: Promise<string> }> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
  const response = await fetch(service.url + path, { headers });
  expect(response.status).toBe(200);
  return { text: response.text() };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 2000));

test('a deleted organization gets and gives nothing more', async () => {
  const one = new Provider(await service.organization('leaving'));
  const { organization } = one;
  const create = async (name: string) => {
    expect((await organization.post('/admin/users', { email: `${name}@example.test` })).status).toBe(201);
  };

  // all that an organization tells anybody by
  const held: (() => void)[] = [];
  receiver.behaviours.set('/held', (_, answer) => void held.push(() => answer.end()));
  receiver.behaviours.set('/failing', (_, answer) => void answer.writeHead(500).end());
  for (const [path, at] of [
    ['/t/leaving/api/v1/admin/webhooks', '/held'],
    ['/orgs/leaving/api/v1/admin/webhooks', '/failing'],
    ['/orgs/leaving/api/v1/webhooks', '/third'],
  ] as const) {
    const body = { url: receiver.url(at), events: ['*'] };
    expect((await service.call('POST', path, { key: organization.key, body })).status).toBe(201);
  }
  const client = await one.client({ scopes: ['ssf.manage'] });
  const token = await one.token(client);
  const ssf = (method: string, path: string, body?: object) =>
    service.call(method, `/orgs/leaving/api/v1/ssf${path}`, {
      key: token,
      ...(body === undefined ? {} : { body }),
    });
  const pushing = await ssf('POST', '/stream', { delivery: { method: push, endpoint_url: receiver.url('/pushed') } });
  const polling = await ssf('POST', '/stream', {});
  expect([pushing.status, polling.status]).toEqual([201, 201]);
  const live = await openStream('/t/leaving/api/v1/admin/events', organization.key);
  const watch = await openStream('/t/leaving/api/v1/zanzibar/watch', organization.key);

  await create('ann');
  expect((await ssf('POST', '/verify', { stream_id: pushing.text('stream_id') })).status).toBe(204);
  await until(() => held.length === 1 && ['/failing', '/third', '/pushed'].every((at) => receiver.at(at).length > 0));
  await create('ben');
  const waiting = ssf('POST', `/poll/${polling.text('stream_id')}`, {});
  const hasBen = (at: string) => receiver.at(at).some(({ body: sent }) => sent.includes('ben@example.test'));
  await until(() => hasBen('/third') && hasBen('/failing'));
  await settled();

  expect((await service.call('DELETE', '/platform/api/v1/orgs/leaving', { key: platformKey })).status).toBe(204);
  const seen = receiver.received.length;
  for (const release of held) release();
  expect(await live.text).toContain('ann@example.test');
  await watch.text;
  expect((await waiting).status).toBe(401);

  const asked = async () => [
    (await organization.call('GET', '/admin/events')).status,
    (await organization.call('GET', '/admin/webhooks')).status,
    (await ssf('POST', `/poll/${polling.text('stream_id')}`, { returnImmediately: true })).status,
    (await ssf('GET', '/stream')).status,
  ];
  expect(await asked()).toEqual([401, 401, 401, 401]);
  for (const path of [
    '/.well-known/ssf-configuration/orgs/leaving',
    '/orgs/leaving/.well-known/ssf-configuration',
    '/orgs/leaving/api/v1/oauth/jwks',
  ]) {
    expect([path, (await service.call('GET', path)).status]).toEqual([path, 404]);
  }
  const set = { body: 'x.y.z', headers: { 'content-type': 'application/secevent+jwt' } };
  expect((await service.call('POST', '/orgs/leaving/api/v1/signals/receive', set)).status).toBe(404);
  await settled();
  expect(receiver.received.slice(seen)).toEqual([]);

  // nobody can be taken for it, either
  const next = await service.call('POST', '/platform/api/v1/orgs', {
    key: platformKey,
    body: { slug: 'leaving', name: 'x' },
  });
  expect(next).toMatchObject({ status: 409, body: { code: 'slug_taken' } });
}, 120_000);
