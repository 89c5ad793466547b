import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type Change, Engine } from '../../../engine/index.ts';
import { readHead } from '../../../engine/store/catalog.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { recordKey } from '../../../engine/store/layout.ts';
import { openBetweenWrites } from '../../../engine/store/lock/opening-lock.ts';
import { sessionRecords } from '../../../src/identity/sessions/records/session-record.ts';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { RunningService } from '../running-service.ts';

vi.setConfig({ testTimeout: 180_000 });

let service: RunningService | undefined;
afterEach(() => service?.remove());

/** What has ended long ago, and whose users are gone: the next sweep removes it. */
function ended(name: string, id: string): Change {
  return sessionRecords.put({ name }, id, {
    userId: 'nobody',
    userNumber: 1,
    digest: id,
    ipAddress: '',
    userAgent: '',
    device: { type: null, os: null, browser: null },
    location: null,
    authMethod: 'password',
    mfaVerified: false,
    createdAt: 0,
    lastActiveAt: 1,
    epochs: {},
  });
}

async function isThere(path: string, store: string, id: string): Promise<boolean> {
  const tables = await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  try {
    const { number = 0 } = readHead(tables, store) ?? {};
    return tables.records.doesExist(recordKey(number, 'sessions', id));
  } finally {
    await tables.root.close();
  }
}

test('a service goes on, and sweeps what it can, where two records of an organization cannot be read', async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  for (const slug of ['acme', 'other']) await service.organization(slug);
  await service.stop();
  const path = join(service.folder, 'data/store');
  const engine = await Engine.open({ path });
  await engine.submit(engine.command([...['a', 'b', 'c'].map((id) => ended('org:acme', id)), ended('org:other', 'd')]));
  await engine.close();
  for (const [place, id] of ['a', 'b'].entries()) {
    await damageRecord(path, { store: 'org:acme', collection: 'sessions', id }, damages[place as 0 | 1]);
  }
  service = await RunningService.start({ RELATA_THREADS: '1' }, service.folder);
  const { output } = service;
  const left = async (): Promise<boolean[]> => [
    await isThere(path, 'org:acme', 'c'),
    await isThere(path, 'org:other', 'd'),
  ];
  await expect.poll(left, { timeout: 60_000, interval: 250 }).toEqual([false, false]);
  for (const id of ['a', 'b']) {
    expect(await isThere(path, 'org:acme', id)).toBe(true);
    expect(
      output()
        .split('\n')
        .filter((line) => line.includes(`"record":"sessions/${id}"`)),
    ).toHaveLength(1);
  }
  const metrics = await service.call('GET', '/metrics');
  expect(String(metrics.body)).toContain('relata_background_failures_total{job="sessions"} 2\n');
  expect(await service.stop()).toBe(0);
});
