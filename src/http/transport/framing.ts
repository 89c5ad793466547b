/**
 * How a request says where its body ends. uWebSockets.js is lenient here, and where a proxy in front reads the same head
 * differently, the rest of one request becomes the start of another ("request smuggling"). What is not perfectly clear
 * is refused and its connection closed (RFC 9112, 6.3).
 *
 * Not seen from here: a header with an empty name ends the list that uWebSockets.js reads, so framing headers after it
 * exist for nobody. A proxy that lets such a header through must not stand in front of it.
 */
export interface FramingHeaders {
  /** How often `Host`, `Content-Length` and `Transfer-Encoding` occur. */
  readonly hosts: number;
  readonly lengths: number;
  readonly encodings: number;
  /** The value of the last of each. */
  readonly length: string;
  readonly encoding: string;
}

export const contradictory = -2;
export const chunked = -1;

/** More digits than any allowed body has, and still an exact number. */
const digitsMax = 15;

/** @returns the bytes of the body (0 where there is none), `chunked`, or `contradictory`. A number, as each request asks. */
export function judgeFraming(headers: FramingHeaders): number {
  if (headers.hosts !== 1 || headers.lengths + headers.encodings > 1) return contradictory;
  if (headers.encodings === 1) return headers.encoding.toLowerCase() === 'chunked' ? chunked : contradictory;
  if (headers.lengths === 0) return 0;
  return readDigits(headers.length);
}

function readDigits(text: string): number {
  if (text === '' || text.length > digitsMax) return contradictory;
  let value = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return contradictory;
    value = value * 10 + digit;
  }
  return value;
}
