import type { Tables } from '../../environment.ts';
import type { ListingScope } from '../listing-keys.ts';
import type { ListingState } from '../listing-state.ts';
import { hasText, searchBytes } from '../row-bytes.ts';
import { RangeTexts } from '../sets/range-texts.ts';
import {
  allRows,
  clearFrom,
  countBits,
  hasBit,
  intersect,
  isEmpty,
  RANGE,
  RANGE_BITS,
  type RowBits,
  readSet,
  rowsOf,
} from '../sets/row-sets.ts';
import { readTerm } from '../sets/term-groups.ts';
import { flagTerm, GRAM_MAX, searchTerms } from '../sets/terms.ts';
import { COUNTED_MAX } from './query.ts';
import type { Tail, TailRow } from './tail.ts';
import { membersIn, type Wanted, type WantedMember } from './wanted.ts';

/**
 * The rows that match, from the sets of terms: a range of each is read, and what all have is left. Texts longer than the
 * terms are looked for in the rows that are left. Rows of the tail are looked at one by one.
 */
export class Matches {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #state: ListingState;
  readonly #terms: readonly string[];
  #rarestFirst: readonly string[] | undefined;
  /** Looked for in each row; none where the sets say all. */
  readonly #searched: Buffer | undefined;
  readonly #wanted: Wanted;
  /** Rows before this one are found by sets alone. */
  readonly #setsEnd: number;
  /** The text's bytes; none where no text is wanted. */
  readonly #bytes: Buffer | undefined;
  readonly #tail: Tail;
  /** Rows of the tail that match. */
  #recent: ReadonlySet<number> | undefined;
  readonly #texts: RangeTexts;
  readonly #ranges: (RowBits | undefined)[] = [];
  /** Ranges of which every row that is left has the text. */
  readonly #verified = new Set<number>();
  /** What rows of the tail are members of. */
  readonly #recentMembers = new Map<string, RowBits>();

  constructor(
    { tables, tail }: { readonly tables: Tables; readonly tail: Tail },
    scope: ListingScope,
    state: ListingState,
    wanted: Wanted,
  ) {
    const { text, flags } = wanted;
    this.#tables = tables;
    this.#scope = scope;
    this.#texts = new RangeTexts(tables, scope);
    this.#state = state;
    this.#wanted = wanted;
    this.#tail = tail;
    // of what rows are members is known of all
    this.#setsEnd = text === '' && flags.size === 0 ? state.next : state.sets;
    this.#bytes = text === '' ? undefined : searchBytes(text);
    const grams = text === '' ? [] : [...searchTerms(text)];
    this.#terms = [...[...flags].map(([at, value]) => flagTerm(at, value)), ...grams];
    // the replacement character also stands for halves of others in the names of sets
    this.#searched = text.length > GRAM_MAX || text.includes('\ufffd') ? this.#bytes : undefined;
  }

  has(row: number): boolean {
    if (row >= this.#setsEnd) return this.#newer().has(row);
    const range = row >>> RANGE_BITS;
    if (!hasBit(this.#range(range), row & (RANGE - 1))) return false;
    return this.#searched === undefined || this.#verified.has(range) || this.#texts.hasText(row, this.#searched);
  }

  /** Exact, or what was counted until it was enough. */
  count(): { readonly total: number; readonly isExact: boolean } {
    let total = this.#newer().size;
    for (const range of this.#rangeNumbers()) {
      total += countBits(this.#verifiedRange(range));
      if (this.#searched !== undefined && total > COUNTED_MAX) return { total: COUNTED_MAX, isExact: false };
    }
    return { total, isExact: true };
  }

  /** All of them, in the order of their numbers. */
  *rows(): Generator<number> {
    yield* this.#older();
    yield* this.#newer();
  }

  *#older(): Generator<number> {
    for (const range of this.#rangeNumbers()) {
      for (const row of rowsOf(this.#verifiedRange(range))) yield range * RANGE + row;
    }
  }

  #newer(): ReadonlySet<number> {
    this.#recent ??= this.#isAllInSets ? NO_ROWS : this.#newerFound();
    return this.#recent;
  }

  #newerFound(): ReadonlySet<number> {
    return new Set(this.#tail.unset.filter((row) => this.#isWanted(row)).map(({ number }) => number));
  }

  get #isAllInSets(): boolean {
    return this.#setsEnd === this.#state.next;
  }

  #isWanted(row: TailRow): boolean {
    if (this.#bytes !== undefined && !hasText(row.bytes, this.#bytes)) return false;
    for (const [at, value] of this.#wanted.flags) if (row.flags[at] !== value) return false;
    if (!this.#wanted.among.every((bits) => hasBit(bits, row.number))) return false;
    return this.#wanted.members.every((member) => this.#isMember(member, row.number));
  }

  #isMember(member: WantedMember, row: number): boolean {
    const range = row >>> RANGE_BITS;
    const name = `${member.membership}/${member.object}/${range}`;
    let bits = this.#recentMembers.get(name);
    if (bits === undefined) {
      bits = membersIn(this.#tables, this.#scope, member, range);
      this.#recentMembers.set(name, bits);
    }
    return hasBit(bits, row & (RANGE - 1));
  }

  *#rangeNumbers(): Generator<number> {
    const ranges = Math.ceil(this.#setsEnd / RANGE);
    for (let range = 0; range < ranges; range++) yield range;
  }

  #range(range: number): RowBits {
    const known = this.#ranges[range];
    if (known !== undefined) return known;
    const bits = this.#rangeOfTerms(range);
    for (const member of this.#wanted.members) {
      if (isEmpty(bits)) break;
      intersect(bits, membersIn(this.#tables, this.#scope, member, range));
    }
    for (const among of this.#wanted.among) intersect(bits, among.subarray((range * RANGE) / 8));
    // rows behind that are being put in
    clearFrom(bits, this.#setsEnd - range * RANGE);
    this.#ranges[range] = bits;
    return bits;
  }

  #rangeOfTerms(range: number): RowBits {
    this.#rarestFirst ??= this.#inOrderOfSizes();
    const [first, ...others] = this.#rarestFirst;
    if (first === undefined) return allRows();
    const bits = this.#set(first, range);
    for (const term of others) {
      if (isEmpty(bits)) break;
      intersect(bits, this.#set(term, range));
    }
    return bits;
  }

  /** By how much the sets take in one range: where rare ones come first, most ranges are seen to be empty after a few. */
  #inOrderOfSizes(): readonly string[] {
    const ranges = Math.ceil(this.#setsEnd / RANGE);
    if (ranges < SAMPLED_MIN || this.#terms.length < 3) return this.#terms;
    const sizes = this.#terms.map((term): [string, number] => {
      const bytes = readTerm(this.#tables, this.#scope, term, ranges >>> 1);
      return [term, bytes?.length ?? 0];
    });
    return sizes.sort(([, one], [, other]) => one - other).map(([term]) => term);
  }

  #set(term: string, range: number): RowBits {
    return readSet(readTerm(this.#tables, this.#scope, term, range));
  }

  #verifiedRange(range: number): RowBits {
    const bits = this.#range(range);
    if (this.#searched !== undefined && !this.#verified.has(range)) {
      this.#texts.keepMatching(range, bits, this.#searched);
      this.#verified.add(range);
    }
    return bits;
  }
}

/** With fewer ranges there is little to pass over. */
const SAMPLED_MIN = 4;
/** Of a range, beside its bits; and of the whole. */
const RANGE_OVERHEAD = 100;
const OVERHEAD = 2_000;

/** About how much memory it takes to have the matches among so many rows. */
export function matchesBytes({ next }: Pick<ListingState, 'next'>): number {
  const ranges = Math.ceil(next / RANGE);
  return OVERHEAD + ranges * (RANGE / 8 + RANGE_OVERHEAD) + (ranges > 0 ? RANGE : 0);
}

const NO_ROWS: ReadonlySet<number> = new Set();
