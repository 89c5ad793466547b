import type { RawOptions } from './raw-request.ts';

export const body = '{"object":"doc:1","relation":"viewer","subject":"user:anne"}';
export const write = '{"writes":["doc:smuggled#viewer@user:eve"]}';

export interface Framing {
  readonly name: string;
  /** Lines of the head, without the credential; `{LENGTH}` is the length of `body`. */
  readonly head: readonly string[];
  readonly rest?: string;
  readonly options?: RawOptions;
  /** Statuses that may come before the connection is closed. Nothing, and a closed connection, is always right. */
  readonly statuses: readonly number[];
}

export const post = 'POST /t/acme/api/v1/zanzibar/check HTTP/1.1';
export const json = 'content-type: application/json';
/** A request that leaves a trace where it is taken for one. */
export function smuggled(key: string, object: string): string {
  const write = JSON.stringify({ writes: [`${object}#viewer@user:eve`] });
  const head = ['POST /t/acme/api/v1/zanzibar/tuples HTTP/1.1', 'host: x', `authorization: Bearer ${key}`, json];
  return `${head.join('\r\n')}\r\ncontent-length: ${write.length}\r\n\r\n${write}`;
}

export const contradictory: Framing[] = [
  {
    name: 'two lengths that differ',
    head: [post, 'host: x', json, 'content-length: 5', 'content-length: {LENGTH}'],
    statuses: [400],
  },
  {
    name: 'two lengths that agree',
    head: [post, 'host: x', json, 'content-length: {LENGTH}', 'content-length: {LENGTH}'],
    statuses: [400],
  },
  { name: 'a list of lengths', head: [post, 'host: x', json, 'content-length: {LENGTH}, {LENGTH}'], statuses: [400] },
  {
    name: 'length and chunks',
    head: [post, 'host: x', json, 'content-length: {LENGTH}', 'transfer-encoding: chunked'],
    statuses: [400],
  },
  { name: 'an unknown coding', head: [post, 'host: x', json, 'transfer-encoding: xchunked'], statuses: [400, 501] },
  { name: 'two codings', head: [post, 'host: x', json, 'transfer-encoding: gzip, chunked'], statuses: [400, 501] },
  {
    name: 'the coding twice',
    head: [post, 'host: x', json, 'transfer-encoding: chunked', 'transfer-encoding: identity'],
    statuses: [400, 501],
  },
  { name: 'a negative length', head: [post, 'host: x', json, 'content-length: -1'], statuses: [400] },
  { name: 'a length with a sign', head: [post, 'host: x', json, 'content-length: +{LENGTH}'], statuses: [400] },
  { name: 'a length in hexadecimal', head: [post, 'host: x', json, 'content-length: 0x3c'], statuses: [400] },
  { name: 'a length that is a word', head: [post, 'host: x', json, 'content-length: many'], statuses: [400] },
  {
    name: 'a length past all numbers',
    head: [post, 'host: x', json, 'content-length: 99999999999999999999999'],
    statuses: [400, 413],
  },
  { name: 'no host', head: [post, json, 'content-length: {LENGTH}'], statuses: [400] },
  { name: 'two hosts', head: [post, 'host: x', 'host: y', json, 'content-length: {LENGTH}'], statuses: [400] },
];

export const broken: Framing[] = [
  { name: 'no HTTP at all', head: ['hello'], statuses: [400] },
  { name: 'another version', head: [post.replace('1.1', '9.9'), 'host: x'], statuses: [400, 505] },
  { name: 'a method that nobody knows', head: [post.replace('POST', 'BREW'), 'host: x'], statuses: [400, 405, 501] },
  { name: 'a header without a colon', head: [post, 'host: x', 'nonsense', json], statuses: [400] },
  { name: 'a space before the colon', head: [post, 'host: x', 'content-length : 5'], statuses: [400] },
  {
    name: 'a folded header',
    head: [post, 'host: x', 'x-a: 1', ' folded: 2', 'content-length: {LENGTH}', json],
    statuses: [400],
  },
  {
    name: 'a NUL in a header',
    head: [post, 'host: x', 'x-a: a\0b', json, 'content-length: {LENGTH}'],
    statuses: [400],
  },
  { name: 'a header of 20 KB', head: [post, 'host: x', `x-a: ${'a'.repeat(20_000)}`], statuses: [400, 431] },
  {
    name: 'a thousand headers',
    head: [post, 'host: x', ...Array.from({ length: 1000 }, (_, i) => `x-${i}: 1`)],
    statuses: [400, 401, 431],
  },
  { name: 'a space in the path', head: ['POST /t/acme /api HTTP/1.1', 'host: x'], statuses: [400, 404, 505] },
  {
    name: 'a chunk whose size is no number',
    head: [post, 'host: x', json, 'transfer-encoding: chunked'],
    rest: 'zz\r\nhello\r\n0\r\n\r\n',
    statuses: [400],
  },
  {
    name: 'a chunk whose size is past all numbers',
    head: [post, 'host: x', json, 'transfer-encoding: chunked'],
    rest: 'ffffffffffffffffff\r\nhello\r\n0\r\n\r\n',
    statuses: [400, 413],
  },
  { name: 'a TLS hello', head: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], statuses: [400] },
];

const chunkedHead = [post, 'host: x', json, 'transfer-encoding: chunked'];
const size = body.length.toString(16);

/**
 * Bodies in chunks, each with a request behind it. uWebSockets.js takes no chunks at all (411). Sockets of Node.js take what
 * RFC 9112, 7.1 allows (200), and refuse the rest. On both the connection ends, and the request behind is none.
 */
export const inChunks: Framing[] = [
  { name: 'well-formed chunks', rest: `${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size in upper case', rest: `${size.toUpperCase()}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with leading zeros', rest: `000${size}\r\n${body}\r\n000\r\n\r\n` },
  { name: 'a chunk extension', rest: `${size};name=value\r\n${body}\r\n0;last\r\n\r\n` },
  { name: 'an empty extension of the last chunk', rest: `${size}\r\n${body}\r\n0;\r\n\r\n` },
  { name: 'an extension that is digits', rest: `${size}\r\n${body}\r\n0;40\r\n\r\n` },
  { name: 'an extension that ends with LF', rest: `${size};name=value\n${body}\r\n0\r\n\r\n` },
  { name: 'an extension without an end', rest: `${size}\r\n${body}\r\n0;` },
  { name: 'lines that end with LF', rest: `${size}\n${body}\n0\n\n` },
  { name: 'lines that end with CR', rest: `${size}\r${body}\r0\r\r` },
  { name: 'a size with a plus', rest: `+${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with a minus', rest: `-${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with 0x', rest: `0x${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with an underscore', rest: `0_${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with a space before it', rest: ` ${size}\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a size with a space behind it', rest: `${size} \r\n${body}\r\n0\r\n\r\n` },
  { name: 'an empty size', rest: `\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a chunk longer than its size', rest: `5\r\n${body}\r\n0\r\n\r\n` },
  { name: 'a last chunk without its end', rest: `${size}\r\n${body}\r\n0\r\n` },
  { name: 'trailers', rest: `${size}\r\n${body}\r\n0\r\nx-a: 1\r\ncontent-length: 3\r\n\r\n` },
  { name: 'a coding in upper case', head: [...chunkedHead.slice(0, 3), 'Transfer-Encoding: CHUNKED'] },
  { name: 'a coding behind a tab', head: [...chunkedHead.slice(0, 3), 'transfer-encoding:\tchunked'] },
  { name: 'a coding behind a vertical tab', head: [...chunkedHead.slice(0, 3), 'transfer-encoding: \x0bchunked'] },
  { name: 'a coding on a folded line', head: [...chunkedHead.slice(0, 3), 'transfer-encoding:', ' chunked'] },
  { name: 'a coding before a space and the colon', head: [...chunkedHead.slice(0, 3), 'transfer-encoding : chunked'] },
  { name: 'an empty coding', head: [...chunkedHead.slice(0, 3), 'transfer-encoding:'] },
  { name: 'chunks, then a length', head: [...chunkedHead, 'content-length: {LENGTH}'] },
  { name: 'a wish to close', head: [...chunkedHead, 'connection: close'] },
  { name: 'chunks in HTTP/1.0', head: [post.replace('1.1', '1.0'), ...chunkedHead.slice(1)] },
].map(({ head = chunkedHead, rest = `${size}\r\n${body}\r\n0\r\n\r\n`, ...given }) => ({
  ...given,
  head,
  rest,
  statuses: [200, 400, 411, 413, 501],
}));

export const slow: Framing[] = [
  {
    name: 'a body cut short',
    head: [post, 'host: x', json, 'content-length: 500'],
    rest: body,
    statuses: [408],
    options: {},
  },
  {
    name: 'a body that trickles in',
    head: [post, 'host: x', json, 'content-length: {LENGTH}'],
    rest: '',
    options: { more: [...body].map((each) => each), pauseMs: 100 },
    statuses: [408],
  },
  {
    name: 'chunks that never end',
    head: [post, 'host: x', json, 'transfer-encoding: chunked'],
    rest: '5\r\n{"a":\r\n',
    // at once over uWebSockets.js, which takes no chunks
    statuses: [408, 411],
    options: {},
  },
];
