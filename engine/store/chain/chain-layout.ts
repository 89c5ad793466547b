import { EngineError } from '../../errors.ts';
import type { Tables } from '../environment.ts';
import { readRevision, revisionKey } from '../layout.ts';

/**
 * A chain of one store: entries numbered from 1, each with a link that depends on all before it. In the table `chains`:
 *
 *     [store u32][chain]\0 h              [sequence u64][link]                 the last entry
 *     [store u32][chain]\0 c              [sequence u64][link][proof]          what was cut off ends here
 *     [store u32][chain]\0 r[sequence u64]  [digest][link][entry id]
 */
export interface ChainRow {
  readonly sequence: number;
  /** Id of the record in the collection that has the chain's name. */
  readonly entry: string;
  readonly digest: Buffer;
  readonly link: Buffer;
}

/** A position in a chain. */
export interface ChainPosition {
  readonly sequence: number;
  readonly link: Buffer;
}

export interface Checkpoint extends ChainPosition {
  /** Made with the key: nobody else can cut a chain. */
  readonly proof: Buffer;
}

export const DIGEST_BYTES = 32;
const CHAIN_NAME_MAX = 128;

/** Throws `invalid_argument`. */
export function requireChainName(chain: string): void {
  if (/^[a-z][a-z0-9_]*$/.test(chain) && chain.length <= CHAIN_NAME_MAX) return;
  throw new EngineError('invalid_argument', 'a chain is named by lower-case letters, digits and _', { path: 'chain' });
}

function chainKey(store: number, chain: string, part: 'h' | 'c' | 'r', tail: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.allocUnsafe(4);
  head.writeUInt32BE(store, 0);
  return Buffer.concat([head, Buffer.from(`${chain}\0${part}`), tail]);
}

export function headKey(store: number, chain: string): Buffer {
  return chainKey(store, chain, 'h');
}

export function checkpointKey(store: number, chain: string): Buffer {
  return chainKey(store, chain, 'c');
}

export function rowKey(store: number, chain: string, sequence: number): Buffer {
  return chainKey(store, chain, 'r', revisionKey(sequence));
}

export function packPosition({ sequence, link }: ChainPosition, proof: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([revisionKey(sequence), link, proof]);
}

export function packRow({ digest, link, entry }: Omit<ChainRow, 'sequence'>): Buffer {
  return Buffer.concat([digest, link, Buffer.from(entry, 'utf8')]);
}

/** The last entry; `undefined` where the chain never had one. */
export function readChainHead(tables: Tables, store: number, chain: string): ChainPosition | undefined {
  const bytes = tables.chains.getBinary(headKey(store, chain));
  return bytes === undefined ? undefined : { sequence: readRevision(bytes), link: bytes.subarray(8, 8 + DIGEST_BYTES) };
}

export function readCheckpoint(tables: Tables, store: number, chain: string): Checkpoint | undefined {
  const bytes = tables.chains.getBinary(checkpointKey(store, chain));
  if (bytes === undefined) return undefined;
  const link = bytes.subarray(8, 8 + DIGEST_BYTES);
  return { sequence: readRevision(bytes), link, proof: bytes.subarray(8 + DIGEST_BYTES, bytes.length) };
}

/** In the order of the chain. */
export function* rowsAfter(
  tables: Tables,
  store: number,
  chain: string,
  after: number,
  limit: number = Number.POSITIVE_INFINITY,
): Generator<ChainRow> {
  const range = {
    start: rowKey(store, chain, after + 1),
    end: chainKey(store, chain, 'r', Buffer.alloc(9, 0xff)),
    ...(Number.isFinite(limit) ? { limit } : {}),
  };
  for (const { key, value } of tables.chains.getRange(range)) {
    yield rowOf(readRevision(key.subarray(key.length - 8)), value);
  }
}

function rowOf(sequence: number, bytes: Buffer): ChainRow {
  return {
    sequence,
    digest: bytes.subarray(0, DIGEST_BYTES),
    link: bytes.subarray(DIGEST_BYTES, 2 * DIGEST_BYTES),
    entry: bytes.toString('utf8', 2 * DIGEST_BYTES, bytes.length),
  };
}
