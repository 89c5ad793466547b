import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminKeys, KeyCallers } from '../../../src/access/guard/key-callers.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('callers');
});
afterAll(() => service.stop());

test('a key that was looked up is remembered, until it is revoked', async () => {
  const callers = new KeyCallers(service.keyDependencies(), adminKeys);
  const keys = [org.key, await org.newKey('users.read')];
  const recalled = () => service.read(() => keys.map((key) => callers.recall(org.organization, key)?.id));
  expect(recalled()).toEqual([undefined, undefined]);
  const ids = service.read(() => keys.map((key) => callers.load(org.organization, key)?.id));
  expect(recalled()).toEqual(ids);
  expect((await org.tenant('DELETE', `/admin/api-keys/${ids[1]}`)).status).toBe(204);
  expect(recalled()).toEqual([ids[0], undefined]);
});
