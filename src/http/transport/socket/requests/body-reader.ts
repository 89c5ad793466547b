import { chunked } from '../../framing.ts';
import { GatheredBody } from '../../gathered-body.ts';
import { ChunkDecoder } from './chunk-decoder.ts';

export type BodyProgress = 'more' | 'complete' | 'malformed' | 'too large';

/** Reads a body that does not come in one piece with its head. */
export class BodyReader {
  progress: BodyProgress = 'complete';
  readonly #body = new GatheredBody();
  readonly #chunks = new ChunkDecoder();
  #isChunked = false;
  /** Octets that are still to come, where their number is known. */
  #missing = 0;

  /** @param length in bytes, or `chunked` */
  begin(length: number, limit: number): void {
    this.progress = 'more';
    this.#isChunked = length === chunked;
    this.#missing = length;
    this.#body.begin(limit);
    this.#chunks.begin();
  }

  /** @returns where the next request begins; behind chunks there is none */
  read(octets: Buffer, from: number): number {
    const end = this.#isChunked ? this.#readChunks(octets, from) : this.#readOctets(octets, from);
    if (this.progress === 'complete' ? this.#body.tooLarge : this.#body.hopeless) this.progress = 'too large';
    return end;
  }

  take(): Buffer {
    return this.#body.take();
  }

  #readOctets(octets: Buffer, from: number): number {
    const to = Math.min(octets.length, from + this.#missing);
    this.#body.add(octets, from, to);
    this.#missing -= to - from;
    if (this.#missing === 0) this.progress = 'complete';
    return to;
  }

  #readChunks(octets: Buffer, from: number): number {
    this.progress = this.#chunks.read(octets, from, this.#body);
    return octets.length;
  }
}
