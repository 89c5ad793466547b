import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditedAs } from '../../src/kernel/audit/index.ts';
import { InProcessService } from '../identity/sessions/in-process-service.ts';
import { basic, ClientScene, type MadeClient } from '../protocols/oauth/clients/scene.ts';

let service: InProcessService;
let scene: ClientScene;
let client: MadeClient;

interface Shown {
  readonly action: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly ipAddress: string | null;
}

const found = async (query: string): Promise<readonly Shown[]> =>
  (await scene.call('GET', `/audit-logs?actorId=oauth_client:${client.id}&sortOrder=asc${query}`)).list(
    'data.data',
  ) as readonly Shown[];
const actions = (entries: readonly Shown[]) => entries.map(({ action }) => action).toSorted();

beforeAll(async () => {
  service = await InProcessService.start();
  scene = new ClientScene(await service.organization('names'));
  client = await scene.makeService({ permissions: ['roles.create'], scopes: ['roles.create'] });
  const token = (await scene.token({}, basic(client.id, client.clientSecret))).text('access_token');
  const made = await scene.call('POST', '/roles', { name: 'Reader', slug: 'reader' }, token);
  expect(made).toMatchObject({ status: 201 });
  expect((await scene.form('/oauth/revoke', { token }, basic(client.id, client.clientSecret))).status).toBe(200);
});
afterAll(() => service.stop());

test('a client has one name in the audit log, whatever it does', async () => {
  const entries = await found('');
  expect(actions(entries)).toEqual(['role.create', 'token.issue', 'token.revoke']);
  expect(new Set(entries.map(({ actorType, actorId }) => `${actorType} ${actorId}`))).toEqual(
    new Set([`admin oauth_client:${client.id}`]),
  );
});

test('what an earlier version has written of it is found with the rest, and erased with it', async () => {
  const { organization } = scene.org;
  const facts = { requestId: 'r', header: () => '', clientAddress: () => '192.0.2.1' };
  const { audit } = service.keyDependencies();
  const before = { type: 'agent', id: client.id } as const;
  await service.submit(
    auditedAs(audit, organization, before, facts, { eventType: 'token.issued', action: 'token.issue' }),
  );
  const all = ['role.create', 'token.issue', 'token.issue', 'token.revoke'];
  expect(actions(await found(''))).toEqual(all);
  expect(actions(await found('&action=token.issue&result=success'))).toEqual(['token.issue', 'token.issue']);
  expect(actions(await found('&search=token'))).toEqual(['token.issue', 'token.issue', 'token.revoke']);
  expect(actions(await found('&sortBy=action'))).toEqual(all);
  const erase = async (type: string, id: string) =>
    (await scene.call('POST', '/audit-logs/erasure', { type, id })).at('data.data.erasedEntries');
  expect(await erase('user', `oauth_client:${client.id}`)).toBe(0);
  expect(await erase('admin', `oauth_client:${client.id}`)).toBe(4);
  expect((await found('')).map(({ ipAddress }) => ipAddress)).toEqual(['', '', '', '']);
});
