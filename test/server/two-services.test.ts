import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { bundledScript } from '../engine/crash/bundled-script.ts';
import { namespaces, titleOf } from '../engine/store/lock/namespaces.ts';
import { writeTwice } from '../engine/store/two-writers.ts';
import { type Organization, RunningService, type SpawnedService, spawnService } from './running-service.ts';

// each test starts the service once or twice, which takes seconds on a busy machine
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const IN_USE = 3;
const FAILED = 70;
const TAKE_OVER = fileURLToPath(new URL('../engine/crash/take-over.ts', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'relata-two-'));
let service: RunningService;
let org: Organization;
let second: SpawnedService | undefined;

beforeAll(async () => {
  service = await RunningService.start({}, folder);
  org = await service.organization('acme');
  await org.model('type user', 'type document', '  relations', '    define viewer: [user]');
});
afterEach(() => {
  second?.child.kill('SIGKILL');
});
afterAll(() => service.remove());

/** Answers the exit code of another service on the same folder, and what it said. */
async function startAnother(
  prefix: readonly string[],
): Promise<{ readonly code: number | null; readonly said: string }> {
  second = spawnService(folder, {}, prefix);
  await Promise.race([
    once(second.child, 'exit'),
    expect.poll(second.output, { timeout: 200_000 }).toMatch(/serves at/),
  ]);
  return { code: second.child.exitCode, said: second.output() };
}

const places = [{ name: 'beside it', prefix: [], missing: undefined }, ...namespaces];

describe('two services on one folder', () => {
  for (const place of places) {
    test.skipIf(place.missing !== undefined)(
      `the second does not start while the first is stopped by a signal: ${titleOf(place)}`,
      async () => {
        process.kill(service.pid, 'SIGSTOP');
        const { code, said } = await startAnother(place.prefix);
        process.kill(service.pid, 'SIGCONT');
        expect(said).toMatch(/is used by process \d+ on \S+, since 20/);
        expect(code).toBe(IN_USE);
        await org.write('document:1#viewer@user:anne');
      },
    );
  }

  test('the second does not start where the file of the lock was removed', async () => {
    rmSync(join(folder, 'data', 'relata.lock'));
    const { code, said } = await startAnother([]);
    expect(said).toMatch(/store is used by another process/);
    expect(code).toBe(IN_USE);
    await org.write('document:2#viewer@user:anne');
  });

  test('the first ends, and says why, when another wrote without a lock; what it answered is there', async () => {
    const answered: string[] = [];
    const write = async (client: number): Promise<void> => {
      for (let number = 0; ; number++) {
        const tuple = `document:${client}-${number}#viewer@user:anne`;
        const answer = await org.post('/zanzibar/tuples', { writes: [tuple] });
        if (answer.status !== 200) return;
        answered.push(tuple);
      }
    };
    const clients = Promise.allSettled(Array.from({ length: 8 }, (_, client) => write(client)));
    await expect.poll(() => answered.length, { timeout: 60_000 }).toBeGreaterThan(50);
    const script = await bundledScript(TAKE_OVER);
    const other = spawnSync(process.execPath, [script, join(folder, 'data', 'store')], { encoding: 'utf8' });
    const [first = 0, ...more] = other.stdout.trim().split('\n').map(Number);
    expect(more).toEqual(Array.from({ length: 9 }, (_, n) => first + 1 + n));
    await clients;
    expect(await service.ended()).toBe(FAILED);
    expect(service.output()).toMatch(/a thread has failed: the service ends/);
    expect(service.output()).toMatch(/another process has opened the data for writing/);
    service = await RunningService.start({}, folder);
    const found = await service.call('GET', '/t/acme/api/v1/zanzibar/tuples?relation=viewer&limit=1000', {
      key: org.key,
    });
    const tuples = found.list('tuples') as { readonly object: string }[];
    const objects = new Set(tuples.map(({ object }) => object));
    expect(answered.slice(0, 900).filter((tuple) => !objects.has(tuple.split('#')[0] ?? ''))).toEqual([]);
  });

  test('data that two have written at once is not served, and verify lists the names and says what to do', async () => {
    await service.stop();
    await writeTwice(join(folder, 'data', 'store'), 'org:acme', ['user:beth', 'user:carol']);
    const { code, said } = await startAnother([]);
    expect(said).toMatch(/two processes have written this data at once.*restore the last backup/);
    expect(code).toBe(FAILED);
    const verified = await runCli(['verify', '--data', join(folder, 'data')]);
    expect(verified).toMatchObject({ code: 1, out: expect.stringMatching(/user:beth and user:carol share node \d+/) });
    expect(verified.out).toContain('restore the last backup');
  });
});
