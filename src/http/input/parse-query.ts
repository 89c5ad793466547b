import { isUtf8 } from 'node:buffer';
import { Problem, problem } from '../problems/problem.ts';

/** Parameters of a query or a form. One that was given several times is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/**
 * Reads `a=1&b=2` (WHATWG URL, `application/x-www-form-urlencoded`), but strictly: what cannot be decoded is refused
 * instead of replaced.
 */
export function parseParameters(text: string, countMax: number): Parameters | Problem {
  // no prototype, so that no name means anything
  const parameters: Record<string, string | string[]> = Object.create(null);
  if (text === '') return parameters;
  const pairs = text.split('&', countMax + 1);
  if (pairs.length > countMax) return problem('invalid_request', `There are more than ${countMax} parameters.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeFormText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeFormText(pair.slice(equals + 1));
    if (name === undefined || value === undefined) return problem('malformed_url', 'A parameter cannot be decoded.');
    if (name === '__proto__' || name === 'constructor' || name === 'prototype') {
      return problem('invalid_request', 'A parameter has a reserved name.');
    }
    const before = parameters[name];
    if (before === undefined) parameters[name] = value;
    else if (typeof before === 'string') parameters[name] = [before, value];
    else before.push(value);
  }
  return parameters;
}

/** Reads a form body. */
export function parseForm(body: Buffer, countMax: number): Parameters | Problem {
  if (!isUtf8(body)) return problem('malformed_form', 'The body is not valid UTF-8.');
  const parameters = parseParameters(body.toString('utf8'), countMax);
  if (!(parameters instanceof Problem)) return parameters;
  return problem('malformed_form', parameters.detail, parameters.options);
}

/** `undefined` where it cannot be decoded. */
export function decodeFormText(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decodePercent(spaced) : spaced;
}

/** `undefined` where an escape is broken or its bytes are not UTF-8. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
