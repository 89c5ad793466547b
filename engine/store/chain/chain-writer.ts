import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import type { RecordWriter } from '../records/record-writer.ts';
import {
  type ChainPosition,
  checkpointKey,
  DIGEST_BYTES,
  headKey,
  packPosition,
  packRow,
  readChainHead,
  readCheckpoint,
  requireChainName,
  rowKey,
  rowsAfter,
} from './chain-layout.ts';
import { chainStart, cutProof, nextLink } from './links.ts';

/** A store as the writer of chains needs it. */
interface ChainedStore {
  readonly number: number;
  readonly head: { readonly name: string };
}

const CUT_MAX = 10_000;

/** Where a chain stands, and where that is written. */
interface Head {
  readonly key: Buffer;
  at: ChainPosition;
}

const HEADS_MAX = 1_024;

/**
 * Writes chains. Where they stand is kept in memory and written once for a transaction, however many entries it has; it
 * is forgotten with a transaction that is rolled back, so that the next entry continues what is there.
 */
export class ChainWriter {
  readonly #tables: Tables;
  readonly #records: RecordWriter;
  readonly #key: Uint8Array | undefined;
  readonly #heads = new Map<string, Head>();
  readonly #moved = new Set<Head>();

  constructor(tables: Tables, records: RecordWriter, key: Uint8Array | undefined) {
    this.#tables = tables;
    this.#records = records;
    this.#key = key;
  }

  /** Checks without writing; the function that it returns does the writing, after the record of the entry was put. */
  prepareAppend(store: ChainedStore, chain: string, entry: string, digest: Uint8Array): () => void {
    const key = this.#requireKey();
    requireChainName(chain);
    if (digest.length !== DIGEST_BYTES) {
      throw new EngineError('invalid_argument', `a digest has ${DIGEST_BYTES} bytes`, { path: 'digest' });
    }
    return () => {
      const { number } = store;
      if (!this.#records.has(number, chain, entry)) {
        throw new EngineError('invalid_argument', `there is no record ${entry} to be put on the chain ${chain}`);
      }
      const head = this.#head(store, chain);
      const sequence = head.at.sequence + 1;
      const link = nextLink(key, head.at.link, sequence, digest);
      const row = packRow({ digest: Buffer.from(digest), link, entry });
      this.#tables.chains.putSync(rowKey(number, chain, sequence), row);
      head.at = { sequence, link };
      this.#moved.add(head);
    };
  }

  /** The same for removing the oldest entries and their records, through a sequence; past the last is an error. */
  prepareCut(store: ChainedStore, chain: string, through: number): () => void {
    const key = this.#requireKey();
    requireChainName(chain);
    const { number } = store;
    const cutOff = (): number => readCheckpoint(this.#tables, number, chain)?.sequence ?? 0;
    const last = this.#head(store, chain).at.sequence;
    if (!Number.isSafeInteger(through) || through > last) {
      throw new EngineError('invalid_argument', `the chain ends at ${last}`, { path: 'through' });
    }
    if (through - cutOff() > CUT_MAX) {
      throw new EngineError('too_large', `at most ${CUT_MAX} entries are cut off at once`, { path: 'through' });
    }
    return () => {
      const from = cutOff();
      if (through <= from) return;
      const rows = [...rowsAfter(this.#tables, number, chain, from, through - from)];
      const end = rows.at(-1);
      if (end?.sequence !== through) throw new EngineError('corrupt', `the chain ${chain} has a gap before ${through}`);
      for (const { sequence, entry } of rows) {
        this.#records.deleteReadable(number, chain, entry);
        this.#tables.chains.removeSync(rowKey(number, chain, sequence));
      }
      const proof = cutProof(key, chainStart(store.head.name, chain), end);
      this.#tables.chains.putSync(checkpointKey(number, chain), packPosition(end, proof));
    };
  }

  /** Writes where chains stand now. Belongs to the end of every transaction. */
  flush(): void {
    for (const { key, at } of this.#moved) this.#tables.chains.putSync(key, packPosition(at));
    this.#moved.clear();
    if (this.#heads.size > HEADS_MAX) this.#heads.clear();
  }

  #head({ number, head }: ChainedStore, chain: string): Head {
    const name = `${number} ${chain}`;
    const known = this.#heads.get(name);
    if (known !== undefined) return known;
    const at = readChainHead(this.#tables, number, chain) ?? chainStart(head.name, chain);
    const read: Head = { key: headKey(number, chain), at: { sequence: at.sequence, link: Buffer.from(at.link) } };
    this.#heads.set(name, read);
    return read;
  }

  #requireKey(): Uint8Array {
    if (this.#key !== undefined) return this.#key;
    throw new EngineError('invalid_argument', 'chains need a key, and the engine was opened without one');
  }
}
