import { randomInt } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { reachOf } from '../../fault.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

const EPOCH = Buffer.from('epoch');
const REVISION = Buffer.from('revision');
const EPOCH_MAX = 2 ** 48 - 1;

/**
 * Keeps a writer that is no longer the only one from writing. Each that opens the store renews its epoch, a random
 * number, in its first transaction; in every later one it compares the epoch and the revision with its own before it
 * writes. LMDB orders the transactions of all processes: where both are the writer's own, nobody else has committed
 * anything since it did, and all that it has in memory (next node ids, counts, kinds) is what the store has.
 */
export class Fence {
  readonly #tables: Tables;
  readonly #isInPlace: () => boolean;
  readonly #epoch = randomInt(1, EPOCH_MAX);
  readonly #found: number;
  #isRenewed: boolean;

  /**
   * Renews the epoch. Where the storage cannot take that now (a full disk), the first transaction that it can take
   * does. `isInPlace` tells whether the open data file is still the one at its path.
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
   * Inside of a write transaction, before its first write. `revision` is the last one that this writer committed.
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
    // whether it stays is known when a later transaction finds it: this one may be rolled back
    if (!this.#isRenewed) meta.putSync(EPOCH, revisionKey(this.#epoch));
  }
}

function fenced(reason: string): EngineError {
  return new EngineError('fenced', `${reason}: this writer stops, and pending commands are not written`);
}
