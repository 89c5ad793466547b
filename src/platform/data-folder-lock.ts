import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Another process uses the data folder. The message says which, so that an operator can act. */
export class FolderLockedError extends Error {
  readonly holder: LockHolder;

  constructor(folder: string, holder: LockHolder) {
    super(
      `${folder} is used by process ${holder.pid} on ${holder.host}, since ${holder.since}: stop it, or use another folder`,
    );
    this.name = 'FolderLockedError';
    this.holder = holder;
  }
}

export interface LockHolder {
  readonly pid: number;
  /** When the process started, as the kernel counts it: a later process with the same number differs here. */
  readonly started: string;
  /** The machine or container, and the boot of it. A process number means nothing outside of them. */
  readonly host: string;
  readonly boot: string;
  readonly since: string;
  readonly nonce: string;
}

export interface FolderLock {
  release(): void;
}

const lockName = 'relata.lock';
const heartbeatMs = 2_000;
/** Silence after which a holder on another machine or in another container counts as gone. */
const silentMs = 30_000;

/**
 * Takes the data folder for this process. Node.js has no flock, so the lock is a file that appears by `link`, which
 * fails where one exists, and names its holder. What a killed process leaves is recognised: here by the process and its
 * start time, from another host or container by a heartbeat that stopped.
 *
 * Not guaranteed: two processes that find the same abandoned lock within the same instant are told apart by reading the
 * file back, not by the kernel.
 * @throws FolderLockedError
 */
export function lockFolder(folder: string): FolderLock {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, lockName);
  const mine: LockHolder = { ...thisProcess(), since: new Date().toISOString(), nonce: randomUUID() };
  const draft = join(folder, `${lockName}.${mine.nonce}`);
  writeDurably(draft, JSON.stringify(mine));
  try {
    for (let attempt = 0; attempt < 8; attempt++) {
      if (tryLink(draft, file) && readHolder(file)?.holder.nonce === mine.nonce) return hold(file, mine);
      const current = readHolder(file);
      if (current === undefined) continue;
      if (isAlive(current)) throw new FolderLockedError(folder, current.holder);
      removeAbandoned(file, current);
    }
  } finally {
    unlinkSync(draft);
  }
  throw new Error(`${file} changes hands too quickly to be taken`);
}

interface FoundLock {
  readonly holder: LockHolder;
  readonly touched: number;
}

function hold(file: string, mine: LockHolder): FolderLock {
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // a folder that was removed or became read-only shows itself in the store, with a better message
    }
  }, heartbeatMs);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      if (readHolder(file)?.holder.nonce === mine.nonce) unlinkSync(file);
    },
  };
}

function isAlive({ holder, touched }: FoundLock): boolean {
  const here = thisProcess();
  if (holder.host !== here.host || holder.boot !== here.boot) return Date.now() - touched < silentMs;
  return processStart(holder.pid) === holder.started;
}

function removeAbandoned(file: string, found: FoundLock): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  // somebody may have replaced the abandoned lock between reading and renaming: then it is put back
  if (readHolder(aside)?.holder.nonce !== found.holder.nonce) tryLink(aside, file);
  unlinkSync(aside);
}

function readHolder(file: string): FoundLock | undefined {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const { mtimeMs } = fstatSync(handle);
    return { holder: JSON.parse(readFileSync(handle, 'utf8')) as LockHolder, touched: mtimeMs };
  } catch (cause) {
    throw new Error(`${file} cannot be read: remove it if no process uses the folder`, { cause });
  } finally {
    closeSync(handle);
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

function writeDurably(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function thisProcess(): Pick<LockHolder, 'pid' | 'started' | 'host' | 'boot'> {
  return { pid: process.pid, started: processStart(process.pid), host: hostname(), boot: bootId() };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Start time of a process in clock ticks since boot (proc(5), field 22); `''` where it does not run. */
function processStart(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the second field is the command in parentheses, which may itself contain spaces and parentheses
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? '' : (fields[19] ?? '');
  } catch {
    return isRunning(pid) ? 'running' : '';
  }
}

/** For systems without /proc: the number alone must do. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}
