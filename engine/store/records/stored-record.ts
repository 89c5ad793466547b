import { EngineError } from '../../errors.ts';
import { parseRecordKey, unpack } from '../layout.ts';

/** A record as it is stored: its version counts its writes from 1; its keys stand with it so that they can be removed. */
export interface StoredRecord {
  readonly version: number;
  readonly document: unknown;
  readonly indexes?: Readonly<Record<string, string>>;
  readonly unique?: Readonly<Record<string, string>>;
}

interface RecordKeys {
  readonly indexes?: StoredRecord['indexes'] | undefined;
  readonly unique?: StoredRecord['unique'] | undefined;
}

const INDEXES = ',"indexes":';

/** Keys as they stand at the end of a record's bytes, with the brace that closes it. */
export function keysText({ indexes, unique }: RecordKeys): string {
  const indexed = indexes === undefined ? '' : `${INDEXES}${JSON.stringify(indexes)}`;
  const held = unique === undefined ? '' : `,"unique":${JSON.stringify(unique)}`;
  return `${indexed}${held}}`;
}

/** The stored bytes of a record, its document and its keys being text already. */
export function recordBytes(version: number, document: string, keys = '}'): Buffer {
  return Buffer.from(`{"version":${version},"document":${document}${keys}`);
}

/**
 * Whether a record has these keys and no others, by the end of its bytes alone; false where that does not tell. Nothing in
 * a document looks so: more braces follow what is nested, and in a string the quotes are escaped.
 */
export function endsWithKeys(bytes: Buffer, keys: string): boolean {
  if (bytes[0] !== BRACE || !keys.startsWith(INDEXES)) return false;
  return bytes.toString('utf8', bytes.length - Buffer.byteLength(keys), bytes.length) === keys;
}

const BRACE = 0x7b;
const VERSION_AT = '{"version":'.length;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * A record's version, without reading its document: 0, which no record has, where it cannot be told. Throws `corrupt`.
 * @param key the record's
 */
export function versionOf(bytes: Buffer, key: Buffer): number {
  if (bytes[0] !== BRACE) return recordOf(bytes, key).version;
  let version = 0;
  for (let at = VERSION_AT; ; at++) {
    const digit = bytes[at] ?? 0;
    if (digit < ZERO || digit > NINE) return version;
    version = version * 10 + digit - ZERO;
  }
}

/**
 * Records that an earlier version wrote are msgpack. Throws `corrupt`, with the key of the record and nothing of what
 * it contains.
 * @param key the record's
 */
export function recordOf(bytes: Buffer, key: Buffer): StoredRecord {
  try {
    // a buffer of lmdb's own is longer than the value, and `length` says how long that is
    return bytes[0] === BRACE ? JSON.parse(bytes.toString('utf8', 0, bytes.length)) : unpack<StoredRecord>(bytes);
  } catch {
    // the error of the parser quotes the document
    const { store, collection, id } = parseRecordKey(key);
    throw new EngineError('corrupt', `record ${collection}/${id} of store ${store} cannot be read`);
  }
}
