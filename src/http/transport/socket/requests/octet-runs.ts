import { wordsOf } from '../../../../platform/index.ts';
import { classesOf, PATH, TOKEN, VALUE } from './octets.ts';

/** Of each octet of a word, the highest bit. */
const HIGHEST = 0x80808080 | 0;
const ONES = 0x01010101;
/** `#` and `?` in each octet. */
const HASHES = 0x23232323;
const QUESTIONS = 0x3f3f3f3f;

/**
 * Where runs of octets of one class end. Four octets are looked at together as long as they are those that nearly all
 * such runs have; all others are looked up one by one.
 */
export class OctetRuns {
  #octets: Uint8Array = new Uint8Array(0);
  #words: DataView = new DataView(new ArrayBuffer(0));

  in(octets: Uint8Array): this {
    this.#octets = octets;
    this.#words = wordsOf(octets);
    return this;
  }

  /** Behind the octets of a field's value. */
  endOfValue(from: number, until: number): number {
    const words = this.#words;
    let at = from;
    for (const last = until - 4; at <= last; at += 4) {
      const word = words.getInt32(at, true);
      // below a blank, DEL, or beyond ASCII
      if (((word - 0x20202020) | (word + ONES) | word) & HIGHEST) break;
    }
    return this.#endOf(VALUE, at, until);
  }

  /** Behind the octets of a path. */
  endOfPath(from: number, until: number): number {
    const words = this.#words;
    let at = from;
    for (const last = until - 4; at <= last; at += 4) {
      const word = words.getInt32(at, true);
      // a blank or what is below it, `#`, `?`, DEL, or beyond ASCII
      if (
        ((word - 0x21212121) | ((word ^ HASHES) - ONES) | ((word ^ QUESTIONS) - ONES) | (word + ONES) | word) &
        HIGHEST
      )
        break;
    }
    return this.#endOf(PATH, at, until);
  }

  /** Behind the octets of a token. */
  endOfToken(from: number, until: number): number {
    let at = from;
    for (;;) {
      const letters = this.#endOfLetters(at, until);
      // a hyphen, say, with letters behind it
      const next = Math.min(letters + 4, until);
      at = this.#endOf(TOKEN, letters, next);
      if (at < next || at === until) return at;
    }
  }

  #endOfLetters(from: number, until: number): number {
    const words = this.#words;
    let at = from;
    for (const last = until - 4; at <= last; at += 4) {
      const word = words.getInt32(at, true);
      const small = word | 0x20202020;
      // below `a`, above `z`, or beyond ASCII
      if ((~(small + 0x1f1f1f1f) | (small + 0x05050505) | word) & HIGHEST) break;
    }
    return at;
  }

  #endOf(bit: number, from: number, until: number): number {
    const octets = this.#octets;
    let at = from;
    while (at < until && ((classesOf[octets[at] as number] as number) & bit) !== 0) at++;
    return at;
  }
}
