import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Provider, type TestClient } from '../../protocols/oauth/world.ts';
import { until } from '../dispatch/receiver.ts';
import { push, risc, verification } from './transmitter-world.ts';

interface Pushed {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let provider: Provider;
let client: TestClient;
let server: Server;
let key: string;
const pushed: Pushed[] = [];

beforeAll(async () => {
  server = createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      pushed.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer.writeHead(202).end();
    });
  });
  server.listen(0, '127.0.0.1');
  [provider] = await Promise.all([
    Provider.start('pushing', { RELATA_ALLOW_PRIVATE_URLS: '1', RELATA_THREADS: '1', RELATA_DEMO: '0' }),
    once(server, 'listening'),
  ]);
  client = await provider.client({ scopes: ['ssf.manage'] });
  key = await provider.token(client);
}, 60_000);
afterAll(async () => {
  await provider.stop();
  server.closeAllConnections();
  server.close();
});

const ssf = (method: string, path: string, body?: unknown) =>
  provider.organization.service.call(method, `/orgs/pushing/api/v1/ssf${path}`, {
    key,
    ...(body === undefined ? {} : { body }),
  });

const received = async ({ body }: Pushed) => {
  const keys = createRemoteJWKSet(new URL(`${provider.api}/oauth/jwks`));
  const { payload } = await jwtVerify(body, keys, {
    issuer: provider.issuer,
    audience: client.id,
    typ: 'secevent+jwt',
    algorithms: ['RS256'],
  });
  return payload;
};

describe('push delivery (RFC 8935)', () => {
  test('events arrive signed, with the header of the receiver', async () => {
    const { port } = server.address() as AddressInfo;
    const authorization = 'Bearer of-the-receiver';
    const delivery = {
      method: push,
      endpoint_url: `http://127.0.0.1:${port}/events`,
      authorization_header: authorization,
    };
    const made = await ssf('POST', '/stream', { delivery });
    expect([made.status, JSON.stringify(made.body)]).toEqual([201, expect.not.stringContaining('of-the-receiver')]);
    const id = made.text('stream_id');
    expect((await ssf('POST', '/verify', { stream_id: id, state: 'a state' })).status).toBe(204);
    await until(() => pushed.length === 1);
    const [first] = pushed as [Pushed];
    expect(first.headers).toMatchObject({ authorization, 'content-type': 'application/secevent+jwt' });
    expect(await received(first)).toMatchObject({
      events: { [verification]: { state: 'a state' } },
      sub_id: { format: 'opaque', id },
    });

    const user = await provider.organization.post('/admin/users', { email: 'pushed@example.com' });
    const userId = user.text('data.id');
    await provider.organization.post(`/admin/users/${userId}/block`, {});
    await until(() => pushed.length === 2);
    const event = await received(pushed[1] as Pushed);
    expect(Object.keys(event.events as object)).toEqual([`${risc}/account-disabled`]);
    expect(event).not.toHaveProperty('exp');

    // paused, it keeps what happens
    expect((await ssf('POST', '/status', { stream_id: id, status: 'paused' })).status).toBe(200);
    await provider.organization.post(`/admin/users/${userId}/unblock`, {});
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(pushed).toHaveLength(2);
    expect((await ssf('POST', '/status', { stream_id: id, status: 'enabled' })).status).toBe(200);
    await until(() => pushed.length === 3);
    expect(Object.keys((await received(pushed[2] as Pushed)).events as object)).toEqual([`${risc}/account-enabled`]);

    // a client that is gone gets nothing more
    expect((await provider.organization.call('DELETE', `/admin/clients/${client.id}`)).status).toBeLessThan(300);
    await provider.organization.post(`/admin/users/${userId}/block`, {});
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(pushed).toHaveLength(3);
  }, 60_000);
});
