import type { FieldError } from '../../problems/problem.ts';
import { pathText } from '../field-errors.ts';

/** `3` in `[1,2,3]`, `-12.5e3`. Sticky: it begins where the text is read. */
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** A whole number that a double may not hold has at least so many digits. */
const MANY_DIGITS = /\d{16}/;

const message = 'has more digits than a JSON number can keep: send it as a string';

/**
 * The first whole number that would come back with other digits, because JavaScript keeps numbers as doubles:
 * `9007199254740993` becomes `9007199254740992`. Undefined where there is none. One pass; the text was found to be JSON.
 */
export function lostDigits(text: string): FieldError | undefined {
  const path = MANY_DIGITS.test(text) ? new Reader(text).find() : undefined;
  return path === undefined ? undefined : { path: pathText('body', path), message };
}

class Reader {
  readonly #text: string;
  /** Where the reader is: an index for each array around it, a name for each object. */
  readonly #path: (number | string)[] = [];
  #at = 0;
  #isName = false;

  constructor(text: string) {
    this.#text = text;
  }

  find(): readonly (number | string)[] | undefined {
    while (this.#at < this.#text.length) {
      const sign = this.#text[this.#at] as string;
      if (sign === '"') this.#readText();
      else if (sign === '-' || (sign >= '0' && sign <= '9')) {
        if (this.#losesDigits()) return this.#path;
      } else this.#readSign(sign);
    }
    return undefined;
  }

  #readSign(sign: string): void {
    this.#at += 1;
    if (sign === '{' || sign === '[') this.#path.push(sign === '[' ? 0 : '');
    else if (sign === '}' || sign === ']') this.#path.pop();
    const step = this.#path.at(-1);
    if (sign === ',' && typeof step === 'number') this.#path[this.#path.length - 1] = step + 1;
    if (sign === '{' || sign === ',') this.#isName = typeof step === 'string';
    else if (sign === ':' || sign === '[') this.#isName = false;
  }

  /** Escapes are read in names alone. */
  #readText(): void {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    if (this.#isName) this.#path[this.#path.length - 1] = JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  /** An odd number of backslashes stands before it. */
  #isEscaped(at: number): boolean {
    let before = at;
    while (this.#text[before - 1] === '\\') before -= 1;
    return (at - before) % 2 === 1;
  }

  #losesDigits(): boolean {
    NUMBER.lastIndex = this.#at;
    // a number begins here
    const [number, fraction, exponent] = NUMBER.exec(this.#text) as RegExpExecArray;
    this.#at += number.length;
    if (fraction !== undefined || exponent !== undefined) return false;
    const value = Number(number);
    // a double that is whole stands for itself where it is written as JavaScript writes it: 100000000000000000000
    return !Number.isSafeInteger(value) && String(value) !== number;
  }
}
