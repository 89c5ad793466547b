import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { RunningService, spawnService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'relata-elsewhere-'));
const services: RunningService[] = [];
afterAll(async () => {
  for (const service of services) await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a backup with its key is restored in another folder, and what was sealed is read there', async () => {
  const first = await RunningService.start({ RELATA_THREADS: '1' });
  services.push(first);
  const { key } = await first.organization('acme');
  const keysOf = async (service: RunningService) =>
    (await service.call('GET', '/orgs/acme/.well-known/jwks.json')).at('keys');
  const published = await keysOf(first);
  expect(published).not.toEqual([]);
  const program = await first.call('POST', '/t/acme/api/v1/admin/clients', {
    key,
    body: { name: 'A program', grantTypes: ['client_credentials'], redirectUris: [] },
  });
  const copy = join(folder, 'copy');
  const environment = { RELATA_BACKUP_PASSPHRASE: 'correct horse battery staple' };
  const made = await runCli(['backup', copy, '--with-key', '--data', join(first.folder, 'data')], { environment });
  expect(made).toMatchObject({ code: 0, err: '' });
  const data = join(folder, 'data');
  expect(await runCli(['restore', copy, '--data', data], { environment })).toMatchObject({ code: 0, err: '' });
  const second = await RunningService.start({ RELATA_THREADS: '1' }, folder);
  services.push(second);
  expect((await second.call('GET', '/t/acme/api/v1/admin/users', { key })).status).toBe(200);
  expect(await keysOf(second)).toEqual(published);
  // signed with a key that the first service sealed
  const form = {
    grant_type: 'client_credentials',
    client_id: program.text('data.id'),
    client_secret: program.text('data.clientSecret'),
  };
  const token = await second.call('POST', '/t/acme/api/v1/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  expect([token.status, token.body]).toEqual([200, expect.objectContaining({ access_token: expect.any(String) })]);
  await second.stop();

  rmSync(join(data, 'master-key'));
  const { child, output } = spawnService(folder, {});
  expect((await once(child, 'close'))[0]).toBe(2);
  expect(output()).toContain('the master key of this data is missing, and no new one is made');
  expect(existsSync(join(data, 'master-key'))).toBe(false);
});
