import { SecondChanceCache } from '../../memory/second-chance-cache.ts';
import { DELETED } from '../../store/change-log.ts';
import { QUALIFIED } from '../../store/edge-key.ts';
import { KeptOffsets } from './kept-offsets.ts';

const COUNTS_MAX = 20_000;

/**
 * How many subjects an object's tuples of one shape name, where they are too many for a list. To count a million takes some
 * 50 ms, so that a count is followed from commit to commit.
 */
export class KeptCounts {
  /** Touched and cleared with the counts. */
  readonly offsets = new KeptOffsets();
  readonly #counts = new SecondChanceCache<string, number>(COUNTS_MAX);

  of(store: number, object: number, kinds: number, count: () => number): number {
    const name = nameOf(store, object, kinds);
    let known = this.#counts.get(name);
    if (known === undefined) {
      known = count();
      this.#counts.set(name, known);
    }
    return known;
  }

  /**
   * Takes in one tuple of a commit. A tuple with a condition or an expiry may replace one without, or the other way
   * round, and the commit does not say so: then both are counted anew.
   * @param isMixed whether there are tuples with a condition or an expiry beside this one without
   */
  touch(op: number, store: number, object: number, kinds: number, isMixed: boolean): void {
    this.offsets.touch(store, object, kinds);
    if (this.#counts.size === 0) return;
    const bare = kinds & ~QUALIFIED;
    const name = nameOf(store, object, bare);
    const known = isMixed || bare !== kinds ? undefined : this.#counts.peek(name);
    if (known === undefined) this.#counts.delete(name);
    else this.#counts.set(name, known + (op === DELETED ? -1 : 1));
    this.#counts.delete(nameOf(store, object, bare | QUALIFIED));
  }

  clear(): void {
    this.offsets.clear();
    this.#counts.clear();
  }
}

function nameOf(store: number, object: number, kinds: number): string {
  return `${store}/${object}/${kinds >>> 0}`;
}
