import type { Tables } from '../../environment.ts';
import { type ListingScope, memberKey } from '../listing-keys.ts';
import { clearBit, RANGE, RANGE_BITS, type RowBits, readSet, setBit, setBytes } from '../sets/row-sets.ts';

/** Sets in memory, before they are written in the middle of a transaction. */
const CHANGED_MAX = 4_096;

const OBJECTS = 2 ** 32;

interface ChangedSet {
  readonly key: Buffer;
  readonly bits: RowBits;
}

/** Which rows are subjects of an object's tuples, as the writer changes them: range by range, each set written once. */
export class MemberSets {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  /** By range, then by membership and object in one number. */
  readonly #changed = new Map<number, Map<number, ChangedSet>>();
  #count = 0;

  constructor(tables: Tables, scope: ListingScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  set(membership: number, object: number, row: number, isMember: boolean): void {
    const { bits } = this.#of(membership, object, row >>> RANGE_BITS);
    const at = row & (RANGE - 1);
    if (isMember) setBit(bits, at);
    else clearBit(bits, at);
  }

  /** Writes what changed in memory, and forgets it. */
  flush(): void {
    for (const sets of this.#changed.values()) {
      for (const { key, bits } of sets.values()) {
        const bytes = setBytes(bits);
        if (bytes === undefined) this.#tables.listings.removeSync(key);
        else this.#tables.listings.putSync(key, Buffer.from(bytes));
      }
    }
    this.#changed.clear();
    this.#count = 0;
  }

  #of(membership: number, object: number, range: number): ChangedSet {
    const name = membership * OBJECTS + object;
    const known = this.#changed.get(range)?.get(name);
    if (known !== undefined) return known;
    if (this.#count >= CHANGED_MAX) this.flush();
    const key = memberKey(this.#scope, membership, object, range);
    const set = { key, bits: readSet(this.#tables.listings.getBinaryFast(key)) };
    const sets = this.#changed.get(range) ?? new Map<number, ChangedSet>();
    this.#changed.set(range, sets.set(name, set));
    this.#count++;
    return set;
  }
}
