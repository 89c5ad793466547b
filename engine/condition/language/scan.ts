import { readBytes, readNumber, readText } from './literals.ts';
import { Fault } from './syntax.ts';

/** A sign is its own kind; `end` stands behind the last one. */
export interface Token {
  readonly kind: 'sign' | 'name' | 'field' | 'value' | 'end';
  /** As it is written. */
  readonly text: string;
  /** Of a literal. */
  readonly value?: unknown;
  readonly start: number;
}

const SPACE = /(?:[ \t\r\n\f]+|\/\/[^\n]*)+/y;
const NUMBER = /0[xX][0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?/y;
const QUOTE = /([bB]?)([rR]?)("""|'''|"|')/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
/** A field whose name is no word of the language: `labels.`team-name``. */
const FIELD = /`[A-Za-z0-9_.\-/ ]+`/y;
const SIGN = /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}]/y;

/** The tokens of an expression. Linear in its length. */
export function scan(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const space = matchAt(SPACE, text, at);
    if (space !== undefined) {
      at += space[0].length;
      continue;
    }
    const token = next(text, at, tokens.at(-1));
    tokens.push(token);
    at += token.text.length;
  }
  tokens.push({ kind: 'end', text: 'the end of the expression', start: text.length });
  return tokens;
}

function next(text: string, start: number, before: Token | undefined): Token {
  const quote = matchAt(QUOTE, text, start);
  if (quote !== undefined) return quoted(text, start, quote);
  const name = matchAt(NAME, text, start)?.[0];
  if (name !== undefined) return { kind: 'name', text: name, start };
  const field = matchAt(FIELD, text, start)?.[0];
  if (field !== undefined) return { kind: 'field', text: field, start };
  // `a.5` is a mistake, and no number behind a name
  const isField = text[start] === '.' && before !== undefined && endsOperand(before);
  const number = isField ? undefined : matchAt(NUMBER, text, start)?.[0];
  if (number !== undefined) return { kind: 'value', text: number, value: readNumber(number, start), start };
  const sign = matchAt(SIGN, text, start)?.[0];
  if (sign !== undefined) return { kind: 'sign', text: sign, start };
  throw new Fault(`Unexpected character: ${String.fromCodePoint(text.codePointAt(start) ?? 0)}`, start);
}

function quoted(text: string, start: number, [opening, bytes, raw, mark = '']: RegExpExecArray): Token {
  const from = start + opening.length;
  const end = closing(text, from, mark, raw !== '');
  if (end === undefined) throw new Fault('the text is not closed', start);
  const body = text.slice(from, end);
  const token = { kind: 'value', text: text.slice(start, end + mark.length), start } as const;
  if (bytes !== '') return { ...token, value: raw === '' ? readBytes(body, from) : new Uint8Array(Buffer.from(body)) };
  return { ...token, value: raw === '' ? readText(body, from) : body };
}

/** Where the closing mark begins. A text with a single mark ends in its line. */
function closing(text: string, from: number, mark: string, isRaw: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '\\' && !isRaw) at++;
    else if (mark.length === 1 && (letter === '\n' || letter === '\r')) return undefined;
    else if (text.startsWith(mark, at)) return at;
  }
  return undefined;
}

function endsOperand({ kind, text }: Token): boolean {
  return kind === 'name' || kind === 'field' || kind === 'value' || text === ')' || text === ']' || text === '}';
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
