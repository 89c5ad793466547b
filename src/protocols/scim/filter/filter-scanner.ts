import { scimError } from '../errors/scim-errors.ts';
import { filterBounds } from './filter.ts';

/** A value as it was written: `"true"` is quoted, `true` is not. */
export interface Literal {
  readonly text: string;
  readonly quoted: boolean;
  /** Where it begins. */
  readonly at: number;
}

const space = /[ \t\r\n]*/y;
/** Names, URNs, operators, and values without quotation marks. */
const word = /[^ \t\r\n()[\]"]+/y;
/** A text of JSON. Each step begins with another character than the one before it, so that this is linear. */
const quoted = /"(?:[^"\\]|\\.)*"/sy;

/** Goes through the text of a filter once, from its start to its end. */
export class FilterScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    if (text.length > filterBounds.characters) {
      throw scimError('invalidFilter', `The filter is longer than ${filterBounds.characters} characters.`);
    }
    this.#text = text;
  }

  /** Where the next piece begins, behind white space. */
  get at(): number {
    this.#take(space);
    return this.#at;
  }

  get atEnd(): boolean {
    return this.at === this.#text.length;
  }

  /** Whether the next character is this one, which is then taken. */
  takeMark(mark: '(' | ')' | '[' | ']'): boolean {
    const isNext = this.#text[this.at] === mark;
    if (isNext) this.#at++;
    return isNext;
  }

  /** @throws ProblemError `invalidFilter` where another character is next */
  expectMark(mark: ')' | ']'): void {
    if (!this.takeMark(mark)) throw this.error(`"${mark}" is missing`);
  }

  /** The next word, which may be the name of an attribute or an operator. `''` where none is next. */
  takeWord(): string {
    this.#take(space);
    return this.#take(word);
  }

  /** Takes the next word where it is this one, in any case. */
  takeKeyword(...keywords: readonly string[]): string | undefined {
    const before = this.at;
    const found = this.takeWord().toLowerCase();
    if (keywords.includes(found)) return found;
    this.#at = before;
    return undefined;
  }

  /** What follows the bracket of a value path without white space: `.value`. */
  takeSuffix(): string {
    return this.#text[this.#at] === '.' ? this.#take(word).slice(1) : '';
  }

  /** @throws ProblemError `invalidFilter` where no value is next */
  takeLiteral(): Literal {
    const { at } = this;
    if (this.#text[at] !== '"') return this.#bareLiteral(at);
    const text = this.#take(quoted);
    if (text === '') throw this.error('a text is not closed');
    return { text: this.#unquote(text, at), quoted: true, at };
  }

  error(what: string, at = this.at): Error {
    return scimError('invalidFilter', `The filter is not valid at character ${at + 1}: ${what}.`);
  }

  #bareLiteral(at: number): Literal {
    const text = this.#take(word);
    if (text === '') throw this.error('a value is missing');
    if (text.startsWith("'")) throw this.error('texts stand in double quotation marks');
    return { text, quoted: false, at };
  }

  #unquote(json: string, at: number): string {
    let text: string;
    try {
      text = JSON.parse(json) as string;
    } catch {
      throw this.error('a text is not one of JSON', at);
    }
    if (/\p{Cs}/u.test(text)) throw this.error('a text is not valid Unicode', at);
    return text;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
