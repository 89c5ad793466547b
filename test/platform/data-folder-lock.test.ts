import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { FolderLockedError, type LockHolder, lockFolder } from '../../src/platform/index.ts';

const holderScript = fileURLToPath(new URL('./hold-folder-lock.ts', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'relata-lock-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const folderOf = (name: string): string => mkdtempSync(join(scratch, `${name}-`));

interface Child {
  readonly outcome: Promise<string>;
  kill(): Promise<void>;
}

function contend(folder: string): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', holderScript, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const outcome = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())));
  return {
    outcome,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function foreignLock(folder: string, age: number): void {
  const holder: LockHolder = {
    pid: 1,
    started: '1',
    host: 'elsewhere',
    boot: 'other',
    since: '2026-01-01',
    nonce: 'n',
  };
  const file = join(folder, 'relata.lock');
  writeFileSync(file, JSON.stringify(holder));
  const touched = new Date(Date.now() - age);
  utimesSync(file, touched, touched);
}

describe('the lock of a data folder', () => {
  test('is held by one, names its holder, and is free after release', () => {
    const folder = folderOf('one');
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(FolderLockedError);
    expect(() => lockFolder(folder)).toThrow(`process ${process.pid}`);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    lockFolder(folder).release();
  });

  test('a process that was killed does not keep it', async () => {
    const folder = folderOf('killed');
    const child = contend(folder);
    expect(await child.outcome).toBe('held');
    expect(() => lockFolder(folder)).toThrow(FolderLockedError);
    await child.kill();
    expect(existsSync(join(folder, 'relata.lock'))).toBe(true);
    lockFolder(folder).release();
  });

  test('of several that find an abandoned one, exactly one takes it', async () => {
    const folder = folderOf('race');
    const first = contend(folder);
    await first.outcome;
    await first.kill();
    const contenders = Array.from({ length: 4 }, () => contend(folder));
    const outcomes = await Promise.all(contenders.map((child) => child.outcome));
    await Promise.all(contenders.map((child) => child.kill()));
    expect(outcomes.toSorted()).toEqual(['held', 'locked', 'locked', 'locked']);
  });

  test('a later process with the number of a dead holder does not revive it', () => {
    const folder = folderOf('number');
    const lock = lockFolder(folder);
    const file = join(folder, 'relata.lock');
    const holder = JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
    lock.release();
    writeFileSync(file, JSON.stringify({ ...holder, started: '1' }));
    lockFolder(folder).release();
  });

  test('a holder in another container counts as long as its heartbeat is young', () => {
    const folder = folderOf('foreign');
    foreignLock(folder, 1_000);
    expect(() => lockFolder(folder)).toThrow('on elsewhere');
    foreignLock(folder, 60_000);
    lockFolder(folder).release();
  });

  test('a file that is no lock is not thrown away', () => {
    const folder = folderOf('junk');
    writeFileSync(join(folder, 'relata.lock'), 'x');
    expect(() => lockFolder(folder)).toThrow(/cannot be read/);
  });
});
