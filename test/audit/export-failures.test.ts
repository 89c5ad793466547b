import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EngineError } from '../../engine/index.ts';
import { removeForgotten } from '../../src/audit/export/export-job.ts';
import { ExportRunner } from '../../src/audit/export/export-runner.ts';
import { problem } from '../../src/http/index.ts';
import { platformStore } from '../../src/kernel/organizations/index.ts';
import { failureOf, type QueryPool } from '../../src/kernel/queries/index.ts';
import { Background, manualClock, silentLog } from '../../src/platform/index.ts';
import { damageRecord } from '../engine/plant-record.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { Organization, RunningService } from '../server/running-service.ts';

vi.setConfig({ testTimeout: 180_000 });

const mayMount = process.getuid?.() === 0 && process.platform === 'linux';

interface Job {
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly records: number | null;
}

async function queue(org: Organization): Promise<() => Promise<Job>> {
  const queued = await org.call('GET', '/admin/audit-logs/export?async=true');
  expect(queued.status).toBe(202);
  const location = queued.headers.get('location') ?? '';
  return async () => (await org.service.call('GET', location, { key: org.key })).at('data') as Job;
}

const patience = { timeout: 60_000 };

describe('an export that fails', () => {
  let service: RunningService | undefined;
  afterEach(() => service?.remove());

  it.skipIf(!mayMount)(
    'for want of space is tried again, and ends nothing (skipped where nothing may be mounted)',
    async () => {
      service = await RunningService.start({ RELATA_THREADS: '1' });
      const org = await service.organization('acme');
      const folder = join(service.folder, 'data/audit-exports');
      await expect.poll(() => existsSync(folder), patience).toBe(true);
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status).toBe(0);
      try {
        const filler = join(folder, 'filler');
        expect(() => writeFileSync(filler, Buffer.alloc(2 ** 20))).toThrow('ENOSPC');
        const job = await queue(org);
        await expect.poll(job, patience).toMatchObject({ reason: 'storage_full' });
        expect(readdirSync(folder)).toEqual(['filler']);
        rmSync(filler);
        await expect.poll(job, patience).toMatchObject({ state: 'done', reason: null });
        expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.csv$/)]);
      } finally {
        spawnSync('umount', ['--lazy', folder]);
      }
    },
  );

  it.skipIf(process.platform === 'win32')('for want of files is tried again', () => {
    const child = fileURLToPath(new URL('export-without-files.mjs', import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, [child], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({
      stdout: '{"state":"queued","reason":"too_many_files","attempts":1}\n{"state":"done","attempts":2}\n',
      stderr: '',
    });
  });

  it('over one entry that cannot be read says so, also after a restart, and keeps no other export', async () => {
    service = await RunningService.start({ RELATA_THREADS: '1' });
    const [acme, other] = [await service.organization('acme'), await service.organization('other')];
    await acme.newKey({});
    const log = await acme.call('GET', '/admin/audit-logs?action=api_key.create');
    await service.stop();
    const store = join(service.folder, 'data/store');
    const place = { store: 'org:acme', collection: 'audit_entries', id: log.text('data.0.id') };
    await damageRecord(store, place, 'bytes that are no record');
    const again = await RunningService.start({ RELATA_THREADS: '1' }, service.folder);
    service = again;
    const [broken, good] = await Promise.all(
      [acme, other].map(({ slug, key }) => queue(new Organization(again, slug, key))),
    );
    await expect.poll(() => broken?.(), patience).toMatchObject({ state: 'queued', reason: 'corrupt', attempts: 1 });
    await expect.poll(() => good?.(), patience).toMatchObject({ state: 'done' });
    const folder = join(service.folder, 'data/audit-exports');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toContainEqual(expect.stringMatching(/^[0-9a-f-]{36}\.csv$/));
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(service.output()).toMatch(/record audit_entries\/\S+ of store \d+ cannot be read/);
  });
});

describe('an export that keeps failing', () => {
  let scratch: ScratchEngine;
  const clock = manualClock(1_800_000_000_000);
  const DAY_MS = 86_400_000;

  beforeEach(async () => {
    scratch = await ScratchEngine.open();
    await scratch.engine.createStore(platformStore);
  });
  afterEach(() => scratch.close());

  function runner(run: QueryPool['run']): ExportRunner {
    const { engine, path: dataDir } = scratch;
    return new ExportRunner({
      engine,
      clock,
      dataDir,
      queryPool: { run },
      background: new Background({ log: silentLog }),
    });
  }

  async function put(job: object = {}): Promise<void> {
    const document = {
      organization: { id: 'o', slug: 'acme' },
      format: 'csv',
      filters: {},
      state: 'queued',
      expiresAt: clock.now() + DAY_MS,
      ...job,
    };
    const record = {
      collection: 'audit_exports',
      id: 'j',
      document,
      indexes: { state: document.state, organization: 'o' },
    };
    await scratch.engine.submit(scratch.engine.command([{ op: 'put_record', store: platformStore, record }]));
  }

  const job = () => scratch.engine.store(platformStore).records.get('audit_exports', 'j')?.document;

  it('waits longer each time, stands as failed after five, and is not begun by another process', async () => {
    await put();
    let begun = 0;
    const failing: QueryPool['run'] = () => {
      begun++;
      return Promise.reject(new EngineError('corrupt', 'a record cannot be read'));
    };
    const gaps: number[] = [];
    for (let at = clock.now(); begun < 5; clock.advance(500)) {
      const before = begun;
      // each step as if by a process of its own
      await runner(failing).step();
      if (begun === before) continue;
      gaps.push(clock.now() - at);
      at = clock.now();
    }
    expect(gaps).toEqual([0, 2_000, 15_000, 60_000, 300_000]);
    expect(job()).toMatchObject({ state: 'failed', reason: 'corrupt', attempts: 5 });
    clock.advance(DAY_MS / 2);
    await runner(failing).step();
    expect(begun).toBe(5);
    expect(readdirSync(join(scratch.path, 'audit-exports'))).toEqual([]);
  });

  it('because the process ends over it is begun five times', async () => {
    await put({ state: 'running', attempts: 5 });
    await runner(() => Promise.reject(new Error('never asked'))).step();
    expect(job()).toMatchObject({ state: 'failed', reason: 'interrupted', attempts: 5 });
  });

  it('because the pool is busy is tried again', async () => {
    await put();
    await runner(() => Promise.resolve(failureOf(problem('unavailable')))).step();
    expect(job()).toMatchObject({ state: 'queued', reason: 'unavailable', attempts: 1 });
    clock.advance(2_000);
    await runner(() => Promise.resolve({ ok: true, text: '{"rows":["a"]}' })).step();
    expect(job()).toMatchObject({ state: 'done', records: 1, attempts: 2 });
    expect(job()).not.toHaveProperty('reason');
  });

  it('because nobody may read the log any more fails at once', async () => {
    await put();
    await runner(() => Promise.resolve(failureOf(problem('forbidden')))).step();
    expect(job()).toMatchObject({ state: 'failed', reason: 'forbidden', attempts: 1 });
  });

  it('leaves no file behind, also where another node has removed the job', async () => {
    await put();
    await runner(() => Promise.resolve({ ok: true, text: '{"rows":["a"]}' })).step();
    const folder = join(scratch.path, 'audit-exports');
    for (const name of ['other.json', 'j.csv.part', 'k.csv.part', 'not-ours']) writeFileSync(join(folder, name), 'x');
    const { engine, path: dataDir } = scratch;
    await removeForgotten({ engine, dataDir });
    expect(readdirSync(folder).toSorted()).toEqual(['j.csv', 'j.csv.part', 'not-ours']);
    await engine.submit(
      engine.command([{ op: 'delete_record', store: platformStore, collection: 'audit_exports', id: 'j' }]),
    );
    await removeForgotten({ engine, dataDir });
    expect(readdirSync(folder)).toEqual(['not-ours']);
  });

  it('does not keep those behind it: a job whose record is damaged is passed over', async () => {
    await put();
    const record = {
      collection: 'audit_exports',
      id: 'a',
      document: null,
      indexes: { state: 'queued', organization: 'p' },
    };
    await scratch.engine.submit(scratch.engine.command([{ op: 'put_record', store: platformStore, record }]));
    await runner(() => Promise.resolve({ ok: true, text: '{"rows":[]}' })).step();
    expect(job()).toMatchObject({ state: 'done' });
  });
});
