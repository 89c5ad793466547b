import type { PackedTuples } from '../../../command/packed-tuples.ts';
import type { Bytes, Tables } from '../../environment.ts';
import type { StoreState } from '../store-state.ts';
import { sortNames } from './sort-names.ts';

const STORE_BYTES = 4;
/** Longer than any name can be. */
const KEY_BYTES_MAX = 2048;

/** One buffer, and a view of it of every length: a write copies it at once, so that millions need no object each. */
class Scratch {
  readonly bytes = Buffer.alloc(KEY_BYTES_MAX);
  readonly #views: Buffer[] = [];

  view(length: number): Buffer {
    const known = this.#views[length];
    if (known !== undefined) return known;
    const view = this.bytes.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}

/** The node of each name of a block. Names that the store does not know are given one and stored, in key order. */
export function writeNames(tables: Tables, state: StoreState, packed: PackedTuples): Uint32Array {
  const { names, nameEnds } = packed;
  const nodes = new Uint32Array(nameEnds.length);
  const bytes = Buffer.from(names.buffer, names.byteOffset, names.byteLength);
  const isEmpty = state.isUnnamed;
  let unknown = 0;
  for (let name = 0, start = 0; name < nodes.length; name++) {
    const end = nameEnds[name] as number;
    if (!isEmpty) nodes[name] = state.findStored(bytes.toString('utf8', start, end));
    if (nodes[name] === 0) unknown++;
    start = end;
  }
  const fresh = new Uint32Array(unknown);
  let node = state.reserveNodes(unknown);
  for (let name = 0, at = 0; name < nodes.length; name++) {
    if (nodes[name] !== 0) continue;
    fresh[at++] = name;
    nodes[name] = node++;
  }
  const rows = { bytes, ends: nameEnds, nodes, store: state.number };
  writeNodeRows(tables, rows, fresh);
  sortNames(rows, fresh);
  writeNameRows(tables, rows, fresh);
  return nodes;
}

interface Rows {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
  readonly nodes: Uint32Array;
  readonly store: number;
}

/** `[store][node]` -> name. Nodes count upwards, so that the rows come in the order of their keys. */
function writeNodeRows(tables: Tables, { bytes, ends, nodes, store }: Rows, fresh: Uint32Array): void {
  const key = Buffer.alloc(8);
  const value = new Scratch();
  key.writeUInt32BE(store, 0);
  let append: boolean | undefined;
  for (const name of fresh) {
    const start = name === 0 ? 0 : (ends[name - 1] as number);
    const end = ends[name] as number;
    key.writeUInt32BE(nodes[name] as number, STORE_BYTES);
    bytes.copy(value.bytes, 0, start, end);
    append ??= isPast(tables.nodes, key);
    put(tables.nodes, key, value.view(end - start), append);
  }
}

/** `[store][name]` -> node. */
function writeNameRows(tables: Tables, { bytes, ends, nodes, store }: Rows, sorted: Uint32Array): void {
  const key = new Scratch();
  const value = Buffer.alloc(4);
  key.bytes.writeUInt32BE(store, 0);
  let append: boolean | undefined;
  for (const name of sorted) {
    const start = name === 0 ? 0 : (ends[name - 1] as number);
    const end = ends[name] as number;
    bytes.copy(key.bytes, STORE_BYTES, start, end);
    value.writeUInt32BE(nodes[name] as number, 0);
    const view = key.view(STORE_BYTES + end - start);
    append ??= isPast(tables.names, view);
    put(tables.names, view, value, append);
  }
}

const APPEND = { append: true };

function put(table: Bytes, key: Buffer, value: Buffer, append: boolean): void {
  // lmdb answers false where the key is not past the last, which its types do not say
  const done: unknown = append ? table.putSync(key, value, APPEND) : table.putSync(key, value);
  // not an EngineError, because the transaction has written and must be rolled back
  if (done === false) throw new Error('names came out of order');
}

/** Does every key of the table sort before this one? */
function isPast(table: Bytes, key: Buffer): boolean {
  for (const last of table.getKeys({ reverse: true, limit: 1 })) return Buffer.compare(last, key) < 0;
  return true;
}
