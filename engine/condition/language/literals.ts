import { INT_MAX, UINT_MAX, Uint } from '../values/uint.ts';
import { Fault } from './syntax.ts';

/** The magnitude of the smallest integer, which is one of its own only behind a minus sign. */
export const INT_MIN_MAGNITUDE = INT_MAX + 1n;

/** A number's text as its value. An integer may be one more than the largest: see `INT_MIN_MAGNITUDE`. */
export function readNumber(text: string, start: number): bigint | number | Uint {
  if (/[uU]$/.test(text)) {
    const value = BigInt(text.slice(0, -1));
    if (value > UINT_MAX) throw new Fault(`the number ${text.slice(0, 64)} is out of range`, start);
    return new Uint(value);
  }
  if (/^0[xX]|^\d+$/.test(text)) {
    const value = BigInt(text);
    if (value > INT_MIN_MAGNITUDE) throw new Fault(`the number ${text.slice(0, 64)} is out of range`, start);
    return value;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Fault(`the number ${text.slice(0, 64)} is out of range`, start);
  return value;
}

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};

const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.|$))/gsu;

/** The body of a string literal with its escapes replaced; `start` is where the body begins. */
export function readText(body: string, start: number): string {
  return body.replace(/\r\n?/g, '\n').replace(ESCAPE, (...match: string[]) => {
    const [, octet, short, long, octal, other] = match;
    if (other !== undefined) return simple(other, start);
    const code = octal === undefined ? Number.parseInt(octet ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      throw new Fault(`Invalid escape: ${match[0]}`, start);
    }
    return String.fromCodePoint(code);
  });
}

/** As `readText`, for bytes: `\x` and octal escapes are single bytes, all else is UTF-8. */
export function readBytes(body: string, start: number): Uint8Array {
  const parts: Buffer[] = [];
  let at = 0;
  for (const match of body.matchAll(ESCAPE)) {
    parts.push(Buffer.from(body.slice(at, match.index)));
    at = match.index + match[0].length;
    const [whole, octet, short, long, octal, other] = match;
    if (short !== undefined || long !== undefined) throw new Fault(`Invalid escape in bytes: ${whole}`, start);
    if (other !== undefined) parts.push(Buffer.from(simple(other, start)));
    else parts.push(Buffer.of(octal === undefined ? Number.parseInt(octet ?? '', 16) : Number.parseInt(octal, 8)));
  }
  parts.push(Buffer.from(body.slice(at)));
  return new Uint8Array(Buffer.concat(parts));
}

function simple(letter: string, start: number): string {
  const value = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (value === undefined) throw new Fault(`Invalid escape: \\${letter}`, start);
  return value;
}
