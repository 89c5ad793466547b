import { type ChainPosition, type ChainRow, readChainHead, readCheckpoint, rowsAfter } from '../chain/chain-layout.ts';
import { chainStart, cutProof, nextLink } from '../chain/links.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import { recordOf } from '../records/stored-record.ts';

export interface ChainQuestion {
  readonly chain: string;
  /** The key that the chain was made with. */
  readonly key: Uint8Array;
  /** The digest that the submitter of an entry computed, again, from its record. */
  readonly digest: (document: unknown) => Uint8Array;
  /** A head that was written down elsewhere, to be compared with. */
  readonly noted?: ChainPosition;
}

export interface ChainReport {
  readonly store: string;
  /** Entries that are there. */
  readonly entries: number;
  /** Where the chain begins now: 0, or the last entry that was cut off. */
  readonly from: number;
  readonly head: ChainPosition;
  /** The first position where something was changed, removed or inserted. */
  readonly break?: ChainBreak;
}

export interface ChainBreak {
  readonly sequence: number;
  /** Id of the record, where there is one. */
  readonly entry?: string;
  readonly reason: string;
}

/** Follows one chain of one store from its checkpoint to its head, record by record, in the snapshot of the caller. */
export function proveChain(tables: Tables, number: number, store: string, question: ChainQuestion): ChainReport {
  const { chain, key } = question;
  const start = chainStart(store, chain);
  const checkpoint = readCheckpoint(tables, number, chain);
  const head = readChainHead(tables, number, chain) ?? start;
  const from = checkpoint ?? start;
  const report = { store, from: from.sequence, head };
  if (checkpoint !== undefined && !cutProof(key, start, checkpoint).equals(checkpoint.proof)) {
    const reason = 'what was before was not cut off by the holder of the key, or the key is another one';
    return { ...report, entries: 0, break: { sequence: checkpoint.sequence, reason } };
  }
  const walk = new Walk(tables, number, question, from);
  for (const row of rowsAfter(tables, number, chain, 0)) {
    const reason = walk.step(row);
    if (reason === undefined) continue;
    return { ...report, entries: walk.entries, break: { sequence: walk.sequence, entry: row.entry, reason } };
  }
  const end = walk.end(head);
  return { ...report, entries: walk.entries, ...(end === undefined ? {} : { break: end }) };
}

const NOT_THE_NEXT = 'the entry does not follow from those before it';
const NOT_THE_FIRST = 'the entry is not the one that the chain began with, or the key is another one';

class Walk {
  entries = 0;
  /** The position that is looked at. */
  sequence: number;
  #link: Buffer;
  #isNotedSeen: boolean;
  readonly #tables: Tables;
  readonly #number: number;
  readonly #question: ChainQuestion;
  readonly #from: ChainPosition;

  constructor(tables: Tables, number: number, question: ChainQuestion, from: ChainPosition) {
    this.#tables = tables;
    this.#number = number;
    this.#question = question;
    this.#from = from;
    this.sequence = from.sequence;
    this.#link = from.link;
    this.#isNotedSeen = this.#isNoted(from);
  }

  /** What is wrong with the entry that comes next. */
  step(row: ChainRow): string | undefined {
    const { chain, key, noted } = this.#question;
    this.sequence++;
    if (row.sequence > this.sequence) return `the entries up to ${row.sequence} were removed`;
    if (row.sequence < this.sequence) return 'an entry stands where entries were cut off';
    const link = nextLink(key, this.#link, row.sequence, row.digest);
    if (!link.equals(row.link)) return row.sequence === 1 ? NOT_THE_FIRST : NOT_THE_NEXT;
    const entryKey = recordKey(this.#number, chain, row.entry);
    const bytes = this.#tables.records.getBinaryFast(entryKey);
    if (bytes === undefined) return 'the record of the entry was removed';
    const made = this.#digestOf(bytes, entryKey);
    if (made === undefined || !row.digest.equals(made)) return 'the record of the entry was changed';
    if (noted?.sequence === row.sequence) {
      if (!noted.link.equals(row.link)) return 'the link is not the noted one: entries up to here were replaced';
      this.#isNotedSeen = true;
    }
    this.#link = link;
    this.entries++;
    return undefined;
  }

  /** Of a record from which none can be made, `undefined`. */
  #digestOf(bytes: Buffer, key: Buffer): Uint8Array | undefined {
    try {
      return this.#question.digest(recordOf(bytes, key).document);
    } catch {
      return undefined;
    }
  }

  /** What is wrong when all entries were seen. */
  end(head: ChainPosition): ChainBreak | undefined {
    const { noted } = this.#question;
    const { sequence } = this;
    if (head.sequence > sequence) {
      return { sequence: sequence + 1, reason: `the entries up to ${head.sequence}, the head, were removed` };
    }
    if (head.sequence < sequence || !head.link.equals(this.#link)) {
      return { sequence, reason: 'the head is not the last entry' };
    }
    const inserted = this.#inserted();
    if (inserted !== undefined) return { sequence, entry: inserted, reason: 'the record was never put on the chain' };
    if (noted === undefined || this.#isNotedSeen) return undefined;
    if (noted.sequence > sequence) {
      return { sequence: sequence + 1, reason: `the entries up to ${noted.sequence}, the noted head, were removed` };
    }
    const reason =
      noted.sequence === this.#from.sequence ? 'the link is not the noted one' : 'the noted head was cut off since';
    return { sequence: noted.sequence, reason };
  }

  #isNoted({ sequence, link }: ChainPosition): boolean {
    const { noted } = this.#question;
    return noted?.sequence === sequence && noted.link.equals(link);
  }

  /** Id of a record that no entry has. Looked for only where there are more records than entries. */
  #inserted(): string | undefined {
    const { chain } = this.#question;
    const prefix = recordKey(this.#number, chain, '');
    const end = Buffer.concat([prefix.subarray(0, prefix.length - 1), Buffer.of(1)]);
    if (this.#tables.records.getKeysCount({ start: prefix, end }) === this.entries) return undefined;
    const chained = new Set<string>();
    for (const { entry } of rowsAfter(this.#tables, this.#number, chain, 0)) chained.add(entry);
    for (const key of this.#tables.records.getKeys({ start: prefix, end })) {
      const id = key.toString('utf8', prefix.length);
      if (!chained.has(id)) return id;
    }
    return 'an entry that stands there twice';
  }
}
