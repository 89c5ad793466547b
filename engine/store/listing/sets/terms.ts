import type { ListingRow, NumberedRow } from '../row.ts';

/** The longest piece of a text that has a set of its own. */
export const GRAM_MAX = 3;

const FLAG = 'f';
const GRAM = 'g';

/** The name of the set of all rows whose flag is this. Terms have one character for each byte of their keys. */
export function flagTerm(index: number, value: boolean): string {
  return `${FLAG}${String.fromCharCode(index * 2 + (value ? 1 : 0))}`;
}

const PART_BITS = 5;
/** Terms in so many parts: the sets of very many rows are written one part after the other. */
export const TERM_PARTS = 1 << PART_BITS;
/** Terms that begin with the same characters are of one part, and stand under one key. */
export const GROUP_LENGTH = 3;

export function partOf(term: string): number {
  return partOfLetters(term.charCodeAt(0), term.charCodeAt(1) | 0, term.charCodeAt(2) | 0);
}

function partOfLetters(kind: number, first: number, second: number): number {
  // Fibonacci hashing: the highest bits are spread best
  return Math.imul((kind << 16) ^ (first << 8) ^ second, 0x9e3779b1) >>> (32 - PART_BITS);
}

/** What can be searched for has at most three code units. */
function gramTerm(gram: string): string {
  const bytes = isPlain.test(gram) ? gram : Buffer.from(gram, 'utf8').toString('latin1');
  return `${GRAM}${bytes}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of ASCII without NUL
const isPlain = /^[\u0001-\u007f]*$/;

/** Everything that a row is found by. */
export function termsOf({ flags, keys }: ListingRow, searched: readonly number[]): Set<string> {
  const terms = new Set<string>();
  eachFact(flags, (term) => terms.add(term));
  for (const index of searched) {
    const text = keys[index];
    if (typeof text === 'string') eachGram(text, (gram) => terms.add(gramTerm(gram)));
  }
  return terms;
}

/**
 * The terms of all rows of a range at once. They are sorted once, and read part by part: while no row changes, the next
 * part costs little.
 */
export class RangeTerms {
  readonly #facts = new Map<string, number[]>();
  readonly #grams: SortedGrams;

  /** @param mask gives the lowest bits of the numbers of rows, which go up */
  constructor(rows: readonly NumberedRow[], searched: readonly number[], mask: number) {
    const plain = new PlainGrams();
    for (const { number, flags, keys } of rows) {
      const row = number & mask;
      const add = (term: string): void => {
        const known = this.#facts.get(term);
        if (known === undefined) this.#facts.set(term, [row]);
        else if (known.at(-1) !== row) known.push(row);
      };
      eachFact(flags, add);
      for (const index of searched) {
        const text = keys[index];
        if (typeof text !== 'string') continue;
        if (isPlain.test(text)) plain.add(text, row);
        else eachGram(text, (gram) => add(gramTerm(gram)));
      }
    }
    this.#grams = plain.sorted();
  }

  /** By term the lowest bits of the numbers of its rows, going up. */
  ofPart(part: number): ReadonlyMap<string, readonly number[]> {
    const found = new Map<string, readonly number[]>();
    for (const [term, rows] of this.#facts) if (partOf(term) === part) found.set(term, rows);
    for (const [term, rows] of this.#grams.ofPart(part)) {
      const known = found.get(term);
      found.set(term, known === undefined ? rows : [...new Set([...known, ...rows])].sort((a, b) => a - b));
    }
    return found;
  }
}

/**
 * Most texts are ASCII, whose pieces are numbers of 21 bits. A counting sort of them takes a tenth
 * of the time that a map of texts takes.
 */
class PlainGrams {
  /** A piece and its row each. */
  #found = new Uint32Array(65_536);
  #count = 0;
  /** Letters of the texts. */
  readonly #used = new Uint8Array(ASCII_MASK + 1);

  add(text: string, row: number): void {
    const { length } = text;
    if (this.#count + length * GRAM_MAX > this.#found.length) {
      const longer = new Uint32Array((this.#count + length * GRAM_MAX) * 2);
      longer.set(this.#found);
      this.#found = longer;
    }
    const found = this.#found;
    let count = this.#count;
    for (let at = 0; at < length; at++) {
      const letter = text.charCodeAt(at);
      this.#used[letter] = 1;
      let code = letter << (2 * ASCII_BITS);
      found[count++] = ((code << ROW_BITS) | row) >>> 0;
      if (at + 1 >= length) break;
      code |= text.charCodeAt(at + 1) << ASCII_BITS;
      found[count++] = ((code << ROW_BITS) | row) >>> 0;
      if (at + 2 < length) found[count++] = (((code | text.charCodeAt(at + 2)) << ROW_BITS) | row) >>> 0;
    }
    this.#count = count;
  }

  sorted(): SortedGrams {
    const found = this.#found.subarray(0, this.#count);
    const letters = lettersOf(this.#used);
    const ends = new Uint32Array(letters.count ** GRAM_MAX);
    for (let at = 0; at < found.length; at++) {
      const code = letters.codeOf((found[at] as number) >>> ROW_BITS);
      found[at] = ((code << ROW_BITS) | ((found[at] as number) & ROW_MASK)) >>> 0;
      ends[code] = (ends[code] as number) + 1;
    }
    const codes: number[] = [];
    let end = 0;
    for (let code = 0; code < ends.length; code++) {
      if (ends[code] === 0) continue;
      codes.push(code);
      // where its rows begin, which goes up with each that is put there
      const begin = end;
      end += ends[code] as number;
      ends[code] = begin;
    }
    const rows = new Uint16Array(found.length);
    for (const each of found) {
      const code = each >>> ROW_BITS;
      const at = ends[code] as number;
      rows[at] = each & ROW_MASK;
      ends[code] = at + 1;
    }
    return new SortedGrams(
      codes.map((code) => ({ term: GRAM + letters.textOf(code), end: ends[code] as number })),
      rows,
    );
  }
}

/** Pieces of ASCII, each with where its rows end: they begin where those of the piece before end. */
class SortedGrams {
  readonly #terms: readonly { readonly term: string; readonly end: number }[];
  readonly #rows: Uint16Array;

  constructor(terms: readonly { readonly term: string; readonly end: number }[], rows: Uint16Array) {
    this.#terms = terms;
    this.#rows = rows;
  }

  *ofPart(part: number): Generator<[term: string, rows: number[]]> {
    let from = 0;
    for (const { term, end } of this.#terms) {
      const begin = from;
      from = end;
      if (partOf(term) !== part) continue;
      const those: number[] = [];
      for (let at = begin, last = -1; at < end; at++) {
        const row = this.#rows[at] as number;
        if (row !== last) those.push(row);
        last = row;
      }
      yield [term, those];
    }
  }
}

/** Few of all letters are in use: numbered among those, letters make ten times fewer possible pieces. */
function lettersOf(used: Uint8Array) {
  const letters = [0];
  for (const [letter, isUsed] of used.entries()) if (isUsed === 1) letters.push(letter);
  const count = letters.length;
  const numbers = new Uint8Array(ASCII_MASK + 1);
  for (const [number, letter] of letters.entries()) numbers[letter] = number;
  const numberOf = (letter: number): number => numbers[letter & ASCII_MASK] as number;
  return {
    count,
    codeOf: (code: number): number =>
      (numberOf(code >>> (2 * ASCII_BITS)) * count + numberOf(code >>> ASCII_BITS)) * count + numberOf(code),
    textOf(code: number): string {
      const numbers = [Math.floor(code / count ** 2), Math.floor(code / count) % count, code % count];
      // a piece of fewer letters ends with zeros
      return String.fromCharCode(...numbers.filter((number) => number > 0).map((number) => letters[number] as number));
    },
  };
}

const ASCII_BITS = 7;
const ASCII_MASK = (1 << ASCII_BITS) - 1;
const ROW_BITS = 11;
const ROW_MASK = (1 << ROW_BITS) - 1;

/** What a row says beside its texts. */
function eachFact(flags: ListingRow['flags'], visit: (term: string) => unknown): void {
  flags.forEach((flag, index) => {
    if (flag !== null) visit(flagTerm(index, flag));
  });
}

function eachGram(text: string, visit: (gram: string) => unknown): void {
  for (let size = 1; size <= GRAM_MAX; size++) {
    for (let at = 0; at + size <= text.length; at++) visit(text.slice(at, at + size));
  }
}

/**
 * Sets that all have every row with this text. For up to three code units they have no other rows. For a longer text
 * they are those of every third piece and of the last, which cover it; their rows are compared with the text.
 */
export function searchTerms(text: string): Set<string> {
  if (text.length <= GRAM_MAX) return new Set([gramTerm(text)]);
  const terms = new Set<string>();
  const last = text.length - GRAM_MAX;
  for (let at = 0; at < last; at += GRAM_MAX) terms.add(gramTerm(text.slice(at, at + GRAM_MAX)));
  return terms.add(gramTerm(text.slice(last)));
}

/** The terms of all pieces of `GRAM_MAX` characters in a text. A row with the text is in the set of each. */
export function everyGram(text: string): Set<string> {
  if (text.length <= GRAM_MAX) return searchTerms(text);
  const terms = new Set<string>();
  for (let at = 0; at + GRAM_MAX <= text.length; at++) terms.add(gramTerm(text.slice(at, at + GRAM_MAX)));
  return terms;
}
