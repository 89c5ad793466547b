import { RE2JS } from 're2js';

/** A compiled regular expression that runs in time linear in the text. */
export interface Pattern {
  /** Instructions of the compiled program: the worst case costs text length times this. */
  readonly size: number;
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
}

/** Beyond this text length the states that a match has built (up to 8 MiB a pattern) are let go after it. */
const LONG_TEXT = 4096;
const KEPT_MAX = 64;

/** Compiles RE2 syntax. Throws an error with the reason where the expression is malformed or too large. */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(source);
  return {
    size: compiled.programSize(),
    test(text) {
      const found = compiled.test(text);
      if (text.length > LONG_TEXT) compiled.reset();
      return found;
    },
  };
}

/** Keeps the patterns used last, for those that are known only when a condition is evaluated. */
export class PatternCache {
  readonly #kept = new Map<string, Pattern>();

  /** `compiled` is called with the size of a pattern that had to be compiled, so that it can be paid for. */
  get(source: string, compiled: (size: number) => void): Pattern {
    const known = this.#kept.get(source);
    if (known !== undefined) {
      this.#kept.delete(source);
      this.#kept.set(source, known);
      return known;
    }
    const made = compilePattern(source);
    if (this.#kept.size >= KEPT_MAX) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(source, made);
    compiled(made.size);
    return made;
  }
}
