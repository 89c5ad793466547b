import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import { recordKey } from '../layout.ts';
import type { RecordWriter } from '../write/record-writer.ts';
import {
  type ChainPlace,
  checkpointKey,
  DIGEST_BYTES,
  headKey,
  packPlace,
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

/**
 * Writes chains. Nothing of them is kept in memory between two entries: what a transaction that was rolled back has
 * written is gone with it, and the next entry continues what is there.
 */
export class ChainWriter {
  readonly #tables: Tables;
  readonly #records: RecordWriter;
  readonly #key: Uint8Array | undefined;

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
      if (!this.#tables.records.doesExist(recordKey(number, chain, entry))) {
        throw new EngineError('invalid_argument', `there is no record ${entry} to be put on the chain ${chain}`);
      }
      const before = this.#head(store, chain);
      const sequence = before.sequence + 1;
      const link = nextLink(key, before.link, sequence, digest);
      const row = packRow({ digest: Buffer.from(digest), link, entry });
      this.#tables.chains.putSync(rowKey(number, chain, sequence), row);
      this.#tables.chains.putSync(headKey(number, chain), packPlace({ sequence, link }));
    };
  }

  /** The same for removing the oldest entries and their records, through a sequence; past the last is an error. */
  prepareCut(store: ChainedStore, chain: string, through: number): () => void {
    const key = this.#requireKey();
    requireChainName(chain);
    const { number } = store;
    const cutOff = (): number => readCheckpoint(this.#tables, number, chain)?.sequence ?? 0;
    const last = readChainHead(this.#tables, number, chain)?.sequence ?? 0;
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
        this.#records.delete(number, chain, entry);
        this.#tables.chains.removeSync(rowKey(number, chain, sequence));
      }
      const proof = cutProof(key, chainStart(store.head.name, chain), end);
      this.#tables.chains.putSync(checkpointKey(number, chain), packPlace(end, proof));
    };
  }

  #head({ number, head }: ChainedStore, chain: string): ChainPlace {
    return readChainHead(this.#tables, number, chain) ?? chainStart(head.name, chain);
  }

  #requireKey(): Uint8Array {
    if (this.#key !== undefined) return this.#key;
    throw new EngineError('invalid_argument', 'chains need a key, and the engine was opened without one');
  }
}
