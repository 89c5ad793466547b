import { ENTRY_KEY_MAX, idOfEntry } from './listing-keys.ts';

/**
 * The entry of an order that a scan has come to. There is one for the thread: a scan of a million entries allocates nothing
 * for them. It must be used before the next one is read.
 */
class ScannedEntry {
  row = 0;
  /** As `lacksOfEntry` says; 0 but in the order of ids. */
  lacks = 0;
  readonly bytes = Buffer.alloc(ENTRY_KEY_MAX);
  length = 0;

  /** A copy, which stays. */
  get key(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }

  get id(): string {
    return idOfEntry(this.bytes.subarray(0, this.length));
  }

  /** Above 0 where the other key comes after this one. */
  compare(other: Buffer): number {
    return other.compare(this.bytes, 0, this.length);
  }
}

export const scannedEntry = new ScannedEntry();

/** How lmdb reads the entries that a scan comes to. */
export const entryEncoding = {
  keyEncoder: {
    writeKey(key: Buffer, target: Uint8Array, position: number): number {
      target.set(key, position);
      return position + key.length;
    },
    readKey(source: Uint8Array, start: number, end: number): number {
      const { bytes } = scannedEntry;
      for (let at = start; at < end; at++) bytes[at - start] = source[at] as number;
      scannedEntry.length = end - start;
      return 0;
    },
  },
  encoder: {
    encode(): never {
      throw new Error('entries are written as bytes');
    },
    decode(value: Buffer, length: number): number {
      scannedEntry.row = value.readUInt32BE(0);
      scannedEntry.lacks = length < 8 ? 0 : value.readUInt32BE(4);
      return 0;
    },
  },
};
