/**
 * The binary key of a tuple in either index, 16 bytes, big-endian, so that keys sort as their parts do:
 *
 *     forward  [store u32][object u32 ][object kind u16][subject kind u16][subject u32]
 *     reverse  [store u32][subject u32][subject kind u16][object kind u16][object u32 ]
 *
 * A kind is an interned (type, relation) pair below 0x8000. In a subject kind the top bit says that the tuple has a
 * condition or an expiry, which stand in the forward index's value: readers learn from keys alone when to look.
 */
export interface EdgeKey {
  store: number;
  node: number;
  /** `first << 16 | second`, where first is the kind of the node's side. */
  kinds: number;
  other: number;
  /** How many leading bytes the key has: 4, 8, 10, 12 or 16. A shorter key is the lower bound of its prefix. */
  size: number;
}

export const QUALIFIED = 0x8000;
export const KIND_MAX = 0x7fff;
/** The node id that stands for every object of a type; its kind is (type, `*`). */
export const WILDCARD_NODE = 0;

/** Ids from here on are given to no name: a question uses them for names that the store does not know. */
export const UNKNOWN_NODE_MIN = 0xff000000;

export function edgeKey(): EdgeKey {
  return { store: 0, node: 0, kinds: 0, other: 0, size: 16 };
}

/** Fills a key in place: a read makes many of them. */
export function aimKey(key: EdgeKey, store: number, node: number, kinds: number, other: number, size: number): void {
  key.store = store;
  key.node = node;
  key.kinds = kinds >>> 0;
  key.other = other;
  key.size = size;
}

function putU32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = value >>> 16;
  target[at + 2] = value >>> 8;
  target[at + 3] = value;
}

function takeU32(source: Uint8Array, at: number): number {
  return (
    (((source[at] as number) << 24) |
      ((source[at + 1] as number) << 16) |
      ((source[at + 2] as number) << 8) |
      (source[at + 3] as number)) >>>
    0
  );
}

/** Where `readKey` puts what it read. One object for the thread: a scan of a million keys allocates nothing for them. */
export const scanned: EdgeKey = edgeKey();

/**
 * The key encoder that lmdb calls. Keys are mutable objects that are copied into its buffer at the call, and decoded
 * into `scanned`; the benefit is a range scan at a third of the time, the cost that a decoded key must be used before
 * the next one is read.
 */
export const edgeKeyEncoder = {
  writeKey(key: EdgeKey, target: Uint8Array, position: number): number {
    putU32(target, position, key.store);
    if (key.size === 4) return position + 4;
    putU32(target, position + 4, key.node);
    if (key.size === 8) return position + 8;
    target[position + 8] = key.kinds >>> 24;
    target[position + 9] = key.kinds >>> 16;
    if (key.size === 10) return position + 10;
    target[position + 10] = key.kinds >>> 8;
    target[position + 11] = key.kinds;
    if (key.size === 12) return position + 12;
    putU32(target, position + 12, key.other);
    return position + 16;
  },
  readKey(source: Uint8Array, start: number): EdgeKey {
    scanned.store = takeU32(source, start);
    scanned.node = takeU32(source, start + 4);
    scanned.kinds = takeU32(source, start + 8);
    scanned.other = takeU32(source, start + 12);
    return scanned;
  },
};

/** The two kinds the other way round: forward and reverse keys hold them in opposite order. */
export function swapKinds(kinds: number): number {
  return ((kinds << 16) | (kinds >>> 16)) >>> 0;
}
