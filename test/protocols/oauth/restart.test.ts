import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextPort } from '../../server/next-port.ts';
import { Organization, RunningService } from '../../server/running-service.ts';
import { Provider } from './world.ts';

let environment: Readonly<Record<string, string>>;
let service: RunningService;

beforeAll(async () => {
  const port = await nextPort();
  environment = { RELATA_THREADS: '1', RELATA_PORT: String(port), RELATA_BASE_URL: `http://127.0.0.1:${port}` };
  service = await RunningService.start(environment);
});
afterAll(() => service.remove());

test('keys and tokens outlive a restart, with the issuer of the configuration', async () => {
  const before = new Provider(await service.organization('lasting'));
  const client = await before.client({ scopes: ['a'] });
  const token = await before.token(client);
  const path = '/orgs/lasting/api/v1/oauth/jwks';
  const keySet = (await service.call('GET', path)).body;
  await service.stop();
  service = await RunningService.start(environment, service.folder);
  const after = new Provider(new Organization(service, 'lasting', before.organization.key));
  expect((await service.call('GET', path)).body).toEqual(keySet);
  expect((await after.withToken('GET', '/authz/permissions', token)).status).toBe(200);
  const found = await service.call('GET', '/orgs/lasting/.well-known/openid-configuration');
  expect(found.at('issuer')).toBe(`${environment.RELATA_BASE_URL}/orgs/lasting`);
});
