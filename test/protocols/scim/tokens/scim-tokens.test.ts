import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, Organization, type Service } from '../../../server/running-service.ts';
import { sharedService } from '../../../server/shared-service.ts';

let service: Service;
let org: Organization;
let count = 0;

beforeAll(async () => {
  service = await sharedService();
});
beforeEach(async () => {
  org = await service.organization(`scimtokens${++count}`);
});

const all = '/admin/settings/scim/tokens';
const year = 365 * 86_400_000;
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
const view = {
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  name: 'Entra ID',
  maskedToken: expect.stringMatching(/^rlt_scim_\*\*\*\*\w{4}$/),
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  createdBy: expect.stringMatching(/^api_key:/),
  expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  rotatedAt: null,
  lastUsedAt: null,
};
const token = expect.stringMatching(/^rlt_scim_[0-9A-Za-z]{27,}$/);

const families = [
  { family: 't', data: 'data', wrapped: (item: object) => ({ data: item, message: expect.any(String) }) },
  { family: 'orgs', data: 'data.data', wrapped: (item: object) => ({ data: { data: item } }) },
] as const;

describe.each(families)('below /$family', ({ family, data, wrapped }) => {
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `/${family}/${org.slug}/api/v1${path}`, { key: org.key, body });
  const made = async (body: object = { name: 'Entra ID' }) => (await call('POST', all, body)).at(data) as Made;

  test('a token is shown once, when it is made and when it is rotated', async () => {
    const created = await call('POST', all, { name: 'Entra ID' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual(wrapped({ ...view, token }));
    const { id, token: text } = created.at(data) as Made;
    const path = `${all}/${id}`;
    expect((await call('GET', path)).at(data)).toEqual(view);
    const rotated = await call('POST', `${path}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.at(data)).toEqual({ ...view, token, rotatedAt: expect.any(String) });
    const { token: fresh } = rotated.at(data) as Made;
    expect(fresh).not.toBe(text);
    for (const answer of [await call('GET', all), await call('GET', path), await call('GET', '/admin/audit-logs')]) {
      expect(JSON.stringify(answer.body)).not.toMatch(/rlt_scim_[0-9A-Za-z]/);
    }
  });

  test('several are there at once, and are listed, found and revoked', async () => {
    const tokens = [await made({ name: 'Entra ID' }), await made({ name: 'Okta' }), await made({ name: 'Okta, new' })];
    const list = await call('GET', `${all}?search=okta&sortBy=name`);
    expect(JSON.stringify(list.body)).toContain('"total":2');
    expect((await call('DELETE', `${all}/${tokens[1]?.id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await call(method, `${all}/${tokens[1]?.id}`)).status).toBe(404);
    expect((await call('POST', `${all}/${tokens[1]?.id}/rotate`)).status).toBe(404);
    expect(JSON.stringify((await call('GET', all)).body)).toContain('"total":2');
  });

  test('it ends in a year, or when it is told, one to three years ahead', async () => {
    const { expiresAt } = await made();
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - year)).toBeLessThan(60_000);
    for (const ms of [year, 2 * year, 3 * year]) {
      const said = ahead(ms);
      expect((await made({ name: 'Entra ID', expiresAt: said })).expiresAt).toBe(said);
    }
    const { id } = await made();
    for (const ms of [-year, 0, 30 * 86_400_000, year - 3 * 86_400_000, 3 * year + 5 * 86_400_000]) {
      const body = { expiresAt: ahead(ms) };
      for (const answer of [
        await call('POST', all, { name: 'x', ...body }),
        await call('POST', `${all}/${id}/rotate`, body),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.at('errors')).toEqual([{ path: 'expiresAt', message: 'must be one to three years ahead' }]);
      }
    }
    const said = ahead(3 * year);
    expect((await call('POST', `${all}/${id}/rotate`, { expiresAt: said })).at(data)).toMatchObject({
      expiresAt: said,
    });
  });

  test.each<[name: string, body: unknown, path: string]>([
    ['no name', {}, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['an expiry that is no time', { name: 'x', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an expiry that is a number', { name: 'x', expiresAt: 1 }, 'expiresAt'],
    ['a token of its own choice', { name: 'x', token: 'y' }, 'token'],
  ])('%s is refused, and named', async (_, body, path) => {
    const answer = await call('POST', all, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.at('errors'))).toContain(path);
  });

  test('the settings show the newest one that lives, masked, and nobody writes it there', async () => {
    const shown = async () => (await call('GET', '/admin/settings/scim')).at(data) as Record<string, unknown>;
    expect(await shown()).toMatchObject({ bearer_token: '', bearer_token_set: false });
    const first = await made();
    expect(await shown()).toMatchObject({ bearer_token: first.maskedToken, bearer_token_set: true });
    const second = await made();
    expect(await shown()).toMatchObject({ bearer_token: second.maskedToken });
    const written = await call('PUT', '/admin/settings/scim', { ...(await shown()), bearer_token: 'mine' });
    expect(written.at(data)).toMatchObject({ bearer_token: second.maskedToken });
    const rotated = (await call('POST', `${all}/${first.id}/rotate`)).at(data) as Made;
    expect(await shown()).toMatchObject({ bearer_token: rotated.maskedToken });
    for (const { id } of [first, second]) await call('DELETE', `${all}/${id}`);
    expect(await shown()).toMatchObject({ bearer_token: '', bearer_token_set: false });
  });
});

interface Made {
  readonly id: string;
  readonly token: string;
  readonly maskedToken: string;
  readonly expiresAt: string;
}

test('another organization’s token is not found', async () => {
  const other = await service.organization(`${org.slug}-other`);
  const { id } = (await org.post(all, { name: 'Entra ID' })).at('data') as Made;
  expect((await other.call('GET', `${all}/${id}`)).status).toBe(404);
  expect((await other.post(`${all}/${id}/rotate`, undefined)).status).toBe(404);
  expect((await other.call('DELETE', `${all}/${id}`)).status).toBe(404);
  expect((await org.call('GET', `${all}/${id}`)).status).toBe(200);
});

test('the settings name the address that a token opens', async () => {
  const { token: secret } = (await org.post(all, { name: 'Entra ID' })).at('data') as Made;
  const set = await org.call('PATCH', '/admin/settings/scim', { body: { enabled: true } });
  const address = new URL(`${set.text('data.base_url')}/Users`);
  expect((await service.call('GET', address.pathname, { key: secret })).status).toBe(200);
});

test('only full administration makes, rotates, sees and revokes them', async () => {
  const { id } = (await org.post(all, { name: 'Entra ID' })).at('data') as Made;
  const { key } = await org.newKey({ permissions: ['settings.read', 'users.create', 'groups.members'] });
  const own = new Organization(service, org.slug, key);
  const answers = [
    await own.call('GET', all),
    await own.post(all, { name: 'x' }),
    await own.call('GET', `${all}/${id}`),
    await own.post(`${all}/${id}/rotate`, undefined),
    await own.call('DELETE', `${all}/${id}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
});

test('what is done with them is in the audit log', async () => {
  const { id } = (await org.post(all, { name: 'Entra ID' })).at('data') as Made;
  await org.post(`${all}/${id}/rotate`, undefined);
  await org.call('DELETE', `${all}/${id}`);
  const entries = (await org.call('GET', `/admin/audit-logs?targetId=${id}`)).body;
  for (const verb of ['create', 'rotate', 'delete']) {
    expect(JSON.stringify(entries)).toContain(`"action":"scim_token.${verb}"`);
  }
  expect(JSON.stringify(entries)).toContain('"name":"Entra ID"');
});

test('past a hundred there are no more, until one is revoked', async () => {
  const made = await Promise.all(Array.from({ length: 100 }, () => org.post(all, { name: 'x' })));
  expect(made.every(({ status }) => status === 201)).toBe(true);
  const refusal = await org.post(all, { name: 'x' });
  expect(refusal).toMatchObject({ status: 422, body: { detail: expect.stringContaining('100 SCIM tokens') } });
  await org.call('DELETE', `${all}/${made[0]?.text('data.id')}`);
  expect((await org.post(all, { name: 'x' })).status).toBe(201);
});

test('of those who make the hundredth at the same moment, one does', async () => {
  const begun = await Promise.all(Array.from({ length: 95 }, () => org.post(all, { name: 'x' })));
  expect(begun.every(({ status }) => status === 201)).toBe(true);
  const rest = await Promise.all(Array.from({ length: 20 }, () => org.post(all, { name: 'x' })));
  const count = (status: number) => rest.filter((each) => each.status === status).length;
  expect([count(201), count(422)]).toEqual([5, 15]);
  expect(JSON.stringify((await org.call('GET', all)).body)).toContain('"total":100');
});

test('concurrent rotations: each is whole, and one token works', async () => {
  const { id } = (await org.post(all, { name: 'x' })).at('data') as Made;
  const rotated = await Promise.all([1, 2, 3, 4].map(() => org.post(`${all}/${id}/rotate`, undefined)));
  expect(rotated.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const shown = (await org.call('GET', `${all}/${id}`)).at('data') as Made;
  expect(rotated.filter((each) => (each.at('data') as Made).maskedToken === shown.maskedToken).length).toBeGreaterThan(
    0,
  );
});
