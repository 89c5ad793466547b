/**
 * How far past its bound a body is still read, and thrown away, before it is refused. An answer sent while the client
 * still sends is lost in the reset that closing causes; within this margin the client gets to read its 413.
 */
export const discardBytes = 1_048_576;

const FIRST_BYTES = 4_096;
const nothing = Buffer.alloc(0);

/**
 * A body that comes in pieces. They are copied into one buffer that grows with what has come, not with what was
 * announced: a million pieces of one octet each would cost a hundred times their size.
 */
export class GatheredBody {
  #buffer: Buffer = nothing;
  #received = 0;
  #limit = 0;

  begin(limit: number): void {
    this.#buffer = nothing;
    this.#received = 0;
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#received === 0;
  }

  get tooLarge(): boolean {
    return this.#received > this.#limit;
  }

  /** Whether even the margin for discarding is used up. */
  get hopeless(): boolean {
    return this.#received > this.#limit + discardBytes;
  }

  /** Counts bytes that are not kept. */
  count(bytes: number): void {
    this.#received += bytes;
    if (this.tooLarge) this.#buffer = nothing;
  }

  /** Keeps a copy; counts only, once there is too much. */
  add(octets: Buffer, from: number, to: number): void {
    const start = this.#received;
    this.count(to - from);
    if (this.tooLarge) return;
    if (this.#received > this.#buffer.length) this.#grow(start);
    octets.copy(this.#buffer, start, from, to);
  }

  #grow(kept: number): void {
    const most = Math.max(this.#received, Math.min(this.#limit, Math.max(FIRST_BYTES, 2 * this.#received)));
    // not of the pool of Node.js, of which a small piece would keep a whole page
    const buffer = Buffer.allocUnsafeSlow(most);
    this.#buffer.copy(buffer, 0, 0, kept);
    this.#buffer = buffer;
  }

  take(): Buffer {
    const body = this.#buffer.subarray(0, this.#received);
    this.#buffer = nothing;
    return body;
  }
}
