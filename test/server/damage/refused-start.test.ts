import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RunningService, spawnService } from '../running-service.ts';
import { damages } from './damages.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let used: string;
let folder: string;

beforeAll(async () => {
  const service = await RunningService.start({ RELATA_THREADS: '1', RELATA_PLATFORM_KEY: '' });
  await service.stop();
  used = service.folder;
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-damaged-'));
  cpSync(used, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => rmSync(used, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
}

async function serve(environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { child, output } = spawnService(folder, environment);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, text: output() };
}

/** What the others are met with, `Engine.open` tells: the same look at the file. */
const some = damages.filter(({ name }) => /^(gone|empty|cut to a half|without its|of another program)/.test(name));
const refusal = { code: 70, signal: null };

describe('a service whose data file is', () => {
  test.each(some)('$name does not start, and says what to do', async ({ to, expect: expected }) => {
    to(join(folder, 'data/store/data.mdb'));
    const ended = await serve();
    expect(ended).toMatchObject(refusal);
    expect(ended.text).toMatch(expected);
    expect(ended.text).toMatch(/restore a backup with "relata restore", or move the data folder away/);
    // one line after the one of the start: neither a stack nor what the system says of a process that was killed
    expect(ended.text.trim().split('\n')).toEqual([expect.stringContaining(' is starting'), expect.any(String)]);
  });
});

test('a store that is gone with its folder is missed by its keys', async () => {
  rmSync(join(folder, 'data/store'), { recursive: true });
  const ended = await serve();
  expect(ended).toMatchObject(refusal);
  expect(ended.text).toMatch(/is missing, although the folder was in use/);
  expect(readdirSync(join(folder, 'data'))).not.toContain('store');
});

test('data that is gone is missed by its lock file, where the keys are kept elsewhere', async () => {
  for (const key of ['master-key', 'platform-key']) rmSync(join(folder, 'data', key));
  rmSync(join(folder, 'data/store/data.mdb'));
  expect(await serve({ RELATA_MASTER_KEY: 'm'.repeat(32) })).toMatchObject(refusal);
});

test('a store that is gone with its folder is missed by the note of the time, where the keys are kept elsewhere', async () => {
  for (const name of ['master-key', 'platform-key', 'store']) rmSync(join(folder, 'data', name), { recursive: true });
  expect(await serve({ RELATA_MASTER_KEY: 'm'.repeat(32) })).toMatchObject(refusal);
});

test('a first start that ended before it had made its data begins anew', async () => {
  rmSync(join(folder, 'data'), { recursive: true });
  cpSync(join(used, 'data/store'), join(folder, 'data/store/making'), { recursive: true });
  const service = await RunningService.start({ RELATA_THREADS: '1' }, folder);
  expect(readdirSync(join(folder, 'data/store'))).not.toContain('making');
  await service.stop();
});
