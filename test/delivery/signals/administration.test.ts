import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { caep, Receiver, risc, streamUpdated, subjectOf } from './transmitter-world.ts';

const path = '/admin/signals/streams';

let provider: ClockedProvider;
let receiver: Receiver;
let count = 0;

beforeAll(async () => {
  provider = await ClockedProvider.start('first');
});
beforeEach(async () => {
  receiver = await Receiver.open(await provider.neighbour(`streams${++count}`));
});
afterAll(() => provider.service.stop());

const block = (userId: string) => receiver.organization.org('POST', `/admin/users/${userId}/block`, { body: {} });
const left = () => {
  const { name } = receiver.organization.organization.store;
  const kinds = ['signal_streams', 'signal_subjects', 'signal_events', 'signal_positions'];
  return kinds.map((kind) => provider.service.idsOf(name, kind).length);
};

describe('streams as administrators see them', () => {
  test.each(['tenant', 'org'] as const)('listed, shown and deleted in the %s family', async (family) => {
    const { organization } = receiver;
    const id = await receiver.stream({ description: 'Of the app', events_requested: [`${caep}/session-revoked`] });
    const other = await receiver.stream();
    const user = await organization.newUser('a@example.com');
    await block(user.id);
    await receiver.take(other, false);
    const one = family === 'tenant' ? 'data' : 'data.data';
    const list = await organization[family]('GET', `${path}?sortBy=createdAt&sortOrder=asc`);
    expect(list.status).toBe(200);
    expect(list.at(one)).toMatchObject([
      { id, clientId: receiver.clientId, clientName: 'A program', method: 'poll', status: 'enabled', waitingCount: 0 },
      { id: other, waitingCount: 1 },
    ]);
    const found = await organization[family]('GET', `${path}?search=of%20the%20app`);
    expect(found.at(one)).toMatchObject([{ id, events: [`${caep}/session-revoked`], description: 'Of the app' }]);
    expect((await organization[family]('GET', `${path}/${id}`)).at(one)).toMatchObject({ id, deliveredCount: 0 });
    expect((await organization[family]('DELETE', `${path}/${other}`)).status).toBe(204);
    expect((await organization[family]('DELETE', `${path}/${other}`)).status).toBe(404);
    expect((await receiver.poll(other)).status).toBe(404);
    expect(left()).toEqual([1, 0, 0, 1]);
    const logged = await organization.org('GET', `/admin/audit-logs?action=signal_stream.delete&targetId=${other}`);
    expect(logged.at('data.data')).toHaveLength(1);
  });

  test('need the right, and are those of the organization', async () => {
    const id = await receiver.stream();
    const { organization } = receiver;
    const body = { status: 'disabled' };
    const reader = await organization.newKey('settings.read');
    expect((await organization.tenant('GET', path, { key: reader })).status).toBe(200);
    expect((await organization.tenant('DELETE', `${path}/${id}`, { key: reader })).status).toBe(403);
    expect((await organization.tenant('PATCH', `${path}/${id}`, { key: reader, body })).status).toBe(403);
    const neighbour = (await provider.neighbour(`streams-other${count}`)).organization;
    expect((await neighbour.tenant('GET', path)).at('data')).toEqual([]);
    for (const method of ['GET', 'DELETE']) expect((await neighbour.tenant(method, `${path}/${id}`)).status).toBe(404);
    expect((await neighbour.tenant('PATCH', `${path}/${id}`, { body })).status).toBe(404);
    expect((await organization.tenant('PATCH', `${path}/${id}`, { body: { status: 'paused' } })).status).toBe(400);
  });
});

describe('stream-updated', () => {
  const set = (id: string, body: object) => receiver.organization.tenant('PATCH', `${path}/${id}`, { body });

  test('is all that a polled stream has which an administrator has disabled, and comes when it is enabled', async () => {
    const id = await receiver.stream();
    const user = await receiver.organization.newUser('a@example.com');
    await block(user.id);
    await receiver.take(id, false);
    expect((await set(id, { status: 'disabled', reason: 'no contract' })).status).toBe(200);
    const [event, ...more] = await receiver.take(id);
    expect([event?.events, event?.sub_id, more]).toEqual([
      { [streamUpdated]: { status: 'disabled', reason: 'no contract' } },
      { format: 'opaque', id },
      [],
    ]);
    await receiver.organization.org('POST', `/admin/users/${user.id}/unblock`, { body: {} });
    expect(await receiver.take(id)).toEqual([]);
    await set(id, { status: 'enabled' });
    await block(user.id);
    const types = (await receiver.take(id)).flatMap(({ events }) => Object.keys(events));
    expect(types.toSorted()).toEqual([`${risc}/account-disabled`, streamUpdated].toSorted());
  });

  test('is not sent for what the receiver has asked for, nor where nothing changes', async () => {
    const id = await receiver.stream();
    await receiver.call('POST', '/status', { stream_id: id, status: 'paused' });
    await receiver.call('POST', '/status', { stream_id: id, status: 'enabled' });
    await set(id, { status: 'enabled' });
    expect(await receiver.take(id)).toEqual([]);
  });
});

describe('what is gone takes along', () => {
  test('a user the words about the user', async () => {
    const id = await receiver.stream();
    const user = await receiver.organization.newUser('a@example.com');
    const subject = subjectOf(receiver.provider, user);
    expect((await receiver.call('POST', '/subjects/remove', { stream_id: id, subject })).status).toBe(204);
    expect(left()).toEqual([1, 1, 0, 1]);
    expect((await receiver.organization.org('DELETE', `/admin/users/${user.id}`)).status).toBe(204);
    expect(left()).toEqual([1, 0, 0, 1]);
  });

  test('a client its streams, with all that belongs to them', async () => {
    const stays = await Receiver.open(receiver.provider);
    await stays.stream();
    const id = await receiver.stream();
    await receiver.stream();
    const user = await receiver.organization.newUser('a@example.com');
    await receiver.call('POST', '/subjects/add', { stream_id: id, subject: subjectOf(receiver.provider, user) });
    await block(user.id);
    await receiver.take(id, false);
    expect(left()).toEqual([3, 1, 1, 3]);
    const gone = await receiver.organization.tenant('DELETE', `/admin/clients/${receiver.clientId}`);
    expect(gone.status).toBe(204);
    await provider.service.sweep();
    expect(left()).toEqual([1, 0, 0, 1]);
  });
});
