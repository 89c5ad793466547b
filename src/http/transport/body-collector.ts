/**
 * How far past its bound a body is still read, and thrown away, before it is refused. An answer sent while the client
 * still sends is lost in the reset that closing causes; within this margin the client gets to read its 413.
 */
export const discardBytes = 1_048_576;

const empty = Buffer.alloc(0);

/** Puts a body together from its chunks and keeps count of its bound. */
export class BodyCollector {
  #chunks: Buffer[] = [];
  #received = 0;
  #limit = 0;

  begin(limit: number): void {
    this.#chunks.length = 0;
    this.#received = 0;
    this.#limit = limit;
  }

  get tooLarge(): boolean {
    return this.#received > this.#limit;
  }

  /** Whether even the margin for discarding is used up. */
  get hopeless(): boolean {
    return this.#received > this.#limit + discardBytes;
  }

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** Counts bytes that are not kept. */
  count(bytes: number): void {
    this.#received += bytes;
    if (this.tooLarge) this.#chunks.length = 0;
  }

  /** Keeps a chunk, which must not change afterwards. */
  keep(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  take(): Buffer {
    const [only] = this.#chunks;
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : (only ?? empty);
    this.#chunks.length = 0;
    return body;
  }
}
