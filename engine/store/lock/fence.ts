import { randomInt } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { reachOf } from '../../fault.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

const EPOCH = Buffer.from('epoch');
const REVISION = Buffer.from('revision');
const EPOCH_MAX = 2 ** 48 - 1;

/**
 * Stops a writer that is no longer the only one. Each writer puts a new random epoch into the store in its first
 * transaction. Before each later transaction writes, it compares the stored epoch and revision with the writer's own.
 * LMDB orders the transactions of all processes: if both are the same, nobody else has committed since, and the
 * writer's memory (next node ids, counts, kinds) matches the store.
 */
export class Fence {
  readonly #tables: Tables;
  readonly #isInPlace: () => boolean;
  readonly #epoch = randomInt(1, EPOCH_MAX);
  readonly #found: number;
  #isRenewed: boolean;

  /**
   * Renews the epoch. If that cannot be stored now (a full disk), the first transaction that can be stored does it.
   * `isInPlace` tells whether the open data file is still the one at its path.
   */
  constructor(tables: Tables, isInPlace: () => boolean) {
    this.#tables = tables;
    this.#isInPlace = isInPlace;
    this.#found = this.#stored();
    this.#isRenewed = this.#renew();
  }

  get isRenewed(): boolean {
    return this.#isRenewed;
  }

  #renew(): boolean {
    try {
      this.#tables.meta.putSync(EPOCH, revisionKey(this.#epoch));
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
   * To be called in a write transaction, before its first write. `revision` is the last one that this writer committed.
   * @throws EngineError `fenced`
   */
  require(revision: number): void {
    const { meta } = this.#tables;
    const epoch = this.#stored();
    if (epoch === this.#epoch) this.#isRenewed = true;
    else if (this.#isRenewed || epoch !== this.#found) {
      throw fenced('another process has opened the data for writing');
    }
    const stored = meta.getBinaryFast(REVISION);
    const found = stored === undefined ? 0 : readRevision(stored);
    if (found !== revision) throw fenced(`the data is at revision ${found}, but this writer left it at ${revision}`);
    if (!this.#isInPlace()) throw fenced('the data file was removed or replaced');
    // this transaction may be rolled back: the epoch is known to be stored only when a later one finds it
    if (!this.#isRenewed) meta.putSync(EPOCH, revisionKey(this.#epoch));
  }
}

function fenced(reason: string): EngineError {
  return new EngineError('fenced', `${reason}: this writer stops, and pending commands are not written`);
}
