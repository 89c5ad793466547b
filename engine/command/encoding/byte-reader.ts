import { EngineError } from '../../errors.ts';

/** Texts of a command up to this size are cut from one string, which is made at once. */
const SHARED_TEXT_MAX = 2 ** 16;
const CARRY = 0x80;
const COUNT_BYTES_MAX = 5;
const COUNT_MAX = 2 ** 32 - 1;

/**
 * Reads what `ByteWriter` wrote, from `start` to `end`. Whatever the bytes are, it reads none beyond the end and makes
 * nothing that is larger than they are. Throws `corrupt`.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  readonly #shared: string | undefined;
  #at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#at = start;
    this.#shared = end - start <= SHARED_TEXT_MAX ? bytes.toString('latin1', start, end) : undefined;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  byte(): number {
    return this.#bytes[this.#pass(1)] as number;
  }

  count(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < COUNT_BYTES_MAX; i++) {
      const byte = this.byte();
      value += (byte % CARRY) * scale;
      if (byte < CARRY && value <= COUNT_MAX) return value;
      scale *= CARRY;
    }
    throw damaged('a count is too large');
  }

  /** How many elements follow, each of a byte at least. */
  length(): number {
    const length = this.count();
    if (length > this.#end - this.#at) throw damaged('it ends too early');
    return length;
  }

  number(): number {
    return this.#bytes.readDoubleLE(this.#pass(8));
  }

  /** In memory of their own. */
  bytes(): Uint8Array<ArrayBuffer> {
    const length = this.count();
    const at = this.#pass(length);
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(at, at + length));
    return copy;
  }

  text(): string {
    const header = this.count();
    const length = header >>> 1;
    if (header % 2 === 1) return this.#wide(length);
    const at = this.#pass(length);
    return this.#shared?.substring(at - this.#start, at - this.#start + length) ?? this.#narrow(at, length);
  }

  optionalText(): string | undefined {
    const present = this.byte();
    if (present > 1) throw damaged('a text is neither there nor absent');
    return present === 1 ? this.ownText() : undefined;
  }

  /** A text that may be kept for long: it does not keep those beside it in memory. */
  ownText(): string {
    const header = this.count();
    const length = header >>> 1;
    return header % 2 === 1 ? this.#wide(length) : this.#narrow(this.#pass(length), length);
  }

  #narrow(at: number, length: number): string {
    return this.#bytes.toString('latin1', at, at + length);
  }

  #wide(length: number): string {
    const at = this.#pass(length * 2);
    return this.#bytes.toString('utf16le', at, at + length * 2);
  }

  /** Where `length` bytes stand, which are read now. */
  #pass(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw damaged('it ends too early');
    this.#at = at + length;
    return at;
  }
}

export function damaged(reason: string): EngineError {
  return new EngineError('corrupt', `a command cannot be decoded: ${reason}`);
}
