import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { platformKey } from '../server/running-service.ts';
import { forbidden, scene } from './organizations.ts';

const here = scene({ RELATA_THREADS: '1' });

describe('1. One guard', () => {
  const reading = ['', '/stats', '/actions', '/export', '/retention', '/none', '/exports/none', '/exports/none/file'];

  test('the log is read with audit.read, and kept with audit.manage', async () => {
    const { org } = here;
    const logs = '/admin/audit-logs';
    const reader = here.as(await org.newKey({ permissions: ['audit.read'] }));
    const manager = here.as(await org.newKey({ permissions: ['audit.manage'] }));
    const other = here.as(await org.newKey({ permissions: ['tuples.read', 'authz:check'] }));
    for (const path of reading) {
      expect((await reader.call('GET', logs + path)).status).not.toBe(403);
      for (const key of [manager, other]) expect(await key.call('GET', logs + path)).toMatchObject(forbidden);
    }
    const body = { retentionDays: 1, autoDelete: true };
    const person = { type: 'user', id: 'anne' };
    for (const key of [reader, other]) {
      expect(await key.call('PUT', `${logs}/retention`, { body })).toMatchObject(forbidden);
      expect(await key.post(`${logs}/erasure`, person)).toMatchObject(forbidden);
    }
    expect((await manager.call('PUT', `${logs}/retention`, { body })).status).toBe(200);
    expect((await manager.post(`${logs}/erasure`, person)).status).toBe(200);
  });

  test('no entry can be changed or removed over HTTP', async () => {
    const { org } = here;
    const id = (await org.call('GET', '/admin/audit-logs?limit=1')).text('data.0.id');
    for (const method of ['DELETE', 'PATCH', 'PUT']) {
      for (const path of ['/admin/audit-logs', `/admin/audit-logs/${id}`]) {
        expect((await org.call(method, path, { body: {} })).status).toBe(405);
      }
    }
  });
});

describe('Never: Logs', () => {
  test('an entry has no secret of what it tells of, and no raw line break of a caller', async () => {
    const { org, service } = here;
    const key = await org.newKey({});
    await org.post(`/admin/api-keys/${key.id}/rotate`, {});
    await service.call('GET', `/t/${org.slug}/api/v1/admin/api-keys?search=%0aforged`, { key: platformKey });
    const text = JSON.stringify((await org.call('GET', '/admin/audit-logs?offset=0&limit=500')).body);
    for (const secret of [key.key, org.key, platformKey]) expect(text).not.toContain(secret);
    const csv = String((await org.call('GET', '/admin/audit-logs/export')).body);
    for (const line of csv.trimEnd().split('\r\n').slice(1)) expect(line).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27},/);
  });

  test('the key of the chain is not in the store that it proves', async () => {
    const { org, service } = here;
    await org.newKey({});
    const stored = readFileSync(join(service.folder, 'data', 'store', 'data.mdb'), 'latin1');
    expect(stored).not.toContain(readFileSync(join(service.folder, 'data', 'master-key'), 'latin1').trim());
  });
});
