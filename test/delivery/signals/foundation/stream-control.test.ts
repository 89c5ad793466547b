import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PushWorld } from '../push-world.ts';
import { caep, poll, push, Receiver } from '../transmitter-world.ts';
import { type Delivery, type Stream, SuiteReceiver } from './suite-receiver.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await PushWorld.start('foundation');
});
afterAll(() => world.stop());

const unknown = '01920000-0000-7000-8000-000000000000';
/** JSON that is cut off. */
const broken = '{"stream_id": ';

const valid = ({ client }: SuiteReceiver) => world.provider.token({ id: client.clientId, secret: client.secret });
const invalid = async (suite: SuiteReceiver) => `${(await valid(suite)).slice(0, -8)}AAAAAAAA`;

/** With a credential of its own, or none. */
function raw(method: string, path: string, key: string | undefined, body?: unknown) {
  const { service, organization } = world.provider;
  return service.call(method, `/orgs/${organization.organization.slug}/api/v1/ssf${path}`, {
    ...(key === undefined ? {} : { key }),
    ...(body === undefined ? {} : { body }),
  });
}

// the modules of `openid-ssf-transmitter-test-plan` of the OpenID Foundation's suite, by their names
describe.each(['push', 'poll'] as const)('SSF 1.0 Final, transmitter, %s', (delivery: Delivery) => {
  const open = () => SuiteReceiver.open(world, delivery);
  test('openid-ssf-transmitter-metadata', async () => {
    const { service, issuer } = world.provider;
    const address = new URL(issuer);
    const answer = await service.call('GET', `/.well-known/ssf-configuration${address.pathname}`);
    expect(answer.status).toBe(200);
    const metadata = answer.body as Readonly<Record<string, unknown>>;
    expect(metadata.issuer).toBe(issuer);
    expect(metadata.spec_version).toMatch(/^1_0/);
    const addresses = Object.entries(metadata).filter(([name]) => /_(?:uri|endpoint)$/.test(name));
    expect(addresses.map(([name]) => name).toSorted()).toEqual([
      'add_subject_endpoint',
      'configuration_endpoint',
      'jwks_uri',
      'remove_subject_endpoint',
      'status_endpoint',
      'verification_endpoint',
    ]);
    for (const [, value] of addresses) expect(value).toMatch(/^https:/);
    expect(metadata.delivery_methods_supported).toEqual([push, poll]);
    expect(metadata.default_subjects).toMatch(/^(?:ALL|NONE)$/);
    expect(metadata.authorization_schemes).toContainEqual({ spec_urn: 'urn:ietf:rfc:6749' });
    for (const value of Object.values(metadata)) expect(value).not.toEqual([]);
    const keys = await world.provider.keySet();
    expect(keys.some(({ kty, alg }) => kty === 'RSA' && alg === 'RS256')).toBe(true);
    for (const key of keys) for (const part of ['d', 'p', 'q']) expect(key).not.toHaveProperty(part);
  });

  test('openid-ssf-stream-control-happy-path', async () => {
    const suite = await open();
    const stream = await suite.stream();
    const { stream_id: id } = stream;
    const is = async (expected: object, absent: readonly string[] = []) => {
      const { status, body } = await suite.client.call('GET', `/stream?stream_id=${id}`);
      expect([status, body]).toMatchObject([200, { stream_id: id, iss: stream.iss, aud: stream.aud, ...expected }]);
      for (const name of absent) expect(body).not.toHaveProperty(name);
    };
    expect(stream.iss).toBe(world.provider.issuer);
    expect(stream.delivery.method).toBe(delivery === 'push' ? push : poll);
    const offered = [`${caep}/session-revoked`, `${caep}/credential-change`];
    expect(stream.events_delivered).toEqual(offered);
    await is({ events_delivered: offered, description: 'Stream of the suite' });

    const updated = { stream_id: id, description: 'Updated' };
    expect((await suite.client.call('PATCH', '/stream', updated)).status).toBe(200);
    await is({ ...updated, events_delivered: offered, delivery: stream.delivery });
    const replaced = { ...suite.config(), stream_id: id, description: 'Replaced' };
    expect((await suite.client.call('PUT', '/stream', replaced)).status).toBe(200);
    await is({ description: 'Replaced', delivery: stream.delivery });
    const { description: _, ...reduced } = { ...replaced, events_requested: [offered[0]] };
    expect((await suite.client.call('PUT', '/stream', reduced)).status).toBe(200);
    await is({ events_requested: [offered[0]], events_delivered: [offered[0]] }, ['description']);

    const read = await suite.client.call('GET', `/status?stream_id=${id}`);
    expect([read.status, read.body]).toEqual([200, { stream_id: id, status: 'enabled' }]);
    for (const status of ['enabled', 'paused', 'disabled'])
      expect(await suite.setStatus(stream, status)).toMatchObject({ status: 200, body: { stream_id: id, status } });
    expect((await suite.client.call('DELETE', `/stream?stream_id=${id}`)).status).toBe(204);
  });

  test('openid-ssf-stream-subject-control', async () => {
    const suite = await open();
    const { stream_id } = await suite.stream();
    const { email } = await world.provider.organization.newUser(`${delivery}-subject@example.com`);
    const subject = { format: 'email', email };
    const added = { stream_id, subject, verified: true };
    expect((await suite.client.call('POST', '/subjects/add', added)).status).toBe(200);
    expect((await suite.client.call('POST', '/subjects/remove', { stream_id, subject })).status).toBe(204);
  });

  test.each([
    ['openid-ssf-stream-control-error-create-stream-with-broken-input', 'POST', '/stream'],
    ['openid-ssf-stream-control-error-update-stream-with-invalid-body', 'PATCH', '/stream'],
    ['openid-ssf-stream-control-error-replace-stream-with-invalid-body', 'PUT', '/stream'],
    ['openid-ssf-transmitter-stream-verification-error-invalid-body', 'POST', '/verify'],
  ])('%s', async (_, method, path) => {
    const suite = await open();
    expect((await raw(method, path, await valid(suite), broken)).status).toBe(400);
  });

  /** The requests about a stream, by what is done. */
  const about = (suite: SuiteReceiver, { stream_id }: Pick<Stream, 'stream_id'>) =>
    ({
      create: ['POST', '/stream', suite.config()],
      read: ['GET', `/stream?stream_id=${stream_id}`],
      status: ['GET', `/status?stream_id=${stream_id}`],
      update: ['PATCH', '/stream', { stream_id, description: 'x' }],
      replace: ['PUT', '/stream', { ...suite.config(), stream_id }],
      delete: ['DELETE', `/stream?stream_id=${stream_id}`],
      verify: ['POST', '/verify', { stream_id, state: 'x' }],
    }) as const satisfies Readonly<Record<string, readonly [string, string, object?]>>;

  test.each([
    ['openid-ssf-stream-control-error-create-stream-with-invalid-token', 'create'],
    ['openid-ssf-stream-control-error-read-stream-with-invalid-token', 'read'],
    ['openid-ssf-stream-control-error-read-stream-status-with-invalid-token', 'status'],
    ['openid-ssf-stream-control-error-update-stream-with-invalid-token', 'update'],
    ['openid-ssf-stream-control-error-replace-stream-with-invalid-token', 'replace'],
    ['openid-ssf-stream-control-error-delete-stream-with-invalid-token', 'delete'],
    ['openid-ssf-transmitter-stream-verification-error-invalid-token', 'verify'],
  ] as const)('%s', async (_, what) => {
    const suite = await open();
    const [method, path, body] = about(suite, await suite.stream())[what];
    const { status, headers } = await raw(method, path, await invalid(suite), body);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer.*error="invalid_token"/);
  });

  test.each([
    ['openid-ssf-stream-control-error-read-unknown-stream', 'read'],
    ['openid-ssf-stream-control-error-read-status-of-unknown-stream', 'status'],
    ['openid-ssf-stream-control-error-update-unknown-stream', 'update'],
    ['openid-ssf-stream-control-error-replace-unknown-stream', 'replace'],
    ['openid-ssf-stream-control-error-delete-unknown-stream', 'delete'],
    ['openid-ssf-transmitter-stream-verification-error-unknown-stream', 'verify'],
  ] as const)('%s', async (_, what) => {
    const suite = await open();
    const [method, path, body] = about(suite, { stream_id: unknown })[what];
    const answer = await suite.client.call(method, path, body);
    expect([answer.status, answer.text('detail')]).toEqual([404, 'The client has no stream with this id.']);
  });

  test('openid-ssf-stream-control-error-create-stream-with-duplicate-config', async () => {
    const suite = await open();
    const [one, other] = [await suite.stream(), await suite.stream()];
    expect(other.stream_id).not.toBe(one.stream_id);
  });

  test('openid-ssf-stream-control-error-create-stream-with-read-only-token', async () => {
    const reader = await Receiver.open(world.provider, ['ssf.read']);
    const { status, headers } = await reader.call('POST', '/stream', {});
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer.*error="insufficient_scope"/);
  });

  test('openid-ssf-stream-control-error-read-stream-without-token', async () => {
    const suite = await open();
    const { stream_id } = await suite.stream();
    const { status, headers } = await raw('GET', `/stream?stream_id=${stream_id}`, undefined);
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)]);
  });

  test('openid-ssf-stream-control-error-token-in-uri-query', async () => {
    const suite = await open();
    const { stream_id } = await suite.stream();
    const query = `stream_id=${stream_id}&access_token=${await valid(suite)}`;
    expect((await raw('GET', `/stream?${query}`, undefined)).status).toBe(401);
  });
});

describe('SSF 1.0 Final, transmitter, poll', () => {
  const open = () => SuiteReceiver.open(world, 'poll');

  test('openid-ssf-stream-control-create-stream-without-delivery', async () => {
    const suite = await open();
    const { delivery: _, ...config } = suite.config() as Readonly<Record<string, unknown>>;
    const made = await suite.client.call('POST', '/stream', config);
    expect(made).toMatchObject({
      status: 201,
      body: { delivery: { method: poll, endpoint_url: expect.stringMatching(/^https:/) } },
    });
  });

  test('openid-ssf-transmitter-poll-endpoint-authorization', async () => {
    const suite = await open();
    const { stream_id } = await suite.stream();
    const asked = async (key?: string) => raw('POST', `/poll/${stream_id}`, key, { returnImmediately: true });
    const [none, wrong] = [await asked(), await asked(await invalid(suite))];
    expect([none.status, wrong.status]).toEqual([401, 401]);
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer.*error="invalid_token"/);
  });

  test('openid-ssf-transmitter-poll-endpoint-url-unique-per-stream', async () => {
    const suite = await open();
    const [one, other] = [await suite.stream(), await suite.stream()];
    expect(other.delivery.endpoint_url).not.toBe(one.delivery.endpoint_url);
  });
});
