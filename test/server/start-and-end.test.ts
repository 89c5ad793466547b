import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { runsOf } from '../generated/extent.ts';
import { nextPort } from './next-port.ts';
import { RunningService, type SpawnedService, spawnService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'relata-start-end-'));
  folders.push(folder);
  return folder;
}

interface Spawned extends SpawnedService {
  /** How it ended, once all its output is there: its exit code, or the signal that ended it. */
  readonly end: Promise<number | string>;
}

function spawned(folder: string, environment: Record<string, string>): Spawned {
  const service = spawnService(folder, { RELATA_LOG_LEVEL: 'info', ...environment });
  children.push(service.child);
  const end = once(service.child, 'close').then(([code, signal]) => signal ?? code);
  return { ...service, end };
}

async function startsAgain(folder: string): Promise<void> {
  const again = await RunningService.start({}, folder);
  expect(await again.stop()).toBe(0);
}

interface Asked {
  /** Status of the answer, or the code of the error. */
  readonly result: number | string;
  /** Whether the answer said that its connection ends. */
  readonly isLast: boolean;
}

function askOver(agent: Agent | false, port: number, path: string): Promise<Asked> {
  return new Promise((resolve) => {
    const sent = get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      const isLast = answer.headers.connection === 'close';
      answer.on('error', (error) => resolve({ result: `broken: ${error.message}`, isLast })).resume();
      answer.on('end', () => resolve({ result: answer.statusCode ?? 0, isLast }));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ result: error.code ?? error.message, isLast: true }));
  });
}

async function ask(port: number, path: string): Promise<number | string> {
  return (await askOver(false, port, path)).result;
}

describe('the first start', () => {
  test('on a port in use creates nothing, and says what to do', async () => {
    const folder = newFolder();
    const port = await nextPort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const refused = spawned(folder, { RELATA_PORT: String(port), RELATA_PLATFORM_KEY: '', RELATA_DEMO: '1' });
    expect(await refused.end).toBe(3);
    other.close();
    expect(refused.output()).toMatch(
      new RegExp(
        `^relata: 127\\.0\\.0\\.1:${port} is in use by another program, .* set RELATA_PORT to another port$`,
        'm',
      ),
    );
    expect(existsSync(join(folder, 'data'))).toBe(false);
    const second = await RunningService.start({ RELATA_PLATFORM_KEY: '', RELATA_DEMO: '1' }, folder);
    expect(second.output()).toMatch(/Platform key \(shown once, kept in [^)]+\): rlt_platform_/);
    expect(second.demoKey).not.toBe('');
    await second.stop();
  });

  test('at the same time as another on the same port leaves one of them, and answers 503 until it serves', async () => {
    const folders = [newFolder(), newFolder()];
    const port = await nextPort();
    const both = folders.map((folder) => spawned(folder, { RELATA_PORT: String(port) }));
    await expect.poll(() => ask(port, '/readyz'), { timeout: 120_000, interval: 1 }).toBe(503);
    await expect.poll(() => ask(port, '/readyz'), { timeout: 120_000 }).toBe(200);
    const refused = await Promise.race(both.map(async ({ end }, place) => ((await end) === 3 ? place : -1)));
    expect(existsSync(join(folders[refused] as string, 'data'))).toBe(false);
    const serving = both[1 - refused] as Spawned;
    serving.child.kill('SIGTERM');
    expect(await serving.end).toBe(0);
  });

  test.each([
    {
      name: 'a data folder that is a file',
      given: { RELATA_DATA_DIR: 'package.json' },
      says: /package\.json is not a folder: .*EEXIST/,
    },
    {
      name: 'a data folder below a file',
      given: { RELATA_DATA_DIR: 'package.json/data' },
      says: /package\.json\/data is inside a file/,
    },
    {
      name: 'an address of another machine',
      given: { RELATA_HOST: '192.0.2.1' },
      says: /192\.0\.2\.1:0? ?.*is no address of this machine: set RELATA_HOST/,
    },
    {
      name: 'a setting that is none',
      given: { RELATA_PORT: 'http' },
      says: /^relata: RELATA_PORT: must be a whole number$/m,
    },
  ])('with $name ends with code 2 and one line', async ({ given, says }) => {
    const refused = spawned(newFolder(), given as unknown as Record<string, string>);
    expect(await refused.end).toBe(2);
    expect(refused.output()).toMatch(says);
    expect(refused.output()).not.toContain('    at ');
  });

  test('that fails after it made a key has printed it', async () => {
    const folder = newFolder();
    const first = await RunningService.start({ RELATA_MASTER_KEY: 'b'.repeat(32) }, folder);
    await first.stop();
    const failed = spawned(folder, { RELATA_MASTER_KEY: 'c'.repeat(32), RELATA_PLATFORM_KEY: '' });
    expect(await failed.end).toBe(2);
    expect(failed.output()).toMatch(/master key does not open/);
    expect(failed.output()).toMatch(/Platform key \(shown once, kept in [^)]+\): rlt_platform_/);
  });
});

describe('a signal', () => {
  test('during the load of the program ends the start before anything is made', async () => {
    const folder = newFolder();
    const service = spawned(folder, {});
    await expect
      .poll(service.output, { timeout: 60_000, interval: 1 })
      .toMatch(/^Relata [\d.]+ is starting, with the data in \//);
    service.child.kill('SIGTERM');
    expect(await service.end).toBe(0);
    expect(service.output()).toContain('"stopped during startup"');
    expect(service.output()).not.toContain('Relata serves at');
    await startsAgain(folder);
  });

  const moments = [
    { name: 'when the folder was made', sign: 'data' },
    { name: 'when the store was made', sign: 'data/store/data.mdb' },
    { name: 'when keys were made', sign: 'data/platform-key' },
  ];
  test.each(moments)('during the start, $name, ends it and gives back what was taken', async ({ sign }) => {
    const folder = newFolder();
    const service = spawned(folder, { RELATA_PLATFORM_KEY: '', RELATA_DEMO: '1' });
    await expect.poll(() => existsSync(join(folder, sign)), { timeout: 60_000, interval: 1 }).toBe(true);
    service.child.kill('SIGTERM');
    expect(await service.end).toBe(0);
    await startsAgain(folder);
  });

  test('that comes right behind the first "ready" ends it without cutting off a request', async () => {
    const folder = newFolder();
    const port = await nextPort();
    const service = spawned(folder, { RELATA_PORT: String(port), RELATA_THREADS: '4' });
    await expect.poll(() => ask(port, '/readyz'), { timeout: 120_000, interval: 1 }).toBe(200);
    const asked = ask(port, '/openapi.json');
    // another thread may have to answer, which must listen by then
    const others = Array.from({ length: 16 }, () => ask(port, '/healthz'));
    expect(await Promise.all(others)).toEqual(others.map(() => 200));
    service.child.kill('SIGTERM');
    expect(await service.end).toBe(0);
    expect(await asked).toBe(200);
    expect(service.output()).toContain('"cutOff":0');
    await startsAgain(folder);
  });
});

describe.each(['uws', 'socket'])('under load over %s', (transport) => {
  // uWebSockets.js has no binary for later versions of Node.js
  const isMissing = transport === 'uws' && Number(process.versions.node.split('.')[0]) > 20;
  const RUNS = runsOf({ quick: 1, whole: 2 });
  const CLIENTS = 8;

  test.skipIf(isMissing)('SIGTERM resets no request, and says so', async () => {
    const folder = newFolder();
    for (let run = 0; run < RUNS; run++) {
      const service = await RunningService.start(
        { RELATA_TRANSPORT: transport, RELATA_THREADS: '2', RELATA_LOG_LEVEL: 'info', RELATA_LIMIT_RATE_PUBLIC: '0' },
        folder,
      );
      const agent = new Agent({ keepAlive: true });
      const seen: (number | string)[] = [];
      // over one connection until it ends: the kernel may reset one that is opened as the service closes its port
      const client = async (path: string): Promise<void> => {
        for (let isOver = false; !isOver; ) {
          const { result, isLast } = await askOver(agent, service.port, path);
          seen.push(result);
          isOver = isLast;
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_, place) => client(place === 0 ? '/openapi.json' : '/healthz'));
      await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThan(CLIENTS * 4);
      expect(await service.stop()).toBe(0);
      await Promise.all(clients);
      agent.destroy();
      expect(seen.filter((answer) => answer !== 200)).toEqual([]);
      expect(service.output()).toContain('"cutOff":0');
    }
  });
});
