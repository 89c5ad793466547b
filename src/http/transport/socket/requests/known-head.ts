import { HeadNotes } from '../../transport.ts';
import { HeadOctets } from './head-octets.ts';
import { DIGIT_0, DIGIT_9 } from './octets.ts';

/** A head that is longer is not remembered. */
export const KNOWN_BYTES_MAX = 1_024;

/** What a head says, beside its fields, and where that stands in its octets. */
export interface HeadParts {
  readonly method: string;
  readonly isOld: boolean;
  readonly isLast: boolean;
  readonly targetFrom: number;
  readonly pathTo: number;
  readonly targetTo: number;
  readonly digitsFrom: number;
  readonly digitsTo: number;
}

/**
 * A head that was parsed. Clients send one head many times, of which nothing differs but the digits of the length: such
 * a head needs no parsing, and what its fields say is text already.
 */
export class KnownHead extends HeadOctets {
  readonly method: string;
  readonly isOld: boolean;
  readonly isLast: boolean;
  readonly digitsFrom: number;
  readonly digitsTo: number;
  readonly notes = new HeadNotes();
  /** Four octets, and which of their bits count, in turns. */
  readonly #words: Int32Array;
  readonly #path: string;
  readonly #query: string;
  /** Fields that were asked for. Which ones are is in the code, and not in requests: they are few. */
  readonly #fields = new Map<string, string>();

  /** @param octets are kept. @param offsets of the fields in them */
  constructor(octets: Buffer, offsets: Int32Array, parts: HeadParts) {
    super(offsets);
    this.octets = octets;
    this.to = octets.length;
    this.fields = offsets.length / 4;
    this.method = parts.method;
    this.isOld = parts.isOld;
    this.isLast = parts.isLast;
    this.digitsFrom = parts.digitsFrom;
    this.digitsTo = parts.digitsTo;
    this.targetFrom = parts.targetFrom;
    this.pathTo = parts.pathTo;
    this.targetTo = parts.targetTo;
    this.#path = super.path;
    this.#query = super.query;
    this.#words = wordsOf(octets, parts.digitsFrom, parts.digitsTo);
  }

  get length(): number {
    return this.octets.length;
  }

  override get path(): string {
    return this.#path;
  }

  override get query(): string {
    return this.#query;
  }

  /** Not `content-length`. */
  override header(name: string): string {
    let value = this.#fields.get(name);
    if (value === undefined) {
      value = super.header(name);
      this.#fields.set(name, value);
    }
    return value;
  }

  /**
   * Whether what stands in memory is this head, whatever its length says. It looks at all octets, whichever differ: how
   * long it takes must not tell how much of a credential is right.
   */
  isAt(memory: DataView, from: number): boolean {
    const words = this.#words;
    if (from + 2 * words.length > memory.byteLength) return false;
    let difference = 0;
    for (let i = 0, at = from; i < words.length; i += 2, at += 4) {
      difference |= (memory.getInt32(at, true) ^ (words[i] as number)) & (words[i + 1] as number);
    }
    return difference === 0;
  }

  /** The length that the same head has at another offset; -1 where it is none. */
  bodyLengthAt(octets: Buffer, from: number): number {
    let length = 0;
    for (let at = from + this.digitsFrom; at < from + this.digitsTo; at++) {
      const octet = octets[at] as number;
      if (octet < DIGIT_0 || octet > DIGIT_9) return -1;
      length = length * 10 + (octet - DIGIT_0);
    }
    return length;
  }
}

function wordsOf(octets: Buffer, digitsFrom: number, digitsTo: number): Int32Array {
  const count = Math.ceil(octets.length / 4);
  const padded = new DataView(new ArrayBuffer(4 * count));
  const counting = new DataView(new ArrayBuffer(4 * count));
  octets.forEach((octet, at) => {
    padded.setUint8(at, octet);
    counting.setUint8(at, at >= digitsFrom && at < digitsTo ? 0 : 0xff);
  });
  const words = new Int32Array(2 * count);
  for (let i = 0; i < count; i++) {
    words[2 * i] = padded.getInt32(4 * i, true);
    words[2 * i + 1] = counting.getInt32(4 * i, true);
  }
  return words;
}
