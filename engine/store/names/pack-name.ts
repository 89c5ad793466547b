/** Words of a packed name: as many as a slot of a table has room for. */
export const NAME_WORDS = 12;
export const NAME_LENGTH_MAX = NAME_WORDS * 4;

/**
 * Puts a name into words, four characters in each, and answers its hash with the store's number: 32 bits, never 0.
 * 0 says that it is too long or not ASCII. Hashing and comparing go four characters at a time, which halves the cost of a
 * look-up.
 */
export function packText(words: Int32Array, from: number, store: number, name: string): number {
  const { length } = name;
  if (length > NAME_LENGTH_MAX) return 0;
  let hash = begun(store, length);
  let to = from;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    const a = name.charCodeAt(at);
    const b = name.charCodeAt(at + 1);
    const c = name.charCodeAt(at + 2);
    const d = name.charCodeAt(at + 3);
    if ((a | b | c | d) > 0x7f) return 0;
    const word = a | (b << 8) | (c << 16) | (d << 24);
    words[to++] = word;
    hash = mixed(hash, word);
  }
  let last = 0;
  for (let shift = 0; at < length; at++, shift += 8) {
    const code = name.charCodeAt(at);
    if (code > 0x7f) return 0;
    last |= code << shift;
  }
  if ((length & 3) !== 0) words[to] = last;
  return ended(hash, last);
}

/** The same for a name of ASCII that is some octets from one offset to another. */
export function packOctets(
  words: Int32Array,
  from: number,
  store: number,
  octets: Uint8Array,
  start: number,
  end: number,
): number {
  const length = end - start;
  if (length > NAME_LENGTH_MAX) return 0;
  let hash = begun(store, length);
  let to = from;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const a = octets[at] as number;
    const b = octets[at + 1] as number;
    const c = octets[at + 2] as number;
    const d = octets[at + 3] as number;
    const word = a | (b << 8) | (c << 16) | (d << 24);
    words[to++] = word;
    hash = mixed(hash, word);
  }
  let last = 0;
  for (let shift = 0; at < end; at++, shift += 8) last |= (octets[at] as number) << shift;
  if ((length & 3) !== 0) words[to] = last;
  return ended(hash, last);
}

function begun(store: number, length: number): number {
  return store ^ 0x811c9dc5 ^ length;
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function ended(before: number, last: number): number {
  let hash = Math.imul(before ^ last, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 16;
  return hash === 0 ? 1 : hash;
}
