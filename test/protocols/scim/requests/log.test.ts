import { describe, expect, test } from 'vitest';
import { InFamily } from '../../../server/in-family.ts';
import { group, type Provisioned, provisioned, user } from '../provisioning/organization.ts';

const on = provisioned();

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly [name: string]: unknown;
}

async function entries(org: Provisioned, query = '', family: 'org' | 'tenant' = 'org'): Promise<Entry[]> {
  const admin = new InFamily(org.admin.org, family);
  return admin.inside(await admin.call('GET', `/scim/requests?limit=100${query}`)) as Entry[];
}

/** They are written some seconds after the answer. */
const poll = (read: () => Promise<unknown>) => expect.poll(read, { timeout: 60_000, interval: 200 });

const asked = (all: readonly Entry[]) => all.map(({ method, path, status }) => `${method} ${path} ${status}`);

describe('requests of SCIM are written down', () => {
  test('with who asked, what became of it, and the resources it was about; the last ones first', async () => {
    const org = on();
    const base = `/orgs/${org.admin.org.slug}/scim2.0`;
    const { id } = await org.make('/Users', user('ada', { password: 'a Secret of 7 words' }));
    await org.send('POST', '/Users', user('ada'));
    const made = await org.make('/Groups', group('Sales', id));
    await org.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Dr' });
    await org.send('GET', `/Users?filter=${encodeURIComponent('userName eq "ada"')}&count=1`);
    await org.send('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'userName sw "a"',
    });
    await org.send('GET', '/Users?filter=userName%20is%20ada');
    await org.send('DELETE', `/Users/${id}`);
    await poll(async () => (await entries(org)).length).toBe(8);
    const all = await entries(org);
    const times = all.map(({ at }) => Date.parse(String(at)));
    expect(times).toEqual(times.toSorted((left, right) => right - left));
    const entry = (text: string) => all.find((each) => asked([each])[0] === `${text.replace(' ', ` ${base}`)}`);
    const deleted = entry(`DELETE /Users/${id} 204`);
    const wrong = entry('GET /Users 400');
    const searched = entry('POST /Users/.search 200');
    const found = entry('GET /Users 200');
    const created = entry('POST /Groups 201');
    const refused = entry('POST /Users 409');
    const first = entry('POST /Users 201');
    expect(entry(`PATCH /Users/${id} 200`)).toMatchObject({ ids: [id] });
    const actor = { type: 'scim_token', id: expect.any(String), name: 'directory' };
    for (const each of all) {
      expect(each).toMatchObject({ actor, requestId: expect.any(String), durationMs: expect.any(Number), omitted: 0 });
    }
    expect(first).toMatchObject({ ids: [id], filter: null, scimType: null, detail: null });
    expect(created).toMatchObject({ ids: [made.id] });
    expect(deleted).toMatchObject({ ids: [id] });
    expect(refused).toMatchObject({ ids: [], scimType: 'uniqueness', detail: expect.stringContaining('userName') });
    expect(found).toMatchObject({ filter: 'userName eq "ada"', ids: [] });
    expect(searched).toMatchObject({ filter: 'userName sw "a"' });
    expect(wrong).toMatchObject({ scimType: 'invalidFilter', filter: 'userName is ada' });
    expect(JSON.stringify(all)).not.toMatch(/Secret|rlt_scim/);
  });

  test('and a bulk request as one, with the resources of its operations', async () => {
    const org = on();
    const { id } = await org.make('/Users', user('ada'));
    const bulk = await org.send('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'bob', data: user('bob', { password: 'a Secret of 7 words' }) },
        { method: 'DELETE', path: `/Users/${id}` },
        { method: 'POST', path: '/Groups', bulkId: 'x', data: group('Sales', 'bulkId:bob') },
      ],
    });
    expect(bulk.status).toBe(200);
    const made = (bulk.list('Operations') as { location: string }[]).map(({ location }) => location.split('/').at(-1));
    await poll(async () => (await entries(org)).length).toBe(2);
    const [entry] = await entries(org, '&method=POST');
    expect(entry).toMatchObject({ status: 200, path: expect.stringMatching(/\/Bulk$/), ids: made });
    expect(made).toHaveLength(3);
    expect(JSON.stringify(entry)).not.toContain('Secret');
  });

  test('also where the input cannot be read, and where SCIM is switched off', async () => {
    const org = on();
    const { service, slug } = org.admin.org;
    await service.call('POST', `/orgs/${slug}/scim2.0/Users`, { key: org.token, body: '{"password":"a Secret' });
    await service.call('POST', `/t/${slug}/scim/v2/Users`, {
      key: org.token,
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    await org.configure({ enabled: false });
    await org.send('GET', '/Users');
    await poll(async () => (await entries(org)).length).toBe(3);
    const all = await entries(org);
    expect(all.map(({ status }) => status).toSorted()).toEqual([400, 403, 415]);
    expect(all.find(({ status }) => status === 415)?.path).toBe(`/t/${slug}/scim/v2/Users`);
    expect(JSON.stringify(all)).not.toContain('Secret');
  });

  test('also where there is nothing at the path, or not for the method, without an actor', async () => {
    const org = on();
    const { service, slug } = org.admin.org;
    const base = `/orgs/${slug}/scim2.0`;
    await org.send('GET', '/Printers?filter=secretly');
    await org.send('DELETE', '/Users');
    await org.send('GET', `/Users/%zz`);
    await service.call('GET', `/t/${slug}/scim/v2/Users/a/b`, { key: org.token });
    await service.call('GET', `/t/${slug}/elsewhere`, { key: org.token });
    await org.send('GET', '/Printers/rlt_scim_0123456789abcdefghijklmnopq');
    await poll(async () => (await entries(org)).length).toBe(5);
    const all = await entries(org);
    expect(
      asked(all)
        .map((text) => text.replace(/Printers\/\S+/, 'Printers/*'))
        .toSorted(),
    ).toEqual([
      `DELETE ${base}/Users 405`,
      `GET ${base}/Printers 404`,
      `GET ${base}/Printers/* 404`,
      `GET ${base}/Users/%zz 400`,
      `GET /t/${slug}/scim/v2/Users/a/b 404`,
    ]);
    for (const each of all) expect(each).toMatchObject({ actor: null, requestId: expect.any(String), ids: [] });
    expect(JSON.stringify(all)).not.toContain('0123456789abcdef');
    const other = new InFamily(await service.organization(`${slug}-other`), 'org');
    expect(other.inside(await other.call('GET', '/scim/requests'))).toEqual([]);
  });

  test('without an actor where nobody was let in, and not many of those', async () => {
    const org = on();
    for (let count = 0; count < 60; count++) await org.send('GET', '/Users', undefined, `rlt_scim_${'x'.repeat(30)}`);
    await org.send('GET', '/Users');
    await poll(async () => asked(await entries(org, '&status=2xx')).length).toBe(1);
    const strangers = await entries(org, '&status=4xx');
    expect(strangers[0]).toMatchObject({ status: 401, actor: null, detail: expect.any(String) });
    expect(strangers.length).toBeLessThan(60);
    expect(JSON.stringify(strangers)).not.toContain('rlt_scim');
  });

  test.each(['org', 'tenant'] as const)(
    'and found by status, method and actor, page by page, in the %s family',
    async (family) => {
      const org = on();
      const { token, id: other } = await org.admin.make<{ token: string; id: string }>(
        'POST',
        '/settings/scim/tokens',
        {
          name: 'Other',
        },
      );
      const { id } = await org.make('/Users', user('ada'));
      await org.send('GET', '/Users/nobody');
      await org.send('GET', `/Users/${id}`, undefined, token);
      await org.send('DELETE', `/Users/${id}`, undefined, token);
      await poll(async () => (await entries(org)).length).toBe(4);
      const list = async (query: string) =>
        asked(await entries(org, query, family))
          .map((each) => each.replace(/ .* /, ' '))
          .toSorted();
      expect(await list('&status=4xx')).toEqual(['GET 404']);
      expect(await list('&method=GET')).toEqual(['GET 200', 'GET 404']);
      expect(await list(`&actor=${other}`)).toEqual(['DELETE 204', 'GET 200']);
      expect(await list(`&actor=${other}&method=GET&status=2xx`)).toEqual(['GET 200']);
      expect(await list('&actor=nobody')).toEqual([]);
      const admin = new InFamily(org.admin.org, family);
      const second = await admin.call('GET', '/scim/requests?limit=1&page=2');
      expect(admin.inside(second)).toEqual([(await entries(org))[1]]);
      expect(JSON.stringify(second.body)).toContain('"total":4');
      for (const query of ['status=200', 'method=HEAD', 'actor=', 'since=1']) {
        expect((await admin.call('GET', `/scim/requests?${query}`)).status).toBe(400);
      }
    },
  );

  test('for whoever may read the audit log, in the own organization', async () => {
    const org = on();
    const { org: own } = org.admin;
    await org.send('GET', '/Users');
    await poll(async () => (await entries(org)).length).toBe(1);
    const reader = await own.newKey({ permissions: ['audit.read'] });
    const other = await own.newKey({ permissions: ['settings.read', 'users.read'] });
    const path = `/orgs/${own.slug}/api/v1/admin/scim/requests`;
    expect((await own.service.call('GET', path, { key: reader.key })).status).toBe(200);
    expect((await own.service.call('GET', path, { key: other.key })).status).toBe(403);
    expect((await own.service.call('GET', path, { key: org.token })).status).toBe(401);
    const neighbour = new InFamily(await own.service.organization(`${own.slug}-neighbour`), 'org');
    expect(neighbour.inside(await neighbour.call('GET', '/scim/requests'))).toEqual([]);
  });
});
