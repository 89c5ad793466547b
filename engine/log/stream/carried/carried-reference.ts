import { EngineError } from '../../../errors.ts';

/**
 * What stands in a message of the log that does not have its commands itself:
 *
 *     [1 u8][stream u16][sequence u48][SHA-256 of the message there], or
 *     [2 u8][stream u16][name of a store]
 *
 * The first refers to a message in a side stream, which has the commands, or a part of one. The second says that
 * the commands of a store go to that stream from now on.
 */
export type StreamUse = CarriedReference | Assignment;

export interface CarriedReference {
  readonly stream: number;
  readonly sequence: number;
  readonly digest: Uint8Array;
}

export interface Assignment {
  readonly stream: number;
  readonly store: string;
}

/** Streams have the numbers from 0, which is the log itself, to this. */
export const STREAM_MAX = 15;

const REFERENCE = 1;
const ASSIGNMENT = 2;
const STREAM_AT = 1;
const SEQUENCE_AT = 3;
const SEQUENCE_BYTES = 6;
const DIGEST_AT = 9;
const REFERENCE_BYTES = 41;
const STORE_AT = 3;
const STORE_BYTES_MAX = 128;

export function encodeReference({ stream, sequence, digest }: CarriedReference): Buffer {
  const bytes = Buffer.alloc(REFERENCE_BYTES);
  bytes[0] = REFERENCE;
  bytes.writeUInt16BE(stream, STREAM_AT);
  bytes.writeUIntBE(sequence, SEQUENCE_AT, SEQUENCE_BYTES);
  bytes.set(digest, DIGEST_AT);
  return bytes;
}

export function encodeAssignment({ stream, store }: Assignment): Buffer {
  const head = Buffer.alloc(STORE_AT);
  head[0] = ASSIGNMENT;
  head.writeUInt16BE(stream, STREAM_AT);
  return Buffer.concat([head, Buffer.from(store)]);
}

/** @throws EngineError `corrupt` where it is neither */
export function decodeUse(encoded: Uint8Array): StreamUse {
  const bytes = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  const stream = bytes.length < STORE_AT ? STREAM_MAX + 1 : bytes.readUInt16BE(STREAM_AT);
  if (stream > STREAM_MAX) throw new EngineError('corrupt', 'it names a stream that this version does not have');
  if (bytes[0] === REFERENCE && bytes.length === REFERENCE_BYTES && stream > 0) {
    const sequence = bytes.readUIntBE(SEQUENCE_AT, SEQUENCE_BYTES);
    if (sequence > 0) return { stream, sequence, digest: bytes.subarray(DIGEST_AT) };
  }
  const isOfStore = bytes.length > STORE_AT && bytes.length <= STORE_AT + STORE_BYTES_MAX;
  if (bytes[0] === ASSIGNMENT && isOfStore) return { stream, store: bytes.toString('utf8', STORE_AT) };
  throw new EngineError('corrupt', 'it is neither a reference to another stream nor a move');
}
