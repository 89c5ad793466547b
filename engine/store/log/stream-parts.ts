import type { Tables } from '../environment.ts';

/** A part of a command that came in several messages, as a store keeps it until the last one is there. */
export interface StoredPart {
  /** Of the run of a node, in hexadecimal. */
  readonly producer: string;
  /** Where in the command it stands. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** `stream-part/[producer, 16 bytes][at u32]` -> its message's bytes after the head, in `meta`. */
const PART = Buffer.from('stream-part/');
const PARTS = { start: PART, end: Buffer.from('stream-part0') };
const PRODUCER_BYTES = 16;

/** In the order of producers, and of one in the order of its command. */
export function readParts({ meta }: Tables): StoredPart[] {
  return [...meta.getRange(PARTS)].map(({ key, value }) => ({
    producer: key.toString('hex', PART.length, PART.length + PRODUCER_BYTES),
    at: key.readUInt32BE(PART.length + PRODUCER_BYTES),
    bytes: Buffer.from(value),
  }));
}

export function writePart({ meta }: Tables, { producer, at, bytes }: StoredPart): void {
  meta.putSync(partKey(producer, at), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

export function removePart({ meta }: Tables, { producer, at }: Omit<StoredPart, 'bytes'>): void {
  meta.removeSync(partKey(producer, at));
}

function partKey(producer: string, at: number): Buffer {
  const position = Buffer.alloc(4);
  position.writeUInt32BE(at);
  return Buffer.concat([PART, Buffer.from(producer, 'hex'), position]);
}
