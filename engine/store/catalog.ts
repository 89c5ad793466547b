import { EngineError } from '../errors.ts';
import type { Tables } from './environment.ts';
import { kindKey, nameKey, pack, passingNameKey, unpack } from './layout.ts';
import type { NameTable } from './name-table.ts';

export const STORE_NAME_MAX = 128;

/** What the environment keeps about one store besides its data. */
export interface StoreHead {
  readonly number: number;
  readonly name: string;
  readonly createdAt: number;
  /** The id that the next new name gets. Ids are never given out twice. */
  readonly nextNode: number;
  readonly nextKind: number;
  readonly tuples: number;
  /** Ids of its models, oldest first. */
  readonly models: readonly string[];
  /** Set when the store was deleted and its data awaits the sweep. */
  readonly deletedAt?: number;
}

/** (type, relation) pairs of one store by number and by `type#relation`. Kinds are only ever added. */
export class Kinds {
  /** The first of them, where other stores have the same. Nothing is added to these. */
  readonly #base: Kinds | undefined;
  readonly #from: number;
  readonly #texts: string[] = [];
  /** Where they are many. */
  #numbers: Map<string, number> | undefined;

  constructor(base?: Kinds) {
    this.#base = base;
    this.#from = (base?.size ?? 0) + 1;
  }

  get size(): number {
    return this.#from - 1 + this.#texts.length;
  }

  /** 0 where the pair is not interned. `relation` is empty for an object, `*` for a wildcard. */
  number(type: string, relation: string): number {
    const text = `${type}#${relation}`;
    return this.#find(text) ?? this.#base?.number(type, relation) ?? 0;
  }

  type(kind: number): string {
    const text = this.#text(kind);
    return text.slice(0, text.indexOf('#'));
  }

  relation(kind: number): string {
    const text = this.#text(kind);
    return text.slice(text.indexOf('#') + 1);
  }

  add(kind: number, text: string): void {
    this.#texts[kind - this.#from] = text;
    this.#numbers?.set(text, kind);
  }

  /** `#` where there is none. */
  #text(kind: number): string {
    const base = this.#base;
    if (base !== undefined && kind < this.#from) return base.#text(kind);
    return this.#texts[kind - this.#from] ?? '#';
  }

  #find(text: string): number | undefined {
    if (this.#texts.length <= FEW) {
      const index = this.#texts.indexOf(text);
      return index < 0 ? undefined : this.#from + index;
    }
    this.#numbers ??= new Map(this.#texts.map((each, index) => [each, this.#from + index]));
    return this.#numbers.get(text);
  }
}

/** So few are searched one by one, which needs no memory beside the texts. */
const FEW = 16;

export function readHead(tables: Tables, name: string): StoreHead | undefined {
  const bytes = tables.stores.getBinaryFast(storeKey(name));
  return bytes === undefined ? undefined : unpack<StoreHead>(bytes);
}

export function storeKey(name: string): Buffer {
  return nameKey(0, name);
}

export function allHeads(tables: Tables): StoreHead[] {
  const heads: StoreHead[] = [];
  for (const { value } of tables.stores.getRange({})) heads.push(unpack<StoreHead>(value));
  return heads;
}

/** Numbers of the stores that are not deleted, going up. */
export function liveStores(tables: Tables): number[] {
  const live = allHeads(tables).filter(({ deletedAt }) => deletedAt === undefined);
  return live.map(({ number }) => number).sort((left, right) => left - right);
}

const NEXT_STORE = Buffer.from('next-store');

/** The number of the store that is made next. */
export function nextStore({ meta }: Tables): number {
  const stored = meta.getBinaryFast(NEXT_STORE);
  return stored === undefined ? 1 : unpack<number>(stored);
}

export function writeNextStore({ meta }: Tables, number: number): void {
  meta.putSync(NEXT_STORE, pack(number));
}

/** The texts of a store's kinds, from the first on. */
export function readKinds(tables: Tables, store: number, next: number): string[] {
  const texts: string[] = [];
  for (const { key, value } of tables.kinds.getRange({ start: kindKey(store, 1), end: kindKey(store, next) })) {
    if (key.readUInt16BE(4) !== texts.length + 1) break;
    texts.push(value.toString('utf8'));
  }
  if (texts.length + 1 < next) {
    throw new EngineError('corrupt', `kind ${texts.length + 1} of store ${store} is missing`);
  }
  return texts;
}

/** Loads the kinds that `kinds` does not have yet; those it has never change. */
export function loadKinds(tables: Tables, store: number, kinds: Kinds, next: number): void {
  for (let kind = kinds.size + 1; kind < next; kind++) {
    const bytes = tables.kinds.getBinaryFast(kindKey(store, kind));
    if (bytes === undefined) throw new EngineError('corrupt', `kind ${kind} of store ${store} is missing`);
    kinds.add(kind, bytes.toString('utf8', 0, bytes.length));
  }
}

/** The node id of a name, or 0 where the store has never seen it. */
export function findNode(tables: Tables, names: NameTable, store: number, name: string): number {
  return names.get(store, name) || readNode(tables, names, store, name);
}

/** The same of a name that is known not to be among `names`. */
export function readNode(tables: Tables, names: NameTable, store: number, name: string): number {
  const bytes = tables.names.getBinaryFast(passingNameKey(store, name));
  if (bytes === undefined) return 0;
  const node = bytes.readUInt32BE(0);
  names.add(store, name, node);
  return node;
}

/** Copied by lmdb at each call: a list of ten thousand names allocates no keys. */
const nodeKey = Buffer.allocUnsafe(8);

export function nodeName(tables: Tables, store: number, node: number): string {
  nodeKey.writeUInt32BE(store, 0);
  nodeKey.writeUInt32BE(node, 4);
  const bytes = tables.nodes.getBinaryFast(nodeKey);
  if (bytes === undefined) throw new EngineError('corrupt', `node ${node} of store ${store} has no name`);
  return bytes.toString('utf8', 0, bytes.length);
}
