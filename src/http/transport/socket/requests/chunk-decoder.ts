import type { GatheredBody } from '../../gathered-body.ts';
import { CR, classesOf, DIGIT_0, DIGIT_9, EQUALS, LF, SEMICOLON, TOKEN } from './octets.ts';

/** More digits than any allowed chunk has. */
const SIZE_DIGITS_MAX = 8;
/** Most octets of sizes and extensions between two pieces of data. */
const FRAME_MAX = 4_096;

type State =
  | 'size'
  | 'extension'
  | 'extension value'
  | 'end of size'
  | 'data'
  | 'CR of data'
  | 'LF of data'
  | 'CR at the end'
  | 'LF at the end'
  | 'end';

export type ChunkProgress = 'more' | 'complete' | 'malformed';

/**
 * Decodes a body in chunks (RFC 9112, 7.1). Every line ends with CR LF. Extensions are passed over if they are tokens:
 * quoted ones, and blanks in a line, are refused. So are trailers: nobody reads them here, and readers differ in which
 * fields they may be.
 */
export class ChunkDecoder {
  #state: State = 'size';
  #size = 0;
  #digits = 0;
  /** Octets since the last data that are none. */
  #frame = 0;
  /** Octets of the token that is being read. */
  #token = 0;

  begin(): void {
    this.#state = 'size';
    this.#size = this.#digits = this.#frame = this.#token = 0;
  }

  /** @param body to which the data go */
  read(octets: Buffer, from: number, body: GatheredBody): ChunkProgress {
    let at = from;
    while (at < octets.length) {
      if (this.#state === 'data') {
        const to = Math.min(octets.length, at + this.#size);
        body.add(octets, at, to);
        this.#size -= to - at;
        at = to;
        if (this.#size === 0) this.#state = 'CR of data';
        this.#frame = 0;
        continue;
      }
      const next = ++this.#frame > FRAME_MAX ? undefined : this.#next(octets[at++] as number);
      if (next === undefined) return 'malformed';
      this.#state = next;
      // nothing is read behind it: a request whose body is in chunks is the last of its connection
      if (next === 'end') return 'complete';
    }
    return 'more';
  }

  #next(octet: number): State | undefined {
    switch (this.#state) {
      case 'size':
        return this.#sizeDigit(octet);
      case 'extension':
        if (octet === EQUALS && this.#token > 0) return this.#begin('extension value');
        return this.#extension(octet, 'extension');
      case 'extension value':
        return this.#extension(octet, 'extension value');
      case 'end of size':
        if (octet !== LF) return undefined;
        this.#digits = 0;
        return this.#size === 0 ? 'CR at the end' : 'data';
      case 'CR of data':
        return octet === CR ? 'LF of data' : undefined;
      case 'LF of data':
        return octet === LF ? 'size' : undefined;
      case 'CR at the end':
        return octet === CR ? 'LF at the end' : undefined;
      default:
        return octet === LF ? 'end' : undefined;
    }
  }

  #begin(state: State): State {
    this.#token = 0;
    return state;
  }

  #sizeDigit(octet: number): State | undefined {
    const digit = hexDigit(octet);
    if (digit >= 0) {
      this.#size = this.#size * 16 + digit;
      return ++this.#digits > SIZE_DIGITS_MAX ? undefined : 'size';
    }
    if (this.#digits === 0) return undefined;
    if (octet === SEMICOLON) return this.#begin('extension');
    return octet === CR ? 'end of size' : undefined;
  }

  #extension(octet: number, state: State): State | undefined {
    if (((classesOf[octet] as number) & TOKEN) !== 0) {
      this.#token++;
      return state;
    }
    if (this.#token === 0) return undefined;
    if (octet === SEMICOLON) return this.#begin('extension');
    return octet === CR ? 'end of size' : undefined;
  }
}

function hexDigit(octet: number): number {
  if (octet >= DIGIT_0 && octet <= DIGIT_9) return octet - DIGIT_0;
  const letter = octet | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
