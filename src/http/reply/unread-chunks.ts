import type { Background, Repetition } from '../../platform/index.ts';

export interface UnreadLimits {
  /** How long a client may take to read what it was sent. */
  readonly stallMs: number;
  /** Most bytes that all clients together have not read. */
  readonly bytesMax: number;
}

interface Unread {
  readonly bytes: number;
  readonly since: number;
  readonly cut: () => void;
}

export interface UnreadChunk {
  begin(bytes: number): void;
  end(): void;
}

const LOOK_MS = 250;

/**
 * What the streams of one thread have written and the network has not taken yet. A client that does not read for too
 * long is disconnected. If all clients together hold too much memory, those that have not read for the longest are
 * disconnected too.
 */
export class UnreadChunks {
  readonly #limits: UnreadLimits;
  readonly #background: Background;
  /** Oldest first, because each chunk enters at the end. */
  readonly #chunks = new Map<UnreadChunk, Unread>();
  #bytes = 0;
  #looking: Repetition | undefined;

  constructor(limits: UnreadLimits, background: Background) {
    this.#limits = limits;
    this.#background = background;
  }

  /** Of one stream, which has one chunk under way at a time. `cut` ends its connection. */
  of(cut: () => void): UnreadChunk {
    const chunk: UnreadChunk = {
      begin: (bytes) => {
        this.#chunks.set(chunk, { bytes, since: performance.now(), cut });
        this.#bytes += bytes;
        this.#looking ??= this.#background.every('change_streams', LOOK_MS, () => this.#look());
        while (this.#bytes > this.#limits.bytesMax) this.#cutOldest();
      },
      end: () => this.#forget(chunk),
    };
    return chunk;
  }

  #look(): void {
    const latest = performance.now() - this.#limits.stallMs;
    for (const { since } of this.#chunks.values()) {
      if (since > latest) break;
      this.#cutOldest();
    }
    if (this.#chunks.size > 0) return;
    void this.#looking?.stop();
    this.#looking = undefined;
  }

  #cutOldest(): void {
    for (const [chunk, { cut }] of this.#chunks) {
      this.#forget(chunk);
      cut();
      return;
    }
  }

  #forget(chunk: UnreadChunk): void {
    const unread = this.#chunks.get(chunk);
    if (unread === undefined) return;
    this.#chunks.delete(chunk);
    this.#bytes -= unread.bytes;
  }
}
