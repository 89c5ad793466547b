import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Engine } from '../../../engine/index.ts';
import { type Answer, Organization, RunningService } from '../running-service.ts';
import { obstacle, SmallDisk } from './small-disk.ts';

vi.setConfig({ testTimeout: 180_000 });

let disk: SmallDisk;
let service: RunningService | undefined;

beforeEach(() => {
  disk = new SmallDisk();
});
afterEach(async () => {
  await service?.stop('SIGKILL');
  disk.remove();
});

/** Each has a document of its own, so that the store has to grow. */
function write(organization: Organization, name: string): Promise<Answer> {
  const writes = Array.from({ length: 50 }, (_, i) => ({
    object: `doc:${name}.${i}`,
    relation: 'viewer',
    subject: 'user:a',
  }));
  return organization.post('/zanzibar/tuples', { writes });
}

async function writeUntilRefused(organization: Organization, name: string): Promise<void> {
  for (let i = 0; i < 10_000; i++) {
    const { status, body } = await write(organization, `${name}.${i}`);
    if (status === 200) continue;
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    return;
  }
  throw new Error('the disk does not fill');
}

/** Leaves an organization as an earlier release would, which had no such permissions, and no free pages in the file. */
async function removePermissions(path: string, store: string): Promise<void> {
  const engine = await Engine.open({ path });
  const ids = engine.store(store).recordIndex('permissions').ids(undefined, '', { limit: 1000 });
  const gone = [
    ...ids.map((id) => ({ collection: 'permissions', id })),
    // that all of them are there
    { collection: 'upgrades', id: 'system' },
  ];
  await engine.submit(engine.command(gone.map((each) => ({ op: 'delete_record', store, ...each }) as const)));
  for (let i = 0; i < 100; i++) {
    const record = { collection: 'unused', id: String(i), document: { text: 'x'.repeat(10_000) } };
    await engine.submit(engine.command([{ op: 'put_record', store, record }]));
  }
  await engine.close();
}

const check = (organization: Organization) =>
  organization.post('/zanzibar/check', { object: 'doc:first.0', relation: 'viewer', subject: 'user:a' });
const readyz = async (query = '') => service?.call('GET', `/readyz${query}`);

test('a service starts on a full disk, reads, says that writes fail, and writes again when there is space', async ({
  skip,
}) => {
  if (obstacle !== undefined) skip(obstacle);
  service = await RunningService.start({}, disk.path);
  const organization = await service.organization('acme');
  await organization.model('type user', 'type doc', '  relations', '    define viewer: [user]');
  expect(await write(organization, 'first')).toMatchObject({ status: 200 });
  disk.fill();
  await writeUntilRefused(organization, 'running');
  expect((await check(organization)).body).toMatchObject({ allowed: true });
  await service.stop();

  // twice: a start leaves what the next one needs
  for (const round of ['second', 'third']) {
    disk.fill();
    const { bavail } = statfsSync(disk.path);
    expect(bavail).toBe(0);
    service = await RunningService.start({}, disk.path);
    const again = new Organization(service, organization.slug, organization.key);
    expect((await check(again)).body).toMatchObject({ allowed: true });
    await writeUntilRefused(again, round);
    expect((await check(again)).body).toMatchObject({ allowed: true });
    if (round === 'second') {
      await service.stop('SIGKILL');
      continue;
    }
    expect(await readyz()).toMatchObject({ status: 200, body: { checks: { store: 'ok', writes: 'failing' } } });
    expect(await readyz('?writes=required')).toMatchObject({ status: 503, body: { checks: { writes: 'failing' } } });
    disk.free();
    // nobody has to write for it
    await expect.poll(() => readyz('?writes=required'), { timeout: 60_000 }).toMatchObject({ status: 200 });
    expect(await write(again, 'last')).toMatchObject({ status: 200 });
  }
});

test('a service that has to write before it serves starts on a full disk, in the space kept for that', async ({
  skip,
}) => {
  if (obstacle !== undefined) skip(obstacle);
  service = await RunningService.start({}, disk.path);
  const organization = await service.organization('acme');
  await service.stop();
  await removePermissions(join(disk.path, 'data/store'), 'org:acme');
  disk.fill();
  service = await RunningService.start({}, disk.path);
  const again = new Organization(service, organization.slug, organization.key);
  expect(await again.call('GET', '/admin/permissions/1')).toMatchObject({ status: 200 });
});
