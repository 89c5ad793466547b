import type { Tables } from '../../environment.ts';
import type { ListingScope } from '../listing-keys.ts';
import type { ListingState } from '../listing-state.ts';
import { hasText, searchBytes } from '../row-bytes.ts';
import { FewRows } from '../sets/few-rows.ts';
import { RangeTexts } from '../sets/range-texts.ts';
import {
  addSet,
  BITMAP_BYTES,
  clearFrom,
  hasBit,
  intersect,
  intersectSet,
  noRows,
  RANGE,
  RANGE_BITS,
  RangeBits,
  type RowBits,
  rowsOf,
} from '../sets/row-sets.ts';
import { TermReader } from '../sets/term-groups.ts';
import { everyGram, flagTerm, GRAM_MAX, searchTerms } from '../sets/terms.ts';
import { COUNTED_MAX } from './query.ts';
import type { Tail, TailRow } from './tail.ts';
import { MemberReader, type Wanted, type WantedMember } from './wanted.ts';

/**
 * The rows that match, range by range: those that are in the sets of all terms. Texts longer than the terms are then
 * looked for in these rows. Rows of the tail are looked at one by one.
 */
export class Matches {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #state: ListingState;
  readonly #flags: readonly TermReader[];
  readonly #grams: readonly TermReader[];
  #rarestFirst: readonly TermReader[] | undefined;
  readonly #members: readonly MemberReader[];
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
  /** What is left of each range, once it was read. */
  readonly #bits: RangeBits;
  readonly #known: Uint8Array;
  /** What rows of the tail are members of. */
  readonly #recentMembers = new Map<string, RowBits>();

  constructor(
    { tables, tail }: { readonly tables: Tables; readonly tail: Tail },
    scope: ListingScope,
    state: ListingState,
    wanted: Wanted,
  ) {
    const { text, flags, members } = wanted;
    this.#tables = tables;
    this.#scope = scope;
    this.#texts = new RangeTexts(tables, scope);
    this.#state = state;
    this.#wanted = wanted;
    this.#tail = tail;
    // memberships are known of all rows
    this.#setsEnd = text === '' && flags.size === 0 ? state.next : state.sets;
    this.#bytes = text === '' ? undefined : searchBytes(text);
    this.#flags = this.#readersOf(Array.from(flags, ([at, value]) => flagTerm(at, value)));
    this.#grams = this.#readersOf(text === '' ? [] : searchTerms(text));
    this.#members = members.map((member) => new MemberReader(tables, scope, member));
    // the replacement character also stands for halves of others in the names of sets
    this.#searched = text.length > GRAM_MAX || text.includes('\ufffd') ? this.#bytes : undefined;
    const ranges = Math.ceil(this.#setsEnd / RANGE);
    this.#bits = new RangeBits(ranges);
    this.#known = new Uint8Array(ranges);
  }

  has(row: number): boolean {
    if (row >= this.#setsEnd) return this.#newer().has(row);
    const range = row >>> RANGE_BITS;
    if (this.#known[range] === UNREAD) this.#read(range);
    if (!this.#bits.has(row)) return false;
    return this.#searched === undefined || this.#known[range] === VERIFIED || this.#texts.hasText(row, this.#searched);
  }

  /** Exact, or what was counted until it was enough. */
  count(): { readonly total: number; readonly isExact: boolean } {
    let total = this.#newer().size;
    for (let range = 0; range < this.#known.length; range++) {
      this.#verify(range);
      total += this.#bits.count(range);
      if (this.#searched !== undefined && total > COUNTED_MAX) return { total: COUNTED_MAX, isExact: false };
    }
    return { total, isExact: true };
  }

  /** All of them, in the order of their numbers. */
  rows(): number[] {
    return this.between(0, this.#state.next);
  }

  /** Those from one number up to another, in their order. */
  between(from: number, to: number): number[] {
    const rows: number[] = [];
    const end = Math.min(to, this.#setsEnd);
    for (let range = from >>> RANGE_BITS; range * RANGE < end; range++) {
      this.#verify(range);
      if (this.#bits.isEmpty(range)) continue;
      for (const each of rowsOf(this.#bits.of(range))) {
        const row = range * RANGE + each;
        if (row >= from && row < end) rows.push(row);
      }
    }
    if (to > this.#setsEnd) for (const row of this.#newer()) if (row >= from && row < to) rows.push(row);
    return rows;
  }

  /** How many those are. */
  countBetween(from: number, to: number): number {
    const isRange = from % RANGE === 0 && to === from + RANGE && to <= this.#setsEnd;
    if (!isRange) return this.between(from, to).length;
    this.#verify(from >>> RANGE_BITS);
    return this.#bits.count(from >>> RANGE_BITS);
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
      bits = noRows();
      new MemberReader(this.#tables, this.#scope, member).addTo(bits, range);
      this.#recentMembers.set(name, bits);
    }
    return hasBit(bits, row & (RANGE - 1));
  }

  #read(range: number): void {
    this.#known[range] = READ;
    this.#rarestFirst ??= this.#inOrderOfSizes();
    const [first] = this.#rarestFirst;
    const [firstMember] = this.#members;
    // of an object most rows are no members
    if (firstMember !== undefined) {
      const bits = this.#bits.room();
      firstMember.addTo(bits, range);
      this.#keepInSets(range, bits, 0);
    } else if (first === undefined) {
      const bits = this.#bits.room();
      bits.fill(0xff);
      this.#keepInSets(range, bits, 0);
    } else if (first.find(range)) {
      if (first.to - first.from < BITMAP_BYTES) return this.#readFew(range, first);
      const bits = this.#bits.room();
      addSet(bits, first.bytes.subarray(first.from, first.to));
      this.#keepInSets(range, bits, 1);
    }
  }

  /** A range in which the rarest term has few rows. */
  #readFew(range: number, first: TermReader): void {
    few.take(first.bytes, first.from, first.to);
    for (const term of this.#rarestFirst ?? []) {
      if (term === first) continue;
      if (few.count === 0 || !term.find(range)) return;
      few.keepIn(term.bytes, term.from, term.to);
    }
    for (const among of this.#wanted.among) few.keepAmong(among, range * RANGE);
    // rows behind that are still being put in
    few.keepBefore(this.#setsEnd - range * RANGE);
    if (few.count === 0) return;
    few.addTo(this.#bits.room());
    this.#bits.keep(range);
  }

  /** Leaves the rows that are in all other sets. @param from the index of the first term that is read */
  #keepInSets(range: number, bits: RowBits, from: number): void {
    const terms = this.#rarestFirst ?? [];
    for (let at = from; at < terms.length && !this.#bits.isRoomEmpty; at++)
      intersectSet(bits, (terms[at] as TermReader).read(range));
    for (let at = 1; at < this.#members.length && !this.#bits.isRoomEmpty; at++)
      (this.#members[at] as MemberReader).keepIn(bits, range);
    for (const among of this.#wanted.among) intersect(bits, among.subarray((range * RANGE) / 8));
    // rows behind that are still being put in
    clearFrom(bits, this.#setsEnd - range * RANGE);
    this.#bits.keep(range);
  }

  /**
   * The smallest sets first, by their size in one range: then most ranges are known to be empty after one or two sets.
   * Of a text's pieces it takes as many as the search needs, the rarest ones.
   */
  #inOrderOfSizes(): readonly TermReader[] {
    const ranges = this.#known.length;
    if (ranges < SAMPLED_MIN || this.#flags.length + this.#grams.length < 3) return [...this.#flags, ...this.#grams];
    const sized = (terms: readonly TermReader[]) =>
      terms.map((term): [TermReader, number] => [term, term.read(ranges >>> 1)?.length ?? 0]);
    const { text } = this.#wanted;
    const pieces = text.length > SAMPLED_TEXT_MAX ? this.#grams : this.#readersOf(everyGram(text));
    const grams = sized(pieces).sort(bySize).slice(0, this.#grams.length);
    return [...sized(this.#flags), ...grams].sort(bySize).map(([term]) => term);
  }

  #readersOf(terms: Iterable<string>): TermReader[] {
    return Array.from(terms, (term) => new TermReader(this.#tables, this.#scope, term));
  }

  /** Leaves the rows of a range that have the text. */
  #verify(range: number): void {
    if (this.#known[range] === UNREAD) this.#read(range);
    if (this.#known[range] === VERIFIED) return;
    this.#known[range] = VERIFIED;
    if (this.#searched === undefined || this.#bits.isEmpty(range)) return;
    this.#texts.keepMatching(range, this.#bits.of(range), this.#searched);
  }
}

/** Of one range at a time. */
const few = new FewRows();

/** What is known of a range: nothing, what its sets say, and which of its rows have the text. */
const UNREAD = 0;
const READ = 1;
const VERIFIED = 2;

/** With fewer ranges there is little to pass over. */
const SAMPLED_MIN = 4;
/** Of longer texts not every piece is looked at. */
const SAMPLED_TEXT_MAX = 64;

function bySize([, one]: readonly [TermReader, number], [, other]: readonly [TermReader, number]): number {
  return one - other;
}

/** Beside the bits of ranges, whatever their number: what reads sets, with its keys. */
const OVERHEAD = 6_000;
const SLOT_BYTES = 4;

/** About how much memory it takes to have the matches among so many rows. */
export function matchesBytes({ next }: Pick<ListingState, 'next'>): number {
  const ranges = Math.ceil(next / RANGE);
  return OVERHEAD + ranges * (BITMAP_BYTES + SLOT_BYTES + 1);
}

const NO_ROWS: ReadonlySet<number> = new Set();
