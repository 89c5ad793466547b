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
export const smuggled = (key: string): string =>
  `POST /t/acme/api/v1/zanzibar/tuples HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${json}\r\ncontent-length: ${write.length}\r\n\r\n${write}`;

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
    statuses: [408],
    options: {},
  },
];
