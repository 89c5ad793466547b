import { isUtf8 } from 'node:buffer';
import { type FieldError, invalidRequest, type Problem, problem } from '../../problems/problem.ts';
import { jsonFault } from './json-fault.ts';
import { lostDigits } from './lost-digits.ts';
import { scanJson } from './scan-json.ts';

export interface JsonLimits {
  /** Deepest nesting of arrays and objects. */
  readonly depth: number;
}

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Problem };

/** The position of a fault is looked for in texts up to here: a request that is refused must not cost more than one served. */
const SEARCHED_MAX = 65_536;

const refuse = (detail: string, errors?: readonly FieldError[]): Parsed => ({
  ok: false,
  problem: problem('malformed_json', detail, errors === undefined ? {} : { errors }),
});

/**
 * Reads a JSON body (RFC 8259) and refuses what two readers could take differently or what could reach into objects:
 * text that is not UTF-8, a byte order mark, nesting past the bound, a name twice in one object, the names `__proto__`,
 * `constructor` and `prototype`, half of a surrogate pair, numbers past all that a double holds, and whole numbers whose
 * digits a double does not keep.
 */
export function parseJson(body: Buffer, limits: JsonLimits): Parsed {
  if (body.length === 0) return refuse('The body is empty.');
  const scan = scanJson(body, limits.depth);
  if (!scan.ascii && !isUtf8(body)) return refuse('The body is not valid UTF-8.');
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf)
    return refuse('The body begins with a byte order mark.');
  if (scan.tooDeep) return refuse(`The body is nested deeper than ${limits.depth} levels.`);
  let value: unknown;
  const text = body.toString(scan.ascii ? 'latin1' : 'utf8');
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(`The body is not valid JSON${text.length > SEARCHED_MAX ? '' : `: ${jsonFault(text)}`}.`);
  }
  const parsed = inspect(value, scan.names, scan.escapes);
  if (!parsed.ok || !found.isLarge) return parsed;
  const lost = lostDigits(text);
  return lost === undefined ? parsed : { ok: false, problem: invalidRequest([lost]) };
}

/** What a walk over the parsed value finds. One object is used again, as this runs for every request. */
const found = { names: 0, badName: '', halfPair: false, tooLarge: false, isLarge: false };

function inspect(value: unknown, names: number, escapes: boolean): Parsed {
  found.names = 0;
  found.badName = '';
  found.halfPair = false;
  found.tooLarge = false;
  found.isLarge = false;
  if (typeof value === 'object' && value !== null) walk(value, escapes);
  else checkValue(value, escapes);
  if (found.badName !== '') {
    return refuse('The body has a reserved name.', [{ path: found.badName, message: 'is not allowed as a name' }]);
  }
  // of a name that stands twice in one object the parser kept only the last, so fewer came out than went in
  if (found.names !== names) return refuse('The body has an object with the same name twice.');
  if (found.halfPair) return refuse('The body has text that is not valid Unicode (half of a surrogate pair).');
  // it would be kept as null, or compared as infinite
  if (found.tooLarge) return refuse('The body has a number that is too large.');
  return { ok: true, value };
}

/** Depth is bounded by the scan, so recursion is. */
function walk(value: object, escapes: boolean): void {
  if (Array.isArray(value)) {
    for (const entry of value) {
      if (typeof entry === 'object' && entry !== null) walk(entry, escapes);
      else checkValue(entry, escapes);
    }
    return;
  }
  for (const name in value) {
    found.names++;
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') found.badName = name;
    if (escapes) checkText(name);
    const entry = (value as Record<string, unknown>)[name];
    if (typeof entry === 'object' && entry !== null) walk(entry, escapes);
    else checkValue(entry, escapes);
  }
}

function checkValue(value: unknown, escapes: boolean): void {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) || Math.abs(value) < Number.MAX_SAFE_INTEGER) return;
    found.isLarge = true;
    if (!Number.isFinite(value)) found.tooLarge = true;
  } else if (escapes) checkText(value);
}

function checkText(value: unknown): void {
  if (typeof value === 'string' && !isWellFormed(value)) found.halfPair = true;
}

const halfPair = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !halfPair.test(text);
}
