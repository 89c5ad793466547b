import { randomInt } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { reachOf } from '../../fault.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';
import type { OpeningLock } from './opening-lock.ts';

const EPOCH = Buffer.from('epoch');
const REVISION = Buffer.from('revision');
const EPOCH_MAX = 2 ** 48 - 1;

/** What the fence asks outside the store. */
export interface FenceOptions {
  /** While a task runs, no other process opens the data. */
  readonly opening: Pick<OpeningLock, 'during'>;
  /** Whether the open data file is still the one at its path. */
  readonly isInPlace: () => boolean;
  /** The number of the last transaction that the data file holds. */
  readonly lastTransaction: () => bigint;
}

/**
 * Stops a writer that is no longer the only one. Each writer puts a new random epoch into the store in its first
 * transaction. Before each later transaction writes, it compares the stored epoch and revision with the writer's own.
 * LMDB orders the transactions of all processes: if both are the same, nobody else has committed since, and the
 * writer's memory (next node ids, counts, kinds) matches the store.
 */
export class Fence {
  readonly #tables: Tables;
  readonly #options: FenceOptions;
  readonly #epoch = randomInt(1, EPOCH_MAX);
  readonly #found: number;
  #isRenewed: boolean;

  /**
   * Renews the epoch. If that cannot be stored now (a full disk), the first transaction that can be stored does it.
   * @throws EngineError `fenced`
   */
  constructor(tables: Tables, options: FenceOptions) {
    this.#tables = tables;
    this.#options = options;
    this.#found = this.#stored();
    this.#isRenewed = this.#renew();
  }

  get isRenewed(): boolean {
    return this.#isRenewed;
  }

  #renew(): boolean {
    try {
      this.#run(() => this.#putEpoch());
      return true;
    } catch (error) {
      if (reachOf(error) !== 'batch') throw error;
      return false;
    }
  }

  #stored(): number {
    const epoch = this.#tables.meta.getBinaryFast(EPOCH);
    return epoch === undefined ? 0 : readRevision(epoch);
  }

  /**
   * Runs a task in a write transaction. `revision` is the last one that this writer committed.
   * @throws EngineError `fenced`, `unavailable`, and what `task` throws; then nothing is written
   */
  transact<T>(revision: number, task: () => T): T {
    return this.#run(() => {
      this.#require(revision);
      return task();
    });
  }

  #run<T>(task: () => T): T {
    return this.#options.opening.during(() => this.#tables.root.transactionSync(task));
  }

  /** Until an epoch is stored, no revision tells that this transaction does not build on the last one. */
  #putEpoch(): void {
    const { root, meta } = this.#tables;
    const last = this.#options.lastTransaction();
    // lmdb has this method, but its types do not
    const base = BigInt((root as unknown as { getWriteTxnId(): number }).getWriteTxnId()) - 1n;
    if (base !== last) throw fenced(`another process wrote transaction ${last} while this one opened the data`);
    meta.putSync(EPOCH, revisionKey(this.#epoch));
  }

  #require(revision: number): void {
    const { meta } = this.#tables;
    const epoch = this.#stored();
    if (epoch === this.#epoch) this.#isRenewed = true;
    else if (this.#isRenewed || epoch !== this.#found) {
      throw fenced('another process has opened the data for writing');
    }
    const stored = meta.getBinaryFast(REVISION);
    const found = stored === undefined ? 0 : readRevision(stored);
    if (found !== revision) throw fenced(`the data is at revision ${found}, but this writer left it at ${revision}`);
    if (!this.#options.isInPlace()) throw fenced('the data file was removed or replaced');
    // this transaction may be rolled back: the epoch is known to be stored only when a later one finds it
    if (!this.#isRenewed) this.#putEpoch();
  }
}

function fenced(reason: string): EngineError {
  return new EngineError('fenced', `${reason}: this writer stops, and pending commands are not written`);
}
