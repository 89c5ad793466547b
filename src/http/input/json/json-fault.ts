const SPACE = /[ \t\r\n]*/y;
const LETTERS = /[^"\\\p{Cc}]+|[\u007f-\u009f]+/uy;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where a text stops being JSON: `line 1, column 8`. Only for texts that were found to be none, and that nest no deeper
 * than the bound; the parser of JavaScript says the position in words of its own, which change with its version.
 */
export function jsonFault(text: string): string {
  const at = new Scanner(text).fault();
  const before = text.slice(0, at).split('\n');
  const position = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  return at >= text.length ? `it ends too early, at ${position}` : position;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first offset that fits no value; behind the last value where that is all. */
  fault(): number {
    if (this.#value()) this.#skip(SPACE);
    return this.#at;
  }

  /** False where a value is not one, and the offset stays where that shows. */
  #value(): boolean {
    this.#skip(SPACE);
    if (this.#takes('{')) return this.#items('}', () => this.#member());
    if (this.#takes('[')) return this.#items(']', () => this.#value());
    return this.#literal() || this.#skip(PLAIN);
  }

  #items(end: string, item: () => boolean): boolean {
    this.#skip(SPACE);
    if (this.#takes(end)) return true;
    do {
      if (!item()) return false;
      this.#skip(SPACE);
    } while (this.#takes(','));
    return this.#takes(end);
  }

  #member(): boolean {
    this.#skip(SPACE);
    if (!this.#literal()) return false;
    this.#skip(SPACE);
    return this.#takes(':') && this.#value();
  }

  /** A text. Piece by piece: one expression over all of it would try its pieces in every way where it has no end. */
  #literal(): boolean {
    if (!this.#takes('"')) return false;
    while (this.#skip(LETTERS) || this.#skip(ESCAPE)) {
      // each piece is behind the last one
    }
    return this.#takes('"');
  }

  #takes(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return false;
    this.#at += found.length;
    return true;
  }
}
