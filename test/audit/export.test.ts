import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
    const all = [...(await org.entries('')), ...((await org.logs('?offset=500&limit=500')).list('items') as Entry[])];
    const csv = await org.logs('/export');
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
    const json = await org.logs('/export?format=json&action=api_key.create', 'orgs');
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
    const text = String((await org.logs('/export?action=api_key.create')).body);
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
  test('whose link gives the file, to the organization alone', async () => {
    const { org, service } = here;
    await fill(org, 10_001);
    const queued = await org.logs('/export?format=json');
    expect(queued.status).toBe(202);
    expect(queued.at('data')).toMatchObject({ state: 'queued', format: 'json', records: null, downloadUrl: null });
    const location = queued.headers.get('location') ?? '';
    expect(location).toMatch(new RegExp(`^/t/${org.slug}/api/v1/admin/audit-logs/exports/[0-9a-f-]{36}$`));
    const job = () => service.call('GET', location, { key: org.org.key });
    expect((await service.call('GET', `${location}/file`, { key: org.org.key })).status).toBe(404);
    await expect.poll(async () => (await job()).at('data.state'), { timeout: 20_000 }).toBe('done');
    const done = await job();
    // with the entry of this export itself
    expect(done.at('data')).toMatchObject({ records: 10_002, downloadUrl: `${location}/file`, reason: null });
    expect(Date.parse(done.text('data.expiresAt'))).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const file = await service.call('GET', done.text('data.downloadUrl'), { key: org.org.key });
    expect(file.headers.get('content-disposition')).toContain('.json');
    const entries = file.body as Entry[];
    expect(entries).toHaveLength(10_002);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(10_002);
    const folder = join(service.folder, 'data', 'audit-exports');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const other = await service.organization(`${org.slug}-other`);
    const id = location.split('/').at(-1);
    for (const path of [`exports/${id}`, `exports/${id}/file`]) {
      const theirs = `/t/${other.slug}/api/v1/admin/audit-logs/${path}`;
      expect((await service.call('GET', theirs, { key: other.key })).status).toBe(404);
    }
    // up to 10,000 is the answer itself
    const last = entries.at(-3);
    const from = encodeURIComponent(last?.createdAt ?? '');
    expect([200, 202]).toContain((await org.logs(`/export?from=${from}`)).status);
  });
});
