import { EngineError } from '../../errors.ts';

const START_BYTES = 4_096;
/** Above this, a buffer is not kept for what comes next. */
const KEPT_BYTES = 2 ** 20;
/** A shorter text is written here in less time than the runtime's encoder takes to begin. */
const SHORT_TEXT = 64;
const NARROW_MAX = 0xff;
const WIDE_CHARACTER = /[^\0-\xff]/;
const CARRY = 0x80;

/**
 * Appends to bytes that grow. Integers are unsigned LEB128, numbers are doubles, little-endian. A text is
 * `[length << 1 | wide]` and then a byte for each UTF-16 code unit, or two where one of them is above 255: this keeps
 * every JavaScript string, also one that is not well-formed.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Takes back what was appended after this length. */
  rewind(length: number): void {
    this.#length = length;
  }

  /** All that was appended, in memory of its own; the writer starts anew. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#length);
    taken.set(this.#bytes.subarray(0, this.#length));
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(START_BYTES);
    this.#length = 0;
    return taken;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Room for an unsigned integer of four bytes, little-endian, that is known later: `setWord` puts it there. */
  word(): number {
    this.#reserve(4);
    this.#length += 4;
    return this.#length - 4;
  }

  setWord(at: number, value: number): void {
    this.#bytes.writeUInt32LE(value, at);
  }

  /** From 0 to 2^32 - 1. */
  count(value: number): void {
    this.#reserve(5);
    this.#putCount(value);
  }

  number(value: number): void {
    if (typeof value !== 'number') throw unencodable(`a number is wanted, and not ${typeof value}`);
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#length);
    this.#length += 8;
  }

  bytes(value: Uint8Array): void {
    if (!(value instanceof Uint8Array)) throw unencodable('bytes are wanted');
    this.count(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    if (typeof value !== 'string') throw unencodable(`a text is wanted, and not ${typeof value}`);
    const { length } = value;
    this.#reserve(length * 2 + 5);
    if (length <= SHORT_TEXT) this.#shortText(value, length);
    else if (Buffer.byteLength(value) === length || !WIDE_CHARACTER.test(value)) {
      this.#putCount(length * 2);
      this.#length += this.#bytes.write(value, this.#length, length, 'latin1');
    } else this.#wideText(value, length);
  }

  /** `[0]`, or `[1][text]`. */
  optionalText(value: string | undefined): void {
    this.byte(value === undefined ? 0 : 1);
    if (value !== undefined) this.text(value);
  }

  #shortText(value: string, length: number): void {
    const bytes = this.#bytes;
    const start = this.#length;
    let at = start;
    if (length >= CARRY / 2) bytes[at++] = ((length * 2) & 0x7f) | CARRY;
    bytes[at++] = length >= CARRY / 2 ? 1 : length * 2;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > NARROW_MAX) return this.#wideText(value, length);
      bytes[at++] = code;
    }
    this.#length = at;
  }

  #wideText(value: string, length: number): void {
    this.#putCount(length * 2 + 1);
    this.#length += this.#bytes.write(value, this.#length, length * 2, 'utf16le');
  }

  #putCount(value: number): void {
    let rest = value;
    while (rest >= CARRY) {
      this.#bytes[this.#length++] = (rest % CARRY) | CARRY;
      rest = Math.floor(rest / CARRY);
    }
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

export function unencodable(reason: string): EngineError {
  return new EngineError('invalid_argument', `the command cannot be sent to the writer: ${reason}`);
}
