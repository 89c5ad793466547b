import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Engine } from '../../../engine/index.ts';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { platformKey, RunningService } from '../running-service.ts';

vi.setConfig({ testTimeout: 180_000 });

let service: RunningService | undefined;
afterEach(() => service?.remove());

function toldOf({ output }: RunningService, organization: string): string[] {
  return output()
    .split('\n')
    .filter((line) => line.includes(`"organization":"${organization}"`) && line.includes('relata verify'));
}

test.each(damages)('a service starts with an organization whose record is %s', async (damage) => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  for (const slug of ['acme', 'other']) await service.organization(slug);
  await service.stop();
  const path = join(service.folder, 'data/store');
  await damageRecord(path, { store: '$platform', collection: 'organizations', id: 'acme' }, damage);

  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' }, service.folder);
  const organizations = await service.call('GET', '/platform/api/v1/orgs', { key: platformKey });
  // the demo is for a service that has nothing
  expect(organizations.list('data')).toMatchObject([{ slug: 'other' }]);
  expect(toldOf(service, 'acme')).toHaveLength(1);
  expect(await service.stop()).toBe(0);
});

test('a service starts with an organization of which a permission cannot be read', async () => {
  service = await RunningService.start({ RELATA_THREADS: '1' });
  for (const slug of ['acme', 'other']) await service.organization(slug);
  await service.stop();
  const path = join(service.folder, 'data/store');
  const engine = await Engine.open({ path });
  // as of an earlier release: what this one has made is not looked at again
  const mark = { collection: 'upgrades', id: 'system' };
  for (const store of ['org:acme', 'org:other']) {
    await engine.submit(engine.command([{ op: 'delete_record', store, ...mark }]));
  }
  await engine.close();
  const place = { store: 'org:acme', collection: 'permissions', id: '000000000001' };
  await damageRecord(path, place, damages[0]);

  service = await RunningService.start({ RELATA_THREADS: '1' }, service.folder);
  expect(toldOf(service, 'acme')).toHaveLength(1);
  expect(toldOf(service, 'other')).toHaveLength(0);
  const organizations = await service.call('GET', '/platform/api/v1/orgs', { key: platformKey });
  expect(organizations.list('data')).toHaveLength(2);
  expect(await service.stop()).toBe(0);
});
