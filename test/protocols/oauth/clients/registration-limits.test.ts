import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClientRecord, clientRecords } from '../../../../src/protocols/oauth/clients/index.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { basic, ClientScene } from './scene.ts';

let service: InProcessService;
let scene: ClientScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_EXPENSIVE: '200' });
});
beforeEach(async () => {
  service.clock.advance(60_000);
  scene = new ClientScene(await service.organization(`many${++count}`));
  await scene.openRegistration();
});
afterAll(() => service.stop());

const redirects = { redirect_uris: ['https://app.example/cb'] };

async function registered(): Promise<{ readonly client_id: string; readonly client_secret: string }> {
  const answer = await scene.register('POST', '', redirects);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body as { client_id: string; client_secret: string };
}

test('too many registrations of one address are refused for a while', async () => {
  const statuses = new Set<number>();
  for (let n = 0; n < 220; n++) statuses.add((await scene.register('POST', '', {})).status);
  expect([...statuses]).toEqual([400, 429]);
  const { slug } = scene.org.organization;
  expect((await service.call('GET', `/orgs/${slug}/.well-known/openid-configuration`)).status).toBe(200);
  service.clock.advance(60_000);
  expect((await scene.register('POST', '', redirects)).status).toBe(201);
});

test('where there are too many clients, one that never came back gives way after a day, and no other', async () => {
  const { store } = scene.org.organization;
  const idle = await registered();
  const used = await registered();
  await scene.token({}, basic(used.client_id, used.client_secret));
  await service.clientUse.flush();
  const { document } = service.read(() => clientRecords.get(store, idle.client_id)) ?? {};
  const put = (place: number) => clientRecords.put(store, `copy-${place}`, document as ClientRecord);
  await service.submit(Array.from({ length: 9_998 }, (_, place) => put(place)));
  const full = await scene.register('POST', '', redirects);
  expect(full).toMatchObject({ status: 403, body: { error: 'access_denied' } });
  service.clock.advance(86_400_001);
  const [one, other] = [await registered(), await registered()];
  const there = (id: string) => service.read(() => clientRecords.get(store, id) !== undefined);
  expect([used, one, other].every(({ client_id }) => there(client_id))).toBe(true);
  expect(service.read(() => clientRecords.index(store).counted('#kind', 'dynamic'))).toBe(10_000);
  expect((await scene.call('GET', '/audit-logs?action=client.delete')).at('data.data.0.metadata.reason')).toBe(
    'never_used',
  );
});
