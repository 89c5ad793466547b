import { afterAll, beforeAll, expect, test } from 'vitest';
import { group, type Provisioned, provision, user } from '../protocols/scim/provisioning/organization.ts';
import { InFamily } from '../server/in-family.ts';
import { RunningService } from '../server/running-service.ts';
import { scimRequests } from './scim-requests.ts';

let service: RunningService;
let org: Provisioned;
let id: string;
let before: string;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_LIMIT_RATE_REFUSED: '0' });
  org = await provision(new InFamily(await service.organization('acme'), 'org'));
  ({ id } = await org.make('/Users', user('ada')));
  await org.make('/Groups', group('Sales', id));
  before = await state();
});
afterAll(() => service.remove());

const state = async () => {
  const lists = [await org.send('GET', '/Users?sortBy=userName'), await org.send('GET', '/Groups')];
  return JSON.stringify(lists.map(({ body }) => body));
};

test('the table tells each request once', () => {
  expect(scimRequests.length).toBeGreaterThanOrEqual(90);
  expect(new Set(scimRequests.map(({ name }) => name)).size).toBe(scimRequests.length);
});

test.each(scimRequests)('$name', async ({ method = 'POST', path, body, raw, status, scimType }) => {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${service.url}/orgs/acme/scim2.0${path.replace('{id}', id)}`, {
    method,
    headers: {
      authorization: `Bearer ${org.token}`,
      ...(method === 'GET' ? {} : { 'content-type': 'application/scim+json' }),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const error = (await response.json()) as Readonly<Record<string, unknown>>;
  expect(error).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) });
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/scim+json');
  expect(String(error.detail).length).toBeGreaterThan(10);
  if (scimType !== undefined) expect(error.scimType).toBe(scimType);
});

test('nothing of it changed users or groups, and nothing failed inside', async () => {
  expect(await state()).toBe(before);
  const metrics = String((await service.call('GET', '/metrics')).body);
  expect(metrics).not.toMatch(/relata_http_requests_total\{[^}]*status="5xx"\} [1-9]/);
});
