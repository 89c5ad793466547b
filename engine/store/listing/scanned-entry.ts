import { idOfEntry } from './listing-keys.ts';

/**
 * The entry of an order that a scan has come to. There is one for the thread, and its key stays where lmdb has put it: a scan
 * of a million entries allocates and copies nothing for them. Its key must be used before anything else is read.
 */
class ScannedEntry {
  row = 0;
  /** As `lacksOfEntry` says; 0 but in the order of ids. */
  lacks = 0;
  #source: Uint8Array = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  keyIsAt(source: Uint8Array, start: number, end: number): void {
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** A copy, which stays. */
  get key(): Buffer {
    return Buffer.from(this.#source.subarray(this.#start, this.#end));
  }

  get id(): string {
    return idOfEntry(this.key);
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
      scannedEntry.keyIsAt(source, start, end);
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
