import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventRecords } from '../../../../src/kernel/events/index.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { basic, ClientScene } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  scene = new ClientScene(await service.organization(`commits${++count}`));
});
afterAll(() => service.stop());

/** What the organization's commits were while something was done. */
async function commitsOf(act: () => Promise<unknown>) {
  const { store } = scene.org.organization;
  const before = service.read(() => store.revision());
  await act();
  const { changes } = service.read(() => store.changes(before, 100));
  return changes.map((commit) => ({ ...commit, events: eventsIn(commit) }));
}

/** The events that a commit put on record. */
function eventsIn({ records }: { readonly records: readonly { readonly collection: string; readonly id: string }[] }) {
  const { store } = scene.org.organization;
  const ids = records.filter(({ collection }) => collection === eventRecords.collection).map(({ id }) => id);
  return service.read(() => ids.map((id) => eventRecords.get(store, id)?.document));
}

const about = (id: unknown, registration: string) => ({
  client: {
    id,
    clientId: id,
    name: expect.any(String),
    type: 'confidential',
    registration,
    grantTypes: expect.any(Array),
  },
});
const event = (type: string, data: unknown) => ({ id: expect.any(String), type, createdAt: expect.any(Number), data });

test('creating a client is one commit: record, tuples, audit entry and event', async () => {
  const [commit, ...more] = await commitsOf(() => scene.makeService({ permissions: ['users.read'] }));
  expect(more).toEqual([]);
  expect(commit?.tuples).toHaveLength(1);
  const [id] = commit?.records.flatMap((each) => (each.collection === 'clients' ? [each.id] : [])) ?? [];
  expect(commit?.records.map(({ collection }) => collection)).toEqual(
    expect.arrayContaining(['clients', 'audit_entries']),
  );
  expect(commit?.events).toEqual([event('client.created', about(id, 'admin'))]);
});

test('deleting it is one commit too, with its tuples and the end of its tokens', async () => {
  const { id, clientSecret } = await scene.makeService({ permissions: ['users.read'] });
  await scene.token({}, basic(id, clientSecret));
  const [commit, ...more] = await commitsOf(() => scene.call('DELETE', `/clients/${id}`));
  expect(more).toEqual([]);
  expect(commit?.tuples).toMatchObject([{ op: 'delete' }]);
  expect(commit?.records).toEqual(
    expect.arrayContaining([
      { collection: 'clients', id, op: 'delete' },
      { collection: 'session_epochs', id: `client:${id}`, op: 'put' },
    ]),
  );
  expect(commit?.events).toEqual([event('client.deleted', { ...about(id, 'admin'), reason: 'deleted' })]);
});

test('a registration and its end tell the same', async () => {
  await scene.openRegistration();
  const body = { redirect_uris: ['https://app.example/cb'] };
  let id = '';
  let token = '';
  const [made] = await commitsOf(async () => {
    const answer = await scene.register('POST', '', body);
    id = answer.text('client_id');
    token = answer.text('registration_access_token');
  });
  expect(made?.events).toEqual([event('client.created', about(id, 'dynamic'))]);
  const [ended] = await commitsOf(() => scene.register('DELETE', `/${id}`, undefined, token));
  expect(ended?.events).toEqual([event('client.deleted', { ...about(id, 'dynamic'), reason: 'withdrawn' })]);
});

test('a change that changes nothing is no commit', async () => {
  const { id } = await scene.make();
  expect(await commitsOf(() => scene.call('PATCH', `/clients/${id}`, { name: 'Client' }))).toEqual([]);
  expect(await commitsOf(() => scene.call('PUT', `/clients/${id}`, {}))).toEqual([]);
});
