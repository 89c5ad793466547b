import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../../engine/store/lock/folder-lock.ts';
import { bundledScript } from '../../crash/bundled-script.ts';
import { namespaces, titleOf } from './namespaces.ts';

const scratch = mkdtempSync(join(tmpdir(), 'relata-lock-'));
const running = new Set<ChildProcess>();
let holderScript: string;

beforeAll(async () => {
  holderScript = await bundledScript(fileURLToPath(new URL('./hold-folder-lock.ts', import.meta.url)));
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

const folderOf = (name: string): string => mkdtempSync(join(scratch, `${name}-`));

interface Child {
  readonly process: ChildProcess;
  readonly outcome: Promise<string>;
  kill(): Promise<void>;
}

function contend(folder: string, prefix: readonly string[] = [], more: readonly string[] = []): Child {
  const [command = '', ...parameters] = [...prefix, process.execPath, holderScript, folder, ...more];
  const child = spawn(command, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const outcome = new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data).trim())));
  return {
    process: child,
    outcome,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the lock of a folder', () => {
  test('is held by one, names its holder, and is free after release', () => {
    const folder = folderOf('one');
    const lock = lockFolder(folder);
    const again = () => lockFolder(folder);
    expect(again).toThrow(expect.objectContaining({ code: 'in_use', details: { holder: expect.anything() } }));
    expect(again).toThrow(`${folder} is used by process ${process.pid} on ${hostname()}, since 20`);
    lock.release();
    expect(readFileSync(join(folder, 'relata.lock'), 'utf8')).toBe('');
    const next = lockFolder(folder);
    // what is released twice does not let go of the next one's
    lock.release();
    expect(again).toThrow(expect.objectContaining({ code: 'in_use' }));
    next.release();
  });

  test('a process that was killed does not keep it', async () => {
    const folder = folderOf('killed');
    const child = contend(folder);
    expect(await child.outcome).toBe('held');
    expect(() => lockFolder(folder)).toThrow(`process ${child.process.pid}`);
    await child.kill();
    expect(existsSync(join(folder, 'relata.lock'))).toBe(true);
    lockFolder(folder).release();
  });

  test('a child that outlives its holder does not keep it', async () => {
    const folder = folderOf('child');
    const holder = contend(folder, [], ['with a child']);
    const [outcome, child] = (await holder.outcome).split(' ');
    expect(outcome).toBe('held');
    await holder.kill();
    // it is alive: a signal reaches it
    process.kill(Number(child), 0);
    lockFolder(folder).release();
    process.kill(Number(child), 'SIGKILL');
  });

  test('of several that find an abandoned one, exactly one takes it', async () => {
    const folder = folderOf('race');
    const first = contend(folder);
    await first.outcome;
    await first.kill();
    const contenders = Array.from({ length: 4 }, () => contend(folder));
    const outcomes = await Promise.all(contenders.map((child) => child.outcome));
    await Promise.all(contenders.map((child) => child.kill()));
    expect(outcomes.toSorted()).toEqual(['held', 'in_use', 'in_use', 'in_use']);
  });

  test('a holder that is stopped keeps it, however old its file is', async () => {
    const folder = folderOf('stopped');
    const child = contend(folder);
    expect(await child.outcome).toBe('held');
    child.process.kill('SIGSTOP');
    // nothing that is written into the file decides, nor that it is not touched
    writeFileSync(join(folder, 'relata.lock'), JSON.stringify({ pid: 1, host: 'gone', since: '2020-01-01' }));
    expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'in_use' }));
    await child.kill();
    lockFolder(folder).release();
  });

  test.each([
    { name: 'a holder that is gone', text: '{"pid":1,"host":"elsewhere","since":"2026-01-01T00:00:00.000Z"}' },
    { name: 'this very process, and no lock', text: JSON.stringify({ pid: process.pid, host: hostname() }) },
    { name: 'nobody', text: 'x' },
  ])('a file that names $name is no lock', ({ text }) => {
    const folder = folderOf('leftover');
    writeFileSync(join(folder, 'relata.lock'), text);
    lockFolder(folder).release();
  });

  for (const namespace of namespaces) {
    test.skipIf(namespace.missing !== undefined)(`a process ${titleOf(namespace)} does not take it`, async () => {
      const folder = folderOf('namespace');
      const lock = lockFolder(folder);
      const contender = contend(folder, namespace.prefix);
      expect(await contender.outcome).toBe('in_use');
      await contender.kill();
      lock.release();
      const holder = contend(folder, namespace.prefix);
      expect(await holder.outcome).toBe('held');
      expect(() => lockFolder(folder)).toThrow(expect.objectContaining({ code: 'in_use' }));
      await holder.kill();
    });
  }
});
