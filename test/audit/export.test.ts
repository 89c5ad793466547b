import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { type AuditedOrg, auditScene, type Entry } from './scene.ts';

const here = auditScene();

async function fill(org: AuditedOrg, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1000) {
    await org.writeRoles('editor', done, Math.min(1000, count - done));
  }
}

describe('an export of up to 10,000 entries is the answer itself', () => {
  test('as CSV by default, as JSON when asked for, newest first, and filtered', async () => {
    const { org } = here;
    await fill(org, 1200);
    await org.org.newKey({});
    const all = [
      ...(await org.entries('')),
      ...((await org.logs(`?offset=500&limit=500&${org.since}`)).list('items') as Entry[]),
    ];
    const csv = await org.logs(`/export?${org.since}`);
    expect(csv.status).toBe(200);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="audit-${org.slug}.csv"`);
    const rows = parse(String(csv.body), { columns: true }) as Record<string, string>[];
    // the export is on record itself, and that record is in it
    expect(rows.shift()).toMatchObject({ action: 'audit_log.export', result: 'success' });
    expect(rows).toHaveLength(1201);
    expect(rows.slice(0, 1000).map(({ id }) => id)).toEqual(all.slice(0, 1000).map(({ id }) => id));
    expect(rows[0]).toEqual({
      ...Object.fromEntries(Object.entries(all[0] ?? {}).filter(([name]) => name !== 'orgId')),
      actorEmail: '',
      metadata: JSON.stringify(all[0]?.metadata),
    });
    const json = await org.logs(`/export?format=json&action=api_key.create&${org.since}`, 'orgs');
    expect(json.headers.get('content-type')).toBe('application/json');
    expect(json.body).toEqual([all[0]]);
    expect((await org.logs('/export?format=json&to=2000-01-01')).body).toEqual([]);
    expect(String((await org.logs('/export?to=2000-01-01')).body)).toMatch(/^id,createdAt,[\w,]+\r\n$/);
    expect(await org.count('&action=audit_log.export')).toBe(4);
  });

  test('and no cell of it is a formula', async () => {
    const { org, service } = here;
    for (const agent of ['=HYPERLINK("http://evil")', '+1', '-1', '@SUM(A1)', ' =1', '"quoted", and more']) {
      await service.call('POST', `/t/${org.slug}/api/v1/admin/api-keys`, {
        body: { name: 'x' },
        headers: { authorization: `Bearer ${org.org.key}`, 'user-agent': agent },
      });
    }
    const text = String((await org.logs(`/export?action=api_key.create&${org.since}`)).body);
    const rows = parse(text, { columns: true }) as { userAgent: string }[];
    expect(rows.map(({ userAgent }) => userAgent)).toEqual([
      '"quoted", and more',
      // a header's value comes without the blanks around it
      "'=1",
      "'@SUM(A1)",
      "'-1",
      "'+1",
      '\'=HYPERLINK("http://evil")',
    ]);
  });

  test.each(['format=xml', 'from=2020', 'page=1'])('refuses ?%s with 400', async (query) => {
    expect((await here.org.logs(`/export?${query}`)).status).toBe(400);
  });
});

describe('a longer one is a job', () => {
  test('also a short one, where the caller wants it so', async () => {
    const { org, service } = here;
    await org.org.newKey({});
    const queued = await org.logs('/export?async=true&action=api_key.create', 'orgs');
    expect(queued.status).toBe(202);
    const location = queued.headers.get('location') ?? '';
    expect(location).toContain(`/orgs/${org.slug}/`);
    const job = () => service.call('GET', location, { key: org.org.key });
    await expect.poll(async () => (await job()).at('data.data.state'), { timeout: 60_000 }).toBe('done');
    const file = await service.call('GET', `${location}/file`, { key: org.org.key });
    const rows = parse(String(file.body), { columns: true }) as { action: string }[];
    expect(rows.map(({ action }) => action)).toEqual(['api_key.create']);
    // what a key was allowed to ask for it may not fetch when the right is gone
    const key = await org.org.newKey({ permissions: ['audit.read'] });
    expect((await service.call('GET', location, { key: key.key })).status).toBe(200);
    await org.org.post('/zanzibar/tuples', { deletes: [`permission:audit.read#granted@${key.subject}`] });
    for (const path of [location, `${location}/file`]) {
      expect((await service.call('GET', path, { key: key.key })).status).toBe(403);
    }
    for (let more = 0; more < 9; more++) expect((await org.logs('/export?async=true')).status).toBe(202);
    expect((await org.logs('/export?async=true')).status).toBe(429);
  });

  test('whose link gives the file, to the organization alone', async () => {
    const { org, service } = here;
    await fill(org, 10_000);
    const direct = await org.logs('/export?format=json&action=tuple.write');
    expect([direct.status, (direct.body as Entry[]).length]).toEqual([200, 10_000]);
    await org.writeRoles('editor', 10_000, 1);
    const queued = await org.logs('/export?format=json&action=tuple.write');
    expect(queued.status).toBe(202);
    expect(queued.at('data')).toMatchObject({ state: 'queued', format: 'json', records: null, downloadUrl: null });
    const location = queued.headers.get('location') ?? '';
    expect(location).toMatch(new RegExp(`^/t/${org.slug}/api/v1/admin/audit-logs/exports/[0-9a-f-]{36}$`));
    const job = () => service.call('GET', location, { key: org.org.key });
    const early = await service.call('GET', `${location}/file`, { key: org.org.key });
    // where all was written while this asked for it, there is a file already
    if ((await job()).at('data.state') !== 'done') expect(early.status).toBe(404);
    await expect.poll(async () => (await job()).at('data.state'), { timeout: 60_000 }).toBe('done');
    const done = await job();
    expect(done.at('data')).toMatchObject({ records: 10_001, downloadUrl: `${location}/file`, reason: null });
    expect(Date.parse(done.text('data.expiresAt'))).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const file = await service.call('GET', done.text('data.downloadUrl'), { key: org.org.key });
    expect(file.headers.get('content-disposition')).toContain('.json');
    const entries = file.body as Entry[];
    expect(entries).toHaveLength(10_001);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(10_001);
    const other = await service.organization(`${org.slug}-other`);
    const id = location.split('/').at(-1);
    for (const path of [`exports/${id}`, `exports/${id}/file`]) {
      const theirs = `/t/${other.slug}/api/v1/admin/audit-logs/${path}`;
      expect((await service.call('GET', theirs, { key: other.key })).status).toBe(404);
    }
  });
});
