import type { Tables } from '../../environment.ts';
import { type ListingScope, memberKey } from '../listing-keys.ts';
import { clearBit, RANGE, RANGE_BITS, type RowBits, readSet, setBit, setBytes } from '../sets/row-sets.ts';

/** Sets in memory, before they are written in the middle of a transaction. */
const CHANGED_MAX = 4_096;

/** Which rows are subjects of an object's tuples, as the writer changes them: range by range, each set written once. */
export class MemberSets {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #changed = new Map<string, { readonly key: Buffer; readonly bits: RowBits }>();

  constructor(tables: Tables, scope: ListingScope) {
    this.#tables = tables;
    this.#scope = scope;
  }

  set(membership: number, object: number, row: number, isMember: boolean): void {
    const range = row >>> RANGE_BITS;
    const bits = this.#of(membership, object, range);
    const at = row & (RANGE - 1);
    if (isMember) setBit(bits, at);
    else clearBit(bits, at);
  }

  /** Writes what changed in memory, and forgets it. */
  flush(): void {
    for (const { key, bits } of this.#changed.values()) {
      const bytes = setBytes(bits);
      if (bytes === undefined) this.#tables.listings.removeSync(key);
      else this.#tables.listings.putSync(key, Buffer.from(bytes));
    }
    this.#changed.clear();
  }

  #of(membership: number, object: number, range: number): RowBits {
    const name = `${membership}/${object}/${range}`;
    const known = this.#changed.get(name);
    if (known !== undefined) return known.bits;
    if (this.#changed.size >= CHANGED_MAX) this.flush();
    const key = memberKey(this.#scope, membership, object, range);
    const bits = readSet(this.#tables.listings.getBinaryFast(key));
    this.#changed.set(name, { key, bits });
    return bits;
  }
}
