import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { caep, poll, push, Receiver, risc } from './transmitter-world.ts';

const supported = [
  `${caep}/session-revoked`,
  `${caep}/credential-change`,
  `${risc}/account-disabled`,
  `${risc}/account-enabled`,
  `${risc}/account-purged`,
];

let provider: ClockedProvider;
let receiver: Receiver;

beforeAll(async () => {
  provider = await ClockedProvider.start('signals', { RELATA_ALLOW_PRIVATE_URLS: 'false' });
  receiver = await Receiver.open(provider);
});
afterAll(() => provider.service.stop());

describe('transmitter metadata', () => {
  test('is found in front of the issuer’s path and behind it, and says what is served', async () => {
    for (const path of ['/.well-known/ssf-configuration/orgs/signals', '/orgs/signals/.well-known/ssf-configuration']) {
      const { status, body } = await provider.service.call('GET', path);
      const base = `${provider.issuer}/api/v1/ssf`;
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          spec_version: '1_0',
          issuer: provider.issuer,
          jwks_uri: `${provider.issuer}/api/v1/oauth/jwks`,
          delivery_methods_supported: [push, poll],
          configuration_endpoint: `${base}/stream`,
          status_endpoint: `${base}/status`,
          add_subject_endpoint: `${base}/subjects/add`,
          remove_subject_endpoint: `${base}/subjects/remove`,
          verification_endpoint: `${base}/verify`,
          critical_subject_members: ['user', 'session', 'tenant'],
          authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
          default_subjects: 'ALL',
        },
      });
    }
    expect((await provider.service.call('GET', '/.well-known/ssf-configuration/orgs/none')).status).toBe(404);
  });
});

describe('stream configuration', () => {
  test('create and read a polled stream', async () => {
    const made = await receiver.call('POST', '/stream', { events_requested: [supported[0], 'urn:other'] });
    const id = made.text('stream_id');
    const expected = {
      stream_id: id,
      iss: provider.issuer,
      aud: receiver.clientId,
      events_supported: supported,
      events_requested: [supported[0], 'urn:other'],
      events_delivered: [supported[0]],
      delivery: { method: poll, endpoint_url: `${provider.issuer}/api/v1/ssf/poll/${id}` },
      min_verification_interval: 30,
    };
    expect(made).toMatchObject({ status: 201, body: expected });
    expect((await receiver.call('GET', `/stream?stream_id=${id}`)).body).toEqual(expected);
    expect((await receiver.call('GET', '/stream')).body).toEqual([expected]);
    // what was read can be sent back
    expect((await receiver.call('PUT', '/stream', expected)).body).toEqual(expected);
    expect((await receiver.call('DELETE', `/stream?stream_id=${id}`)).status).toBe(204);
    expect((await receiver.call('GET', `/stream?stream_id=${id}`)).status).toBe(404);
    expect((await receiver.call('GET', '/stream')).body).toEqual([]);
  });

  test('update keeps what is not said, and replace does not', async () => {
    const id = await receiver.stream({ events_requested: [supported[1]], description: 'First' });
    const updated = await receiver.call('PATCH', '/stream', { stream_id: id, description: 'Second' });
    expect(updated.body).toMatchObject({ description: 'Second', events_delivered: [supported[1]] });
    const replaced = await receiver.call('PUT', '/stream', { stream_id: id });
    expect(replaced.body).toMatchObject({ events_delivered: supported });
    expect(replaced.body).not.toHaveProperty('description');
    expect(replaced.body).not.toHaveProperty('events_requested');
    await receiver.call('DELETE', `/stream?stream_id=${id}`);
  });

  test('the header of a receiver is sealed and never shown, and does not go to another address', async () => {
    const secret = 'Bearer the-secret-of-the-receiver';
    const delivery = { method: push, endpoint_url: 'https://receiver.example/events', authorization_header: secret };
    const made = await receiver.call('POST', '/stream', { delivery });
    expect(made.status).toBe(201);
    expect(JSON.stringify(made.body)).not.toContain(secret);
    expect(provider.service.everythingStored()).not.toContain(secret);
    await receiver.call('DELETE', `/stream?stream_id=${made.text('stream_id')}`);
  });

  test.each([
    { name: 'a plain address', delivery: { method: push, endpoint_url: 'http://receiver.example/' } },
    { name: 'a user name', delivery: { method: push, endpoint_url: 'https://a:b@receiver.example/' } },
    { name: 'a private address', delivery: { method: push, endpoint_url: 'https://10.0.0.1/' } },
    { name: 'no address', delivery: { method: push } },
    { name: 'an address for polling', delivery: { method: poll, endpoint_url: 'https://receiver.example/' } },
    { name: 'a header for polling', delivery: { method: poll, authorization_header: 'x' } },
    {
      name: 'a header of two lines',
      delivery: { method: push, endpoint_url: 'https://receiver.example/', authorization_header: 'a\r\nb: c' },
    },
    { name: 'an unknown method', delivery: { method: 'urn:other' } },
  ])('refuses $name', async ({ delivery }) => {
    const answer = await receiver.call('POST', '/stream', { delivery });
    expect({ status: answer.status, at: JSON.stringify(answer.body) }).toEqual({
      status: 400,
      at: expect.stringContaining('delivery'),
    });
  });

  test('refuses what the transmitter says differently', async () => {
    const id = await receiver.stream();
    for (const method of ['PATCH', 'PUT']) {
      const answer = await receiver.call(method, '/stream', { stream_id: id, aud: 'other' });
      expect(answer.status).toBe(400);
    }
    await receiver.call('DELETE', `/stream?stream_id=${id}`);
  });

  test('a client has ten streams at most, also where they are made at once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => receiver.call('POST', '/stream', {})));
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(10).fill(201), 422, 422]);
    for (const { status, body } of made) {
      if (status === 201)
        await receiver.call('DELETE', `/stream?stream_id=${(body as { stream_id: string }).stream_id}`);
    }
  });

  test('every change is audited', async () => {
    const id = await receiver.stream();
    await receiver.call('PATCH', '/stream', { stream_id: id, description: 'a' });
    await receiver.call('POST', '/status', { stream_id: id, status: 'paused' });
    await receiver.call('DELETE', `/stream?stream_id=${id}`);
    const { body } = await provider.organization.org('GET', `/admin/audit-logs?targetId=${id}`, {
      key: provider.organization.key,
    });
    for (const verb of ['create', 'update', 'set_status', 'delete'])
      expect(JSON.stringify(body)).toContain(`signal_stream.${verb}`);
  });
});

describe('unauthorized', () => {
  test('no token, a key and a token without the scope', async () => {
    const { organization } = provider;
    expect((await provider.service.call('GET', '/orgs/signals/api/v1/ssf/stream')).status).toBe(401);
    expect((await organization.org('GET', '/ssf/stream', { key: 'eyJh.e30.AA' })).status).toBe(401);
    expect((await organization.org('GET', '/ssf/stream', { key: organization.key })).status).toBe(403);
    const other = await Receiver.open(provider, ['things']);
    expect((await other.call('GET', '/stream')).status).toBe(403);
    expect((await other.call('POST', '/stream', {})).status).toBe(403);
  });

  test('who reads does not manage', async () => {
    const reader = await Receiver.open(provider, ['ssf.read']);
    expect((await reader.call('GET', '/stream')).body).toEqual([]);
    const refused = await reader.call('POST', '/stream', {});
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toContain('scope="ssf.manage"');
  });

  test('a client that no longer has the scope is out at once, and its token opens nothing else', async () => {
    const leaving = await Receiver.open(provider);
    const id = await leaving.stream();
    const key = await provider.token({ id: leaving.clientId, secret: leaving.secret });
    expect((await provider.organization.org('GET', '/authz/permissions', { key })).status).toBe(403);
    await provider.organization.tenant('PUT', `/admin/clients/${leaving.clientId}`, {
      key: provider.organization.key,
      body: { scopes: [] },
    });
    expect((await leaving.call('GET', `/stream?stream_id=${id}`)).status).toBe(403);
  });

  test('another client and another organization see nothing of a stream', async () => {
    const id = await receiver.stream();
    const stranger = await Receiver.open(provider);
    const neighbour = await Receiver.open(await provider.neighbour('signals2'));
    for (const each of [stranger, neighbour]) {
      expect((await each.call('GET', `/stream?stream_id=${id}`)).status).toBe(404);
      expect((await each.call('GET', `/status?stream_id=${id}`)).status).toBe(404);
      expect((await each.call('PATCH', '/stream', { stream_id: id })).status).toBe(404);
      expect((await each.call('PUT', '/stream', { stream_id: id })).status).toBe(404);
      expect((await each.call('POST', '/status', { stream_id: id, status: 'disabled' })).status).toBe(404);
      expect((await each.call('POST', '/verify', { stream_id: id })).status).toBe(404);
      expect((await each.poll(id)).status).toBe(404);
      expect((await each.call('DELETE', `/stream?stream_id=${id}`)).status).toBe(404);
      expect((await each.call('GET', '/stream')).body).toEqual([]);
    }
    await receiver.call('DELETE', `/stream?stream_id=${id}`);
  });

  test('the scopes are given by administrators alone: no scope is called so', async () => {
    for (const name of ['ssf.read', 'SSF.manage']) {
      const made = await provider.admin('POST', '/admin/scopes', { name });
      expect(made.status).toBe(422);
    }
  });
});
