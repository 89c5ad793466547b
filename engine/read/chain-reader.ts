import type { Reader } from '../evaluate/reader.ts';
import { requireLimit } from '../page-limit.ts';
import {
  type ChainPosition,
  type ChainRow,
  type Checkpoint,
  readChainHead,
  readCheckpoint,
  rowsAfter,
} from '../store/chain/chain-layout.ts';

const ROWS_MAX = 10_000;

/** One chain of one store. */
export class ChainReader {
  readonly #reader: Reader;
  readonly #store: string;
  readonly #chain: string;

  constructor(reader: Reader, store: string, chain: string) {
    this.#reader = reader;
    this.#store = store;
    this.#chain = chain;
  }

  /** The last entry; `undefined` where there never was one. */
  head(): ChainPosition | undefined {
    return this.#read((store) => readChainHead(this.#reader.tables, store, this.#chain));
  }

  /** The last entry that was cut off. */
  checkpoint(): Checkpoint | undefined {
    return this.#read((store) => readCheckpoint(this.#reader.tables, store, this.#chain));
  }

  /** Entries after a sequence, in the order of the chain. */
  after(sequence: number, limit: number): ChainRow[] {
    requireLimit(limit, ROWS_MAX);
    return this.#read((store) => [...rowsAfter(this.#reader.tables, store, this.#chain, sequence, limit)]);
  }

  #read<T>(task: (store: number) => T): T {
    return this.#reader.read(() => task(this.#reader.view(this.#store).number));
  }
}
