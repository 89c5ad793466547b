import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { canReusePort } from '../../src/http/transport/reuse-port.ts';
import { RunningService, spawnService } from './running-service.ts';

// each test starts the service once or twice, which takes seconds on a busy machine
vi.setConfig({ testTimeout: 300_000 });

const folder = mkdtempSync(join(tmpdir(), 'relata-start-'));
const running: RunningService[] = [];

async function start(environment: Record<string, string> = {}, where = folder): Promise<RunningService> {
  const service = await RunningService.start(environment, where);
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('start', () => {
  test('the first start makes the demonstration, and the printed curl line answers that access is allowed', async () => {
    const own = mkdtempSync(join(tmpdir(), 'relata-demo-'));
    const service = await start({ RELATA_DEMO: '1' }, own);
    const line = /^\s+curl .*$/m.exec(service.output())?.[0] ?? '';
    const answer = JSON.parse(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout);
    expect(answer).toEqual({ allowed: true, revision: expect.any(String) });
    const listed = async (what: string, field: string) =>
      (await service.call('GET', `/t/demo/api/v1/admin/${what}`, { key: service.demoKey }))
        .list('data')
        .map((each) => (each as Record<string, unknown>)[field]);
    expect(await listed('roles?isSystem=false&sortBy=slug', 'slug')).toEqual(['editor', 'reader']);
    expect(await listed('groups', 'memberCount')).toEqual([2]);
    expect(await listed('users?sortBy=email', 'id')).toEqual(['anne', 'bob', 'carol', 'dave', 'erin']);
    await service.stop();
    // the second start finds it, and no key is shown again
    const again = await start({ RELATA_DEMO: '1' }, own);
    expect(again.demoKey).toBe('');
    rmSync(own, { recursive: true, force: true });
  });

  test('keys that nobody gave are made once, and kept so that only their owner reads them', async () => {
    const own = mkdtempSync(join(tmpdir(), 'relata-keys-'));
    const first = await start({ RELATA_PLATFORM_KEY: '' }, own);
    const key = /Platform key \(shown once, kept in [^)]+\): (\S+)/.exec(first.output())?.[1] ?? '';
    expect(key).toMatch(/^rlt_platform_[0-9A-Za-z]{27,}$/);
    for (const name of ['platform-key', 'master-key']) {
      expect(statSync(join(own, 'data', name)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(join(own, 'data'))).toContain('store');
    await first.stop();
    const second = await start({ RELATA_PLATFORM_KEY: '' }, own);
    expect(second.output()).not.toContain('rlt_platform_');
    expect((await second.call('GET', '/platform/api/v1/orgs', { key })).status).toBe(200);
    rmSync(own, { recursive: true, force: true });
  });

  test('a second process on the same folder is refused', async () => {
    await start();
    const second = spawnService(folder, {});
    await new Promise((resolve) => second.child.once('exit', resolve));
    expect(second.output()).toMatch(/is used by process \d+/);
    expect(second.child.exitCode).not.toBe(0);
  });

  test('a master key that does not open the store is refused', async () => {
    const own = mkdtempSync(join(tmpdir(), 'relata-master-'));
    const second = await start({ RELATA_MASTER_KEY: 'b'.repeat(32) }, own);
    await second.stop();
    const third = spawnService(own, { RELATA_MASTER_KEY: 'c'.repeat(32) });
    await new Promise((resolve) => third.child.once('exit', resolve));
    expect(third.output()).toMatch(/master key does not open/);
    expect(third.child.exitCode).not.toBe(0);
    rmSync(own, { recursive: true, force: true });
  });

  test('an unusable setting ends the start with a line that names it', async () => {
    const service = spawnService(folder, { RELATA_THREADS: 'many' });
    await new Promise((resolve) => service.child.once('exit', resolve));
    expect(service.output()).toContain('RELATA_THREADS');
    expect(service.child.exitCode).not.toBe(0);
  });
});

test('threads share a port of sockets of Node.js, or the start says that one serves', async () => {
  const sharesPort = canReusePort(process.versions.node, process.platform);
  const settings = { RELATA_TRANSPORT: 'socket', RELATA_THREADS: '2', RELATA_LOG_LEVEL: 'info' };
  const service = await start(settings);
  await expect.poll(() => service.output()).toMatch(new RegExp(`"acceptors":${sharesPort ? 2 : 1}\\b.*"serving"`));
  expect(service.output().includes('one thread serves')).toBe(!sharesPort);
  expect((await service.call('GET', '/healthz')).status).toBe(200);
});

describe.each(['uws', 'socket'])('over %s', (transport) => {
  // uWebSockets.js has no binary for later versions of Node.js
  const isMissing = transport === 'uws' && Number(process.versions.node.split('.')[0]) > 20;

  test.skipIf(isMissing)(
    'SIGTERM drains: a request that has begun is read to its end and answered, and all that was acknowledged is there after',
    async () => {
      const own = mkdtempSync(join(tmpdir(), 'relata-drain-'));
      const service = await start({ RELATA_TRANSPORT: transport, RELATA_THREADS: '2' }, own);
      const org = await service.organization('acme');
      await org.model('type user', 'type document', '  relations', '    define viewer: [user]');
      await org.write('document:0#viewer@user:anne');
      const body = JSON.stringify({ writes: ['document:1#viewer@user:anne'] });
      const head = [
        'POST /t/acme/api/v1/zanzibar/tuples HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${org.key}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ];
      const socket = connect(service.port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        received += text;
      });
      socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
      await sleep(200);
      const stopped = service.stop();
      await sleep(200);
      socket.write(body.slice(10));
      await once(socket, 'close');
      expect(received).toMatch(/^HTTP\/1\.1 200 /);
      expect(await stopped).toBe(0);
      const again = await start({ RELATA_TRANSPORT: transport, RELATA_THREADS: '2' }, own);
      const tuples = await again.call('GET', '/t/acme/api/v1/zanzibar/tuples?relation=viewer', { key: org.key });
      expect(tuples.list('tuples')).toHaveLength(2);
      const question = { object: 'document:0', relation: 'viewer', subject: 'user:anne' };
      const answer = await again.call('POST', '/t/acme/api/v1/zanzibar/check', { key: org.key, body: question });
      expect(answer.body).toMatchObject({ allowed: true });
      rmSync(own, { recursive: true, force: true });
    },
  );
});

describe('operations', () => {
  test('alive, ready, measured and described, without a credential', async () => {
    const service = await start({ RELATA_PORT: '0' });
    expect((await service.call('GET', '/healthz')).body).toMatchObject({ status: 'ok' });
    expect((await service.call('GET', '/readyz')).body).toMatchObject({ status: 'ok' });
    const metrics = String((await service.call('GET', '/metrics')).body);
    for (const name of [
      'relata_http_request_duration_seconds_bucket',
      'relata_revision',
      'relata_commit_queue_depth',
      'process_resident_memory_bytes',
    ]) {
      expect(metrics).toContain(`\n${name}`);
    }
    // nobody has asked for a decision yet
    expect(metrics).not.toContain('relata_check_duration_seconds');
    expect(metrics.length).toBeLessThan(65_536);
    const document = await service.call('GET', '/openapi.json');
    expect(Object.keys(document.at('paths') as object)).toContain('/t/{tenant}/api/v1/zanzibar/check');
    const page = await service.call('GET', '/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(String(page.body)).not.toMatch(/(?:src|href)="https?:/);
  });

  test('metrics are for whoever has their token, where one is set', async () => {
    const token = 'token-of-those-who-read-metrics-0123456789';
    const service = await start({ RELATA_METRICS_TOKEN: token });
    const statuses = [undefined, `${token}0`, token].map(async (key) => {
      const { status } = await service.call('GET', '/metrics', { key });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
  });
});
