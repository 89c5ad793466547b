import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import { core, enterprise, groupUrn } from '../people.ts';

const baseUrl = 'https://id.example.test';
let service: InProcessService;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_BASE_URL: baseUrl });
  const { key } = await service.organization('described');
  await service.call('PATCH', '/orgs/described/api/v1/admin/settings/scim', { key, body: { enabled: true } });
  await service.organization('unprovisioned');
});
afterAll(() => service.stop());

const ask = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(service.url + path, { headers });

/** What an answer says, whose form is that of the protocol. */
async function read(response: Response): Promise<Readonly<Record<string, unknown>>> {
  expect(response.headers.get('content-type')).toBe('application/scim+json');
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

describe.each(['/t/described/scim/v2', '/orgs/described/scim2.0'])('the descriptions of the service at %s', (base) => {
  test.each([
    ['/ServiceProviderConfig', '/ServiceProviderConfig'],
    ['/serviceConfiguration', '/ServiceProviderConfig'],
    ['/ResourceTypes/User', '/ResourceTypes/User'],
    ['/ResourceTypes/Group', '/ResourceTypes/Group'],
    [`/Schemas/${core}`, `/Schemas/${core}`],
    [`/Schemas/${encodeURIComponent(enterprise)}`, `/Schemas/${enterprise}`],
    [`/Schemas/${groupUrn}`, `/Schemas/${groupUrn}`],
  ])('%s is read without a credential, and says where it stands', async (path, location) => {
    const response = await ask(base + path);
    expect(response.status).toBe(200);
    expect((await read(response)).meta).toMatchObject({ location: baseUrl + base + location });
  });

  test.each([
    ['/ResourceTypes', 2],
    ['/Schemas', 3],
  ])('%s is a list without pages', async (path, count) => {
    const list = await read(await ask(`${base}${path}?startIndex=2&count=1&sortBy=id`));
    expect(list).toMatchObject({ totalResults: count, itemsPerPage: count, startIndex: 1 });
    expect(list.Resources).toHaveLength(count);
  });

  test('addresses do not come from what a client says of the host', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    expect(await (await ask(`${base}/ResourceTypes`, headers)).text()).not.toContain('evil');
  });

  test.each([
    ['a filter', `${base}/Schemas?filter=name%20eq%20%22User%22`, '403'],
    ['an unknown schema', `${base}/Schemas/urn:nothing`, '404'],
    ['an unknown type', `${base}/ResourceTypes/Device`, '404'],
    ['an unknown organization', `${base.replace('described', 'nobody')}/ServiceProviderConfig`, '404'],
  ])('%s is answered with an error of the protocol', async (_, path, status) => {
    const response = await ask(path);
    expect(response.status).toBe(Number(status));
    expect(await read(response)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status,
      detail: expect.any(String),
    });
  });
});

test('an organization without SCIM says nothing', async () => {
  for (const slug of ['unprovisioned', 'nobody']) {
    const response = await ask(`/t/${slug}/scim/v2/ServiceProviderConfig`);
    expect(response.status).toBe(404);
    expect(await read(response)).toMatchObject({ status: '404' });
  }
});
