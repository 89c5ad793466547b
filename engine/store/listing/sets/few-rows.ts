import { BITMAP_BYTES, hasBit, LISTED_MAX, type RowBits, setBit } from './row-sets.ts';

/**
 * A few rows of a range as numbers that go up. In most ranges a search finds some rows with its rarest piece and none
 * with the next: to compare these takes a fraction of the time that bits of all rows take.
 */
export class FewRows {
  readonly #rows = new Uint16Array(LISTED_MAX);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Those of a stored set that is a list, in some bytes, from one offset up to another. */
  take(bytes: Uint8Array, from: number, to: number): void {
    let count = 0;
    for (let at = from; at < to; at += 2) this.#rows[count++] = rowAt(bytes, at);
    this.#count = count;
  }

  /** Leaves those that another stored set has too. */
  keepIn(bytes: Uint8Array, from: number, to: number): void {
    const rows = this.#rows;
    let kept = 0;
    if (to - from === BITMAP_BYTES) {
      for (let each = 0; each < this.#count; each++) {
        const row = rows[each] as number;
        if (((bytes[from + (row >>> 3)] as number) & (1 << (row & 7))) !== 0) rows[kept++] = row;
      }
    } else {
      for (let each = 0, at = from; each < this.#count && at < to; ) {
        const row = rows[each] as number;
        const other = rowAt(bytes, at);
        if (other === row) rows[kept++] = row;
        if (other <= row) at += 2;
        if (row <= other) each++;
      }
    }
    this.#count = kept;
  }

  /** Leaves those whose bit is set. @param first the bit of the range's first row */
  keepAmong(bits: Uint8Array, first: number): void {
    let kept = 0;
    for (let each = 0; each < this.#count; each++) {
      const row = this.#rows[each] as number;
      if (hasBit(bits, first + row)) this.#rows[kept++] = row;
    }
    this.#count = kept;
  }

  /** Leaves those before this one. */
  keepBefore(row: number): void {
    while (this.#count > 0 && (this.#rows[this.#count - 1] as number) >= row) this.#count--;
  }

  addTo(bits: RowBits): void {
    for (let each = 0; each < this.#count; each++) setBit(bits, this.#rows[each] as number);
  }
}

function rowAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}
