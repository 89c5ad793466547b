import { createHash } from 'node:crypto';
import { Packr } from 'msgpackr';
import { EngineError } from '../errors.ts';
import type { EdgeKey } from './edge-key.ts';

/**
 * Values as msgpack without shared structures: each can be read on its own, by any version. Without
 * `variableMapSize` an object of more than 65,535 keys could not be packed, nor a commit of as many conditions.
 */
const packr = new Packr({ useRecords: false, moreTypes: true, int64AsType: 'number', variableMapSize: true });

export function pack(value: unknown): Buffer {
  // The packer reuses its buffer; lmdb copies at once, a queue of values would not.
  return Buffer.from(packr.pack(value));
}

/** The caller names the type that it packed under this key. */
export function unpack<T>(bytes: Uint8Array): T {
  return packr.unpack(bytes) as T;
}

const INDEX_TEXT_MAX = 400;
const ASCII_MAX = 0x7f;
/** Never more bytes than fit. */
const TEXT_UNMEASURED = 128;
/** Bytes of the longest part that `putLastPart` writes. */
export const LAST_PART_MAX = TEXT_UNMEASURED;

export function u32Key(...words: readonly number[]): Buffer {
  const key = Buffer.allocUnsafe(words.length * 4);
  words.forEach((word, i) => {
    key.writeUInt32BE(word >>> 0, i * 4);
  });
  return key;
}

/** Written into `key` where one is given, which spares a lookup its own. */
export function revisionKey(revision: number, key = Buffer.allocUnsafe(8)): Buffer {
  key.writeUInt32BE(Math.floor(revision / 2 ** 32), 0);
  key.writeUInt32BE(revision >>> 0, 4);
  return key;
}

export function readRevision(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const high = view.getInt32(0);
  const low = view.getInt32(4);
  // a small integer, which V8 keeps in place: of thousands of objects with another number, each would have a box for it
  return high === 0 && low >= 0 ? low : (high >>> 0) * 2 ** 32 + (low >>> 0);
}

/** `[store][name bytes]`. */
export function nameKey(store: number, name: string): Buffer {
  if (name.length > TEXT_UNMEASURED) return encodedNameKey(store, name);
  const key = Buffer.allocUnsafe(4 + name.length);
  return putName(key, store, name) ? key : encodedNameKey(store, name);
}

/** By the length of the name. */
const passingKeys: Buffer[] = Array.from({ length: TEXT_UNMEASURED + 1 }, (_, length) => Buffer.alloc(4 + length));

/** The same in bytes that the next call may overwrite. For a lookup: lmdb copies the key when it is called. */
export function passingNameKey(store: number, name: string): Buffer {
  const key = passingKeys[name.length];
  return key !== undefined && putName(key, store, name) ? key : encodedNameKey(store, name);
}

/** Nearly all names are a few dozen ASCII characters: see `recordKey`. False where this one is not. */
function putName(key: Buffer, store: number, name: string): boolean {
  key.writeUInt32BE(store, 0);
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code > ASCII_MAX) return false;
    key[4 + i] = code;
  }
  return true;
}

function encodedNameKey(store: number, name: string): Buffer {
  const key = Buffer.allocUnsafe(4 + Buffer.byteLength(name));
  key.writeUInt32BE(store, 0);
  key.write(name, 4, 'utf8');
  return key;
}

export function kindKey(store: number, kind: number): Buffer {
  const key = Buffer.allocUnsafe(6);
  key.writeUInt32BE(store, 0);
  key.writeUInt16BE(kind, 4);
  return key;
}

/** `[store][kinds][condition]`: one counter for each shape of tuple that the store holds. */
export function shapeKey(store: number, kinds: number, condition: string): Buffer {
  const key = Buffer.allocUnsafe(8 + Buffer.byteLength(condition));
  key.writeUInt32BE(store, 0);
  key.writeUInt32BE(kinds >>> 0, 4);
  key.write(condition, 8, 'utf8');
  return key;
}

/** `[time u48][store][object][kinds][subject]`. */
export function expiryKey(time: number, edge: EdgeKey): Buffer {
  const key = Buffer.allocUnsafe(22);
  key.writeUIntBE(Math.max(0, Math.min(time, 2 ** 48 - 1)), 0, 6);
  key.writeUInt32BE(edge.store, 6);
  key.writeUInt32BE(edge.node, 10);
  key.writeUInt32BE(edge.kinds >>> 0, 14);
  key.writeUInt32BE(edge.other, 18);
  return key;
}

/** `[store][part]\0[part]\0...[last]`; a part over 400 bytes keeps its start and a hash of the whole. */
export function recordKey(store: number, ...parts: readonly string[]): Buffer {
  let length = 3;
  for (const part of parts) length += part.length + 1;
  const key = Buffer.allocUnsafe(length);
  key.writeUInt32BE(store, 0);
  let at = 4;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] as string;
    if (index > 0) key[at++] = 0;
    if (part.length > TEXT_UNMEASURED) return encodedKey(store, parts);
    // most texts are a few dozen ASCII characters, which are written here in half of the time that the runtime's encoder takes
    for (let i = 0; i < part.length; i++) {
      const code = part.charCodeAt(i);
      if (code === 0 || code > ASCII_MAX) return encodedKey(store, parts);
      key[at++] = code;
    }
  }
  return key;
}

/**
 * Writes the last part of a record's key behind the others, which end at a place. Answers where the key ends; 0 where the
 * part is not short and ASCII: then `recordKey` makes the key.
 */
export function putLastPart(key: Buffer, at: number, part: string): number {
  if (part.length > LAST_PART_MAX) return 0;
  for (let i = 0; i < part.length; i++) {
    const code = part.charCodeAt(i);
    if (code === 0 || code > ASCII_MAX) return 0;
    key[at + i] = code;
  }
  return at + part.length;
}

/** What the key of a record says; a long id is the start and the hash that stand there. */
export function parseRecordKey(key: Buffer): { store: number; collection: string; id: string } {
  const [collection = '', id = ''] = key.toString('utf8', 4, key.length).split('\0');
  return { store: key.readUInt32BE(0), collection, id };
}

function encodedKey(store: number, parts: readonly string[]): Buffer {
  if (parts.some((part) => part.includes('\0'))) {
    throw new EngineError('invalid_argument', 'record keys cannot contain NUL');
  }
  return nameKey(store, parts.map(shortened).join('\0'));
}

function shortened(part: string): string {
  if (Buffer.byteLength(part) <= INDEX_TEXT_MAX) return part;
  return `${part.slice(0, 96)}~${createHash('sha256').update(part).digest('hex')}`;
}
