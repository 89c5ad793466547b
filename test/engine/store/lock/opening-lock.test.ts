import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../../engine/engine.ts';
import { copyStore } from '../../../../engine/store/copy.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { lastTransaction } from '../../../../engine/store/folder/data-file.ts';
import { Fence } from '../../../../engine/store/lock/fence.ts';
import { tryLockHandle } from '../../../../engine/store/lock/file-lock.ts';
import { OpeningLock } from '../../../../engine/store/lock/opening-lock.ts';
import { proveChains } from '../../../../engine/store/verify/prove-chains.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';

/** A thread that holds the lock for a while, as a process does that opens the data: the test's own thread waits in its write. */
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { closeSync, openSync } = require('node:fs');
  const handle = openSync(workerData, 'r');
  if (!require('fs-native-extensions').tryLock(handle, 2 ** 50, 1, { shared: true })) throw new Error('not locked');
  parentPort.postMessage('held');
  setTimeout(() => closeSync(handle), 300);
`;

let path: string;
let engine: Engine | undefined;
const handles: number[] = [];

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'relata-opening-'));
  engine = await Engine.open({ path });
  await engine.createStore('a');
});
afterEach(async () => {
  await engine?.close();
  for (const handle of handles.splice(0)) closeSync(handle);
  rmSync(path, { recursive: true, force: true });
});

/** What another process does while it opens the data; `shared` is false for one that is writing. */
function hold(shared: boolean): number {
  const handle = openSync(join(path, 'opening.lock'), constants.O_RDWR);
  expect(tryLockHandle(handle, { shared })).toBe(true);
  return handle;
}

/** What LMDB does to all processes if a commit ends while another process opens the data. */
function setBackByOne(): void {
  const file = join(path, 'lock.mdb');
  const at = { words: 1, bytes: 8 };
  const last = readFileSync(file).readBigUInt64LE(at.bytes);
  expect(last).toBe(lastTransaction(join(path, 'data.mdb')));
  const earlier = Buffer.alloc(at.bytes);
  earlier.writeBigUInt64LE(last - 1n);
  // by a process of its own: if this one closed the file, LMDB's locks on it would end
  const command = ['dd', `of=${file}`, `bs=${at.bytes}`, `seek=${at.words}`, 'conv=notrunc', 'status=none'];
  expect(spawnSync(command[0] as string, command.slice(1), { input: earlier }).status).toBe(0);
}

describe('data that is open for writing', () => {
  it.each([
    { name: 'a backup', open: () => copyStore(path, join(path, 'copy')) },
    { name: 'a look through it', open: () => verifyStore(path) },
    { name: 'a proof of its chains', open: () => proveChains(path, { tag: 'audit' } as never, () => false) },
  ])('is opened by $name only between two writes', async ({ open }) => {
    const writing = hold(false);
    let isOpen = false;
    const opened = open().then(() => {
      isOpen = true;
    });
    await sleep(100);
    expect(isOpen).toBe(false);
    closeSync(writing);
    await opened;
  });

  it('is written only while no process opens it', async () => {
    const holder = new Worker(HOLDER, { eval: true, workerData: join(path, 'opening.lock') });
    await once(holder, 'message');
    const start = performance.now();
    await engine?.createStore('b');
    expect(performance.now() - start).toBeGreaterThan(200);
    expect(engine?.storeNames()).toEqual(['a', 'b']);
    await holder.terminate();
  });

  it('refuses a write after a while, as one that can be tried again', () => {
    handles.push(hold(true));
    const lock = new OpeningLock(path, 20);
    expect(() => lock.during(() => {})).toThrow(expect.objectContaining({ code: 'unavailable' }));
    lock.release();
  });

  it('is readable by its owner alone, the file of this lock included', () => {
    expect(statSync(join(path, 'opening.lock')).mode & 0o077).toBe(0);
  });
});

describe('data that was set back by one transaction', () => {
  it('is not read, because caches are ahead of it', async () => {
    await engine?.createStore('b');
    expect(engine?.storeNames()).toEqual(['a', 'b']);
    setBackByOne();
    await sleep(10);
    expect(() => engine?.storeNames()).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });

  it('is not written: nothing of what was acknowledged is lost', async () => {
    await engine?.createStore('b');
    setBackByOne();
    await expect(engine?.createStore('c')).rejects.toMatchObject({ code: 'fenced' });
    await engine?.close();
    engine = await Engine.open({ path });
    expect(engine.storeNames()).toEqual(['a', 'b']);
  });

  it('takes no new writer', async () => {
    await engine?.createStore('b');
    const tables = openTables({ path });
    const lastOf = (): bigint => lastTransaction(join(path, 'data.mdb'));
    const options = { opening: { during: <T>(task: () => T) => task() }, isInPlace: () => true };
    setBackByOne();
    expect(() => new Fence(tables, { ...options, lastTransaction: lastOf })).toThrow(
      expect.objectContaining({ code: 'fenced' }),
    );
    await tables.root.close();
    await engine?.close();
    engine = await Engine.open({ path });
    expect(engine.storeNames()).toEqual(['a', 'b']);
  });
});
