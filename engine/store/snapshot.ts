import type { EventEmitter } from 'node:events';
import { EngineError } from '../errors.ts';
import type { Tables } from './environment.ts';
import { readRevision } from './layout.ts';
import type { ReadTransaction } from './scan/read-transaction.ts';

/** Thrown through a read when lmdb renews its read transaction in the middle; caught by `Snapshot.read`, nowhere else. */
const MOVED = new Error('the snapshot moved');
const REVISION = Buffer.from('revision');
const RENEWALS_MAX = 1000;

/** Where the writer announces the low 32 bits of the last durable revision. */
export const ANNOUNCED_REVISION = 0;
/** And whether the last batch could not be stored: 1, else 0. */
export const ANNOUNCED_FAILURE = 1;
export const ANNOUNCED_BYTES = 8;

/** Caches can only follow forward. What another program opens without `openBetweenWrites` may go back by one commit. */
function setBack(from: number, to: number): EngineError {
  const reason = `the store went back from revision ${from} to ${to}`;
  return new EngineError('unavailable', `${reason}: another program has opened it while it was written`);
}

/**
 * One thread's view of the store at one revision.
 *
 * lmdb ends a thread's read transaction after each turn of the event loop and begins the next one at the first read,
 * without a word. A cache that was exact at the old revision would then be mixed with reads at a new one. So the
 * snapshot listens for every beginning, reads the revision inside the new transaction, and where it differs from the
 * one that the caches follow, abandons the read, brings the caches up to date and runs the read again. A shared
 * counter only says when to renew: it is never taken for the snapshot's own revision.
 *
 * No read transaction outlives a turn, so that the writer can use freed pages again.
 */
export class Snapshot {
  readonly #tables: Tables;
  readonly #announced: Int32Array;
  readonly #transaction: ReadTransaction | undefined;
  /** Called with (last revision followed, revision of the new snapshot) inside the new snapshot. */
  #follow: (from: number, to: number) => void = () => {};
  #revision: number;
  #renewing = false;
  #reading = false;
  /** A read transaction began outside `read`: what it sees is not known to be what the caches follow. */
  #stale = false;

  /**
   * `announced` is what the writer tells all threads: see `ANNOUNCED_REVISION`, `ANNOUNCED_FAILURE`. `transaction` is
   * told of every read.
   */
  constructor(tables: Tables, announced: Int32Array, transaction?: ReadTransaction) {
    this.#tables = tables;
    this.#announced = announced;
    this.#transaction = transaction;
    // lmdb's tables are emitters; their own `on` fails for this event, which `addListener` does not go through.
    for (const table of emittersOf(tables)) table.addListener('begin-transaction', this.#began);
    this.#revision = 0;
    this.#renewing = true;
    this.#revision = this.#readRevision();
    this.#renewing = false;
  }

  /** lmdb keeps the tables of an environment that is closed, and would keep with them all that reads through this. */
  release(): void {
    for (const table of emittersOf(this.#tables)) table.removeListener('begin-transaction', this.#began);
  }

  /** The revision that the last read saw. Inside `read`, that of the read. */
  get revision(): number {
    return this.#revision;
  }

  /** The revision that a read beginning now would see; inside `read`, that of the read. */
  current(): number {
    if (!this.#reading && this.#isBehind()) this.#renew();
    return this.#revision;
  }

  get canWrite(): boolean {
    return Atomics.load(this.#announced, ANNOUNCED_FAILURE) === 0;
  }

  onRenewal(follow: (from: number, to: number) => void): void {
    this.#follow = follow;
  }

  /** Runs a synchronous read wholly inside one snapshot, at least as new as the last announced revision. */
  read<T>(task: () => T): T {
    if (this.#reading) return task();
    if (this.#isBehind()) this.#renew();
    this.#reading = true;
    this.#transaction?.passRead(true);
    try {
      return this.#attempt(task);
    } finally {
      this.#reading = false;
      this.#transaction?.passRead(false);
    }
  }

  /** The next read sees what is stored now: also what was written by no commit, of which nobody is told. */
  renew(): void {
    if (!this.#reading) this.#renew();
  }

  #isBehind(): boolean {
    return this.#stale || Atomics.load(this.#announced, ANNOUNCED_REVISION) !== (this.#revision | 0);
  }

  #attempt<T>(task: () => T): T {
    for (let attempt = 0; attempt < RENEWALS_MAX; attempt++) {
      try {
        return task();
      } catch (error) {
        if (error !== MOVED) throw error;
        this.#renew();
      }
    }
    throw new EngineError('timeout', 'the store changed faster than it could be read');
  }

  #renew(): void {
    this.#renewing = true;
    try {
      this.#tables.root.resetReadTxn();
      const from = this.#revision;
      const to = this.#readRevision();
      if (to < from) throw setBack(from, to);
      this.#revision = to;
      this.#stale = false;
      if (to !== from) this.#follow(from, to);
    } finally {
      this.#renewing = false;
    }
  }

  readonly #began = (): void => {
    this.#transaction?.end();
    if (this.#renewing) return;
    if (!this.#reading) {
      this.#stale = true;
      return;
    }
    this.#renewing = true;
    const revision = this.#readRevision();
    this.#renewing = false;
    if (revision !== this.#revision) throw MOVED;
  };

  #readRevision(): number {
    const bytes = this.#tables.meta.getBinaryFast(REVISION);
    return bytes === undefined ? 0 : readRevision(bytes);
  }
}

function emittersOf(tables: Tables): EventEmitter[] {
  return Object.values(tables).filter((table) => table !== tables.root) as unknown as EventEmitter[];
}
