/** A word, a mark, or the body of a condition, with its position. Lines and columns count from 1. */
export interface Token {
  readonly kind: 'word' | 'mark' | 'body' | 'stray';
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** Whether nothing but white space stands before it on its line. */
  readonly opensLine: boolean;
}

export interface Scan {
  readonly tokens: readonly Token[];
  /** The text for the parser: without comments, with one blank line at most in a row and `x` for each body. */
  readonly plainText: string;
  /** The line in the original text of each line of `plainText`. */
  readonly lines: readonly number[];
}

const WORD = /[A-Za-z0-9_][A-Za-z0-9_./-]*/y;
const BLANK = /[ \t]+/y;
const MARKS = new Set(':,[](){}<>#*');

/**
 * Splits the text of a model into tokens that know their positions, in one pass and linear time. The parser's result
 * carries no positions, its lexer overflows the stack on long runs of blank lines, and its comment rule (cut at ` #`)
 * reaches into the strings of conditions; it is therefore given the text without comments and bodies, in which every
 * other token keeps its column.
 */
export function scan(source: string): Scan {
  return new Scanner(source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).run();
}

interface Row {
  readonly text: string;
  readonly line: number;
}

class Scanner {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #rows: Row[] = [];
  #row = '';
  #at = 0;
  #line = 1;
  #lineStart = 0;
  #opensLine = true;

  constructor(text: string) {
    this.#text = text;
  }

  run(): Scan {
    while (this.#at < this.#text.length) this.#next();
    this.#endRow();
    const blanked = blankDoubles(this.#rows, this.#tokens);
    // A blank line means as much as any number of them.
    const rows = blanked.filter((row, index) => row.text !== '' || blanked[index - 1]?.text !== '');
    return {
      tokens: this.#tokens,
      plainText: rows.map((row) => row.text).join('\n'),
      lines: rows.map((row) => row.line),
    };
  }

  #next(): void {
    const char = this.#text[this.#at] ?? '';
    if (char === '\n') {
      this.#endRow();
      this.#at += 1;
      this.#newLine();
    } else if (char === '#' && this.#startsComment()) {
      this.#at = this.#lineEnd();
    } else if (!this.#take(BLANK)) {
      this.#token(char);
    }
  }

  #token(char: string): void {
    const start = this.#at;
    const isWord = this.#take(WORD);
    if (!isWord) {
      this.#row += char;
      this.#at += 1;
    }
    const kind = isWord ? 'word' : MARKS.has(char) ? 'mark' : 'stray';
    this.#push(kind, this.#text.slice(start, this.#at), start);
    if (char === '{') this.#body();
  }

  /** Everything up to the brace that closes the body. Strings may hold braces and `#`, and three quotes newlines. */
  #body(): void {
    const start = this.#at;
    const [line, lineStart] = [this.#line, this.#lineStart];
    let text = '';
    let copied = start;
    let depth = 1;
    while (this.#at < this.#text.length && depth > 0) {
      const char = this.#text[this.#at] ?? '';
      if (char === '"' || char === "'") this.#string(char);
      else if (char === '#' && this.#startsComment()) {
        text += this.#text.slice(copied, this.#at);
        this.#at = this.#lineEnd();
        copied = this.#at;
      } else if (char === '/' && this.#text[this.#at + 1] === '/') this.#at = this.#lineEnd();
      else {
        if (char === '{') depth += 1;
        if (char === '}') depth -= 1;
        if (depth > 0) this.#at += 1;
        if (char === '\n') this.#newLine();
      }
    }
    text += this.#text.slice(copied, this.#at);
    this.#tokens.push({ kind: 'body', text, line, column: start - lineStart + 1, opensLine: false });
    this.#maskBody(text, line, start);
  }

  /** An identifier in place of the body, and blanks, so that what follows keeps its column. */
  #maskBody(text: string, line: number, start: number): void {
    if (text.trim() !== '') this.#row += 'x';
    if (this.#line === line) {
      this.#row += ' '.repeat(Math.max(0, this.#at - start - 1));
      return;
    }
    this.#rows.push({ text: this.#row.trimEnd(), line });
    this.#row = ' '.repeat(this.#at - this.#lineStart);
    this.#opensLine = false;
  }

  /** Past a CEL string. One that is not closed ends with its line, or with the text where it has three quotes. */
  #string(quote: string): void {
    const raw = /[rR]/.test(this.#text[this.#at - 1] ?? '');
    const triple = this.#text.startsWith(quote.repeat(3), this.#at);
    const close = triple ? quote.repeat(3) : quote;
    this.#at += close.length;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === '\n') {
        if (!triple) return;
        this.#at += 1;
        this.#newLine();
      } else if (this.#text.startsWith(close, this.#at)) {
        this.#at += close.length;
        return;
      } else {
        this.#at += char === '\\' && !raw && this.#text[this.#at + 1] !== '\n' ? 2 : 1;
      }
    }
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return false;
    this.#row += match[0];
    this.#at += match[0].length;
    return true;
  }

  #push(kind: Token['kind'], text: string, start: number): void {
    const column = start - this.#lineStart + 1;
    this.#tokens.push({ kind, text, line: this.#line, column, opensLine: this.#opensLine });
    this.#opensLine = false;
  }

  #startsComment(): boolean {
    const before = this.#text[this.#at - 1];
    return before === undefined || before === ' ' || before === '\t' || before === '\n';
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end < 0 ? this.#text.length : end;
  }

  #newLine(): void {
    this.#line += 1;
    this.#lineStart = this.#at;
    this.#opensLine = true;
  }

  #endRow(): void {
    this.#rows.push({ text: this.#row.trimEnd(), line: this.#line });
    this.#row = '';
  }
}

/**
 * Replaces the inner pair of `((…))` by blanks. The grammar reads such a pair in two ways, and the parser follows both
 * at every level: 300 relations of 32 pairs took it 8 s, and 800 pairs in one relation minutes.
 */
function blankDoubles(rows: readonly Row[], tokens: readonly Token[]): readonly Row[] {
  const blanks = new Map<number, number[]>();
  const open: number[] = [];
  const closedBy = new Map<number, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') open.push(index);
    if (token.text !== ')') continue;
    const start = open.pop();
    if (start === undefined) continue;
    closedBy.set(start, index);
    if (tokens[start + 1]?.text !== '(') continue;
    const innerEnd = closedBy.get(start + 1);
    if (innerEnd !== index - 1) continue;
    for (const inner of [tokens[start + 1], tokens[innerEnd]]) {
      if (inner === undefined) continue;
      const columns = blanks.get(inner.line);
      if (columns === undefined) blanks.set(inner.line, [inner.column]);
      else columns.push(inner.column);
    }
  }
  if (blanks.size === 0) return rows;
  return rows.map((row) => ({ ...row, text: blankColumns(row.text, blanks.get(row.line)) }));
}

function blankColumns(text: string, columns: readonly number[] | undefined): string {
  if (columns === undefined) return text;
  const characters = text.split('');
  for (const column of columns) characters[column - 1] = ' ';
  return characters.join('').trimEnd();
}
