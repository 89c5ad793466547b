import { BLOCK_SIZE } from '../../command/listing-definition.ts';
import type { Tables } from '../environment.ts';
import { entryValue, lacksOf, rowOfEntry } from './entry-value.ts';
import { entryKey, idInEntries, type ListingScope, rowKey } from './listing-keys.ts';
import { type ListingState, readState, tailStart, writeState } from './listing-state.ts';
import type { Listing } from './listings.ts';
import { MemberKinds } from './members/member-kinds.ts';
import { MemberSets } from './members/member-sets.ts';
import { type MergeStep, MergeSteps } from './merge-steps.ts';
import { beginsBlock, blockedOrder, OrderBlocks } from './order-blocks.ts';
import type { ListingKey, ListingRow, NumberedRow } from './row.ts';
import { readRow, rowBytes, searchedOrders } from './row-bytes.ts';
import { RangeTexts } from './sets/range-texts.ts';
import { RANGE_BITS } from './sets/row-sets.ts';
import { TermSets } from './sets/term-sets.ts';
import { TERM_PARTS, termsOf } from './sets/terms.ts';
import { RowZones } from './zones/row-zones.ts';

/** A listing of one store, as the writer has it in memory. */
export class KeptListing {
  readonly #tables: Tables;
  readonly #scope: ListingScope;
  readonly #state: ListingState;
  readonly #steps: MergeSteps;
  readonly #searched: readonly number[];
  readonly #blockSize: number;
  /** Rows that are not in all orders and sets yet, by their numbers, going up; read when the first step is due. */
  #tail: Map<number, NumberedRow> | undefined;
  readonly #sets: TermSets;
  readonly #texts: RangeTexts;
  /** None where lists do not filter by tuples. */
  readonly #kinds: MemberKinds | undefined;
  readonly #members: MemberSets;
  /** Many tuples of one subject often come one after the other. Forgotten when a row comes or goes. */
  #lastSubject: { readonly node: number; readonly number: number | undefined } | undefined;
  /** By the number of the order; read where they are needed. */
  readonly #blocks: (OrderBlocks | undefined)[] = [];
  #loadedBlocks = 0;

  constructor(tables: Tables, store: number, { number: listing, definition }: Listing) {
    this.#tables = tables;
    this.#scope = { store, listing };
    this.#state = readState(tables, this.#scope, definition.orders.length + 1);
    this.#steps = new MergeSteps(definition);
    this.#searched = searchedOrders(definition);
    this.#blockSize = definition.blockSize ?? BLOCK_SIZE;
    this.#sets = new TermSets(tables, this.#scope);
    this.#texts = new RangeTexts(tables, this.#scope);
    const { memberships } = definition;
    this.#kinds = memberships && new MemberKinds(tables, store, memberships);
    this.#members = new MemberSets(tables, this.#scope);
  }

  /** Blocks and rows in memory. The terms of rows take about as much as the rows do. */
  get size(): number {
    const rows = this.#tail?.size ?? 0;
    return this.#loadedBlocks + (this.#sets.hasTerms ? rows * 2 : rows);
  }

  /** @param isNew whether there is no row of it */
  put(row: ListingRow, isNew: boolean): void {
    const number = isNew ? undefined : this.#numberOf(row.id);
    if (number === undefined) this.#add(row);
    else this.#change(number, row);
  }

  delete(id: string): void {
    const number = this.#numberOf(id);
    // a document that the listing was never told of, because it could not be read
    if (number === undefined) return;
    const row = this.#rowAt(number);
    for (let order = 0; order <= row.keys.length; order++) this.#removeEntry(order, number, row);
    this.#sets.change(number, termsOf(row, this.#searched), NO_TERMS, this.#partsOf(number));
    this.#setMember(id, number, false);
    this.#tail?.delete(number);
    this.#changed(number);
    this.#tables.listings.removeSync(rowKey(this.#scope, number));
    this.#state.count--;
  }

  /**
   * Which tuples make a record a member; `undefined` where there are no records. Answers -1 for tuples that do not
   * count.
   */
  get memberKinds(): Pick<MemberKinds, 'membershipOf'> | undefined {
    return this.#state.count === 0 ? undefined : this.#kinds;
  }

  /** A tuple was written or deleted. Its subject may have no record. */
  changeMember(membership: number, object: number, subject: number, isMember: boolean): void {
    if (this.#lastSubject?.node !== subject) {
      const id = this.#kinds?.idOf(subject) ?? '';
      this.#lastSubject = { node: subject, number: id === '' ? undefined : this.#numberOf(idInEntries(id)) };
    }
    const { number } = this.#lastSubject;
    if (number !== undefined) this.#members.set(membership, object, number, isMember);
  }

  /** Writes what changed in memory. */
  flush(): void {
    this.#members.flush();
    for (const blocks of this.#blocks) blocks?.flush();
    writeState(this.#tables, this.#scope, this.#state);
  }

  /** A new row is found by its id at once. For the other orders and the sets it waits until there are enough of them. */
  #add(row: ListingRow): void {
    const number = this.#state.next++;
    this.#state.count++;
    this.#state.orders[0] = this.#state.next;
    this.#addEntry(0, number, row);
    this.#tail?.set(number, { ...row, number });
    this.#tables.listings.putSync(rowKey(this.#scope, number), rowBytes(row, this.#searched));
    this.#setMember(row.id, number, true);
    for (let due = this.#steps.dueWith(number); due > 0; due--) this.#merge();
  }

  /** By the tuples that are stored. */
  #setMember(id: string, number: number, isMember: boolean): void {
    this.#lastSubject = undefined;
    for (const { membership, object } of this.#kinds?.of(id) ?? [])
      this.#members.set(membership, object, number, isMember);
  }

  #change(number: number, row: ListingRow): void {
    const before = this.#rowAt(number);
    const lackedBefore = lacksOf(before);
    const lacks = lacksOf(row);
    row.keys.forEach((key, at) => {
      if (key === before.keys[at]) return;
      this.#removeEntry(at + 1, number, before);
      this.#addEntry(at + 1, number, row);
    });
    this.#tables.listings.putSync(rowKey(this.#scope, number), rowBytes(row, this.#searched));
    if (lacks !== lackedBefore) {
      const entry = entryKey(this.#scope, 0, undefined, row.id);
      this.#tables.listings.putSync(entry, entryValue(0, number, row));
      this.#blocksOf(0).changed(entry, lackedBefore, lacks);
    }
    const parts = this.#partsOf(number);
    const hasOtherTexts = this.#searched.some((at) => before.keys[at] !== row.keys[at]);
    if (parts > 0 && (hasOtherTexts || hasOtherFlags(before, row))) {
      this.#sets.change(number, termsOf(before, this.#searched), termsOf(row, this.#searched), parts);
    }
    if (hasOtherTexts && number >>> RANGE_BITS < this.#state.sets >>> RANGE_BITS) this.#texts.changed(number);
    if (this.#tail?.has(number) === true) this.#tail.set(number, { ...row, number });
    this.#changed(number);
  }

  /** One step, and with it those that have nothing to write. */
  #merge(): void {
    for (let step = this.#steps.next(this.#state); step !== undefined; step = this.#steps.next(this.#state)) {
      if (this.#take(step)) return;
    }
  }

  /** Whether there was anything to write. */
  #take(step: MergeStep): boolean {
    const start = tailStart(this.#state);
    const hasWritten = step.kind === 'order' ? this.#addToOrder(step) : this.#addToSets(step);
    if (tailStart(this.#state) > start) this.#shortenTail();
    return hasWritten;
  }

  #addToOrder({ order, from, to }: MergeStep & { readonly kind: 'order' }): boolean {
    const rows = this.#rowsBetween(from, to);
    this.#state.orders[order] = to;
    this.#addEntries(order, rows);
    return rows.some(({ keys }) => keys[order - 1] !== null);
  }

  #addToSets({ part, from, to }: MergeStep & { readonly kind: 'sets' }): boolean {
    this.#sets.add(from, () => this.#rowsBetween(from, to), this.#searched, part);
    this.#state.parts = (part + 1) % TERM_PARTS;
    if (this.#state.parts === 0) this.#setsEnd(to);
    return true;
  }

  #setsEnd(to: number): void {
    const from = this.#state.sets;
    const ids = this.#rowsBetween(from, to).map(({ id }) => id);
    this.#sets.forgetTerms();
    this.#state.sets = to;
    new RowZones(this.#tables, this.#scope).write(from, to, ids);
    if (this.#searched.length > 0) this.#texts.writeBetween(from, to);
  }

  #rowsBetween(from: number, to: number): NumberedRow[] {
    this.#tail ??= this.#readTail();
    const rows: NumberedRow[] = [];
    for (const row of this.#tail.values()) {
      if (row.number >= to) break;
      if (row.number >= from) rows.push(row);
    }
    return rows;
  }

  #readTail(): Map<number, NumberedRow> {
    const tail = new Map<number, NumberedRow>();
    for (let number = tailStart(this.#state); number < this.#state.next; number++) {
      const bytes = this.#tables.listings.getBinaryFast(rowKey(this.#scope, number));
      if (bytes !== undefined) tail.set(number, { ...readRow(bytes, this.#searched), number });
    }
    return tail;
  }

  #shortenTail(): void {
    const start = tailStart(this.#state);
    for (const number of this.#tail?.keys() ?? []) {
      if (number >= start) return;
      this.#tail?.delete(number);
    }
  }

  /** Sorted, so that pages of the tree are met one after the other. */
  #addEntries(order: number, rows: readonly NumberedRow[]): void {
    const entries: { readonly entry: Buffer; readonly row: NumberedRow }[] = [];
    for (const row of rows) {
      const key = keyIn(order, row);
      if (key !== null) entries.push({ entry: entryKey(this.#scope, order, key, row.id), row });
    }
    entries.sort((left, right) => left.entry.compare(right.entry));
    for (const { entry, row } of entries) this.#putEntry(order, entry, row.number, row);
  }

  /** None where the record has no value in the order, or where the row is to be put into it later. */
  #addEntry(order: number, number: number, row: ListingRow): void {
    const key = keyIn(order, row);
    if (key !== null && this.#isIn(order, number))
      this.#putEntry(order, entryKey(this.#scope, order, key, row.id), number, row);
  }

  #putEntry(order: number, entry: Buffer, number: number, row: ListingRow): void {
    const blocks = this.#blocksOf(order);
    this.#tables.listings.putSync(entry, entryValue(order, number, row));
    blocks.added(entry, lacksOf(row), beginsBlock(row.id, this.#blockSize));
  }

  #removeEntry(order: number, number: number, row: ListingRow): void {
    const key = keyIn(order, row);
    if (key === null || !this.#isIn(order, number)) return;
    const blocks = this.#blocksOf(order);
    const entry = entryKey(this.#scope, order, key, row.id);
    this.#tables.listings.removeSync(entry);
    blocks.removed(entry, lacksOf(row), beginsBlock(row.id, this.#blockSize));
  }

  #isIn(order: number, number: number): boolean {
    return number < (this.#state.orders[order] as number);
  }

  /** How many parts of its terms a row is found by in the sets. */
  #partsOf(number: number): number {
    if (number < this.#state.sets) return TERM_PARTS;
    return number < this.#steps.setsEnd(this.#state) ? this.#state.parts : 0;
  }

  /** A thread that has read the tail with this row in it reads it anew. */
  #changed(number: number): void {
    if (number >= this.#state.sets) this.#sets.forgetTerms();
    if (number >= tailStart(this.#state)) this.#state.changes = (this.#state.changes + 1) >>> 0;
  }

  #blocksOf(order: number): OrderBlocks {
    const known = this.#blocks[order];
    if (known !== undefined) return known;
    const width = order === 0 ? this.#state.orders.length : 1;
    const blocks = new OrderBlocks(this.#tables, blockedOrder(this.#tables, this.#scope, order, width), width);
    this.#blocks[order] = blocks;
    this.#loadedBlocks += blocks.size;
    return blocks;
  }

  #numberOf(id: string): number | undefined {
    const value = this.#tables.listings.getBinaryFast(entryKey(this.#scope, 0, undefined, id));
    return value && rowOfEntry(value);
  }

  #rowAt(number: number): ListingRow {
    // an entry leads to it
    return readRow(this.#tables.listings.getBinaryFast(rowKey(this.#scope, number)) as Buffer, this.#searched);
  }
}

const NO_TERMS: ReadonlySet<string> = new Set();

/** `undefined` in the order of ids, which every record is in; `null` for a record that has no value. */
function keyIn(order: number, { keys }: ListingRow): ListingKey | undefined {
  return order === 0 ? undefined : (keys[order - 1] as ListingKey);
}

function hasOtherFlags(before: ListingRow, after: ListingRow): boolean {
  return before.flags.some((flag, index) => flag !== after.flags[index]);
}
