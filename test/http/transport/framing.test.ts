import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunked, contradictory, judgeFraming } from '../../../src/http/transport/framing.ts';
import { socketTransport } from '../../../src/http/transport/socket/socket-transport.ts';
import type { Listening, Transport, TransportLimits } from '../../../src/http/transport/transport.ts';
import { uwsTransport } from '../../../src/http/transport/uws/uws-transport.ts';
import { unlessBinary } from './each-transport.ts';
import { echoListener, type Seen } from './echo-listener.ts';
import { sendRaw, statusesOf } from './raw-client.ts';

const limits: TransportLimits = {
  headersTimeoutMs: 1_000,
  bodyTimeoutMs: 300,
  idleTimeoutMs: 5_000,
  headerBytes: 16_384,
};

const H = 'Host: x\r\n';
const post = (headers: string, body: string): string => `POST /a HTTP/1.1\r\n${H}${headers}\r\n${body}`;
const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const inChunks = `3\r\nabc\r\n0\r\n\r\n`;

/**
 * Heads and bodies that two readers may take differently. None may reach the service as a request, and above all the
 * bytes that one reader takes for a body may never become a second request.
 */
const refused = [
  { name: 'two lengths', given: post('Content-Length: 3\r\nContent-Length: 5\r\n', 'abcde') },
  { name: 'two equal lengths', given: post('Content-Length: 3\r\nContent-Length: 3\r\n', `abc${hidden}`) },
  { name: 'a list of lengths', given: post('Content-Length: 3, 3\r\n', 'abc') },
  { name: 'an empty length', given: post('Content-Length: \r\n', hidden) },
  { name: 'a signed length', given: post('Content-Length: +3\r\n', 'abc') },
  { name: 'a negative length', given: post('Content-Length: -3\r\n', 'abc') },
  { name: 'a hexadecimal length', given: post('Content-Length: 0x3\r\n', 'abc') },
  { name: 'a fractional length', given: post('Content-Length: 3.0\r\n', 'abc') },
  { name: 'a length with a blank inside', given: post('Content-Length: 3 3\r\n', 'abc') },
  { name: 'a length beyond counting', given: post(`Content-Length: ${'9'.repeat(40)}\r\n`, 'abc') },
  { name: 'a length and chunks', given: post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n', inChunks) },
  { name: 'chunks and a length', given: post('Transfer-Encoding: chunked\r\nContent-Length: 99\r\n', inChunks) },
  { name: 'an unknown encoding', given: post('Transfer-Encoding: xchunked\r\n', inChunks) },
  { name: 'an encoding that ends in chunked', given: post('Transfer-Encoding: gzip, chunked\r\n', inChunks) },
  { name: 'chunked before another encoding', given: post('Transfer-Encoding: chunked, identity\r\n', inChunks) },
  { name: 'two encodings', given: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', inChunks) },
  { name: 'an empty encoding', given: post('Transfer-Encoding: \r\n', hidden) },
  { name: 'identity', given: post('Transfer-Encoding: identity\r\n', hidden) },
  { name: 'a vertical tab before chunked', given: post('Transfer-Encoding: \x0bchunked\r\n', inChunks) },
  { name: 'a blank before the colon of a length', given: post('Content-Length : 3\r\n', 'abc') },
  { name: 'a blank before the colon of an encoding', given: post('Transfer-Encoding : chunked\r\n', inChunks) },
  { name: 'a folded header', given: post('X-A: b\r\n Content-Length: 3\r\n', 'abc') },
  { name: 'a folded encoding', given: post('Transfer-Encoding:\r\n chunked\r\n', inChunks) },
  { name: 'a bare line feed between headers', given: 'POST /a HTTP/1.1\r\nHost: x\nContent-Length: 3\r\n\r\nabc' },
  { name: 'bare line feeds only', given: 'GET /a HTTP/1.1\nHost: x\n\n' },
  { name: 'a bare carriage return in a value', given: post('X-A: b\rContent-Length: 3\r\n', 'abc') },
  { name: 'a NUL in a value', given: `GET /a HTTP/1.1\r\n${H}X-A: b\0c\r\n\r\n` },
  { name: 'two hosts', given: `GET /a HTTP/1.1\r\n${H}Host: y\r\n\r\n` },
  { name: 'no host', given: 'GET /a HTTP/1.1\r\n\r\n' },
  { name: 'a chunk size that is no number', given: post('Transfer-Encoding: chunked\r\n', 'zz\r\nabc\r\n0\r\n\r\n') },
  { name: 'a chunk size with a sign', given: post('Transfer-Encoding: chunked\r\n', '-3\r\nabc\r\n0\r\n\r\n') },
  { name: 'a chunk size with 0x', given: post('Transfer-Encoding: chunked\r\n', '0x3\r\nabc\r\n0\r\n\r\n') },
  {
    name: 'a chunk size beyond counting',
    given: post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffffff\r\nabc\r\n0\r\n\r\n'),
  },
  { name: 'a chunk size past 32 bits', given: post('Transfer-Encoding: chunked\r\n', '100000003\r\nabc\r\n0\r\n\r\n') },
  { name: 'another protocol', given: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  { name: 'a version that does not exist', given: `GET /a HTTP/1.2\r\n${H}\r\n` },
  { name: 'a TLS hello', given: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' },
  { name: 'a method that is none', given: `BREW /a HTTP/1.1\r\n${H}\r\n` },
  { name: 'a method in lower case', given: `get /a HTTP/1.1\r\n${H}\r\n` },
  { name: 'a line without a target', given: `GET HTTP/1.1\r\n${H}\r\n` },
  { name: 'only line breaks', given: '\r\n\r\n\r\n' },
];

/** Unusual, and clear. */
const taken = [
  { name: 'a length with leading zeros', given: post('Content-Length: 0003\r\n', 'abc'), expect: ['abc'] },
  { name: 'a length of zero', given: post('Content-Length: 0\r\n', ''), expect: [''] },
  { name: 'no length', given: post('', ''), expect: [''] },
  { name: 'a GET with a body', given: `GET /a HTTP/1.1\r\n${H}Content-Length: 3\r\n\r\nabc`, expect: ['abc'] },
  { name: 'an expectation', given: post('Content-Length: 3\r\nExpect: 100-continue\r\n', 'abc'), expect: ['abc'] },
];

/** uWebSockets.js takes no chunks. */
const takenInChunks = [
  { name: 'an encoding in capitals', given: post('Transfer-Encoding: CHUNKED\r\n', inChunks), expect: ['abc'] },
];

const implementations: { name: string; transport: Transport | undefined }[] = [
  { name: 'uws', transport: uwsTransport(limits) },
  { name: 'socket', transport: socketTransport(limits) },
];

for (const { name, transport } of implementations) {
  describe.skipIf(transport === undefined)(`contradictory framing on ${name}${unlessBinary(transport)}`, () => {
    let server: Listening;
    let seen: Seen;
    beforeAll(async () => {
      const echo = echoListener();
      seen = echo.seen;
      server = await (transport as Transport).listen({ host: '127.0.0.1', port: 0 }, echo.listener);
    });
    afterAll(() => server.close());

    test.each(refused)('$name reaches nobody', async ({ given }) => {
      seen.requests.length = 0;
      const answer = await sendRaw(server.port, given, { quietMs: 100 });
      expect(seen.requests).toEqual([]);
      for (const status of statusesOf(answer)) expect([400, 405, 408, 411, 505]).toContain(status);
    });

    test.each(name === 'uws' ? taken : [...taken, ...takenInChunks])(
      '$name is taken',
      async ({ given, expect: expected }) => {
        seen.requests.length = 0;
        const answer = await sendRaw(server.port, given, { quietMs: 100, answers: 1 });
        expect(seen.requests.map(({ body }) => body)).toEqual(expected);
        expect(statusesOf(answer)).toEqual([200]);
      },
    );

    const followed = [
      { name: 'a chunk longer than its size', given: post('Transfer-Encoding: chunked\r\n', `2\r\nabc\r\n0\r\n\r\n`) },
      { name: 'trailers', given: post('Transfer-Encoding: chunked\r\n', `3\r\nabc\r\n0\r\nX-A: b\r\n\r\n`) },
      {
        name: 'a request in the place of trailers',
        given: post('Transfer-Encoding: chunked\r\n', `3\r\nabc\r\n0\r\n${hidden}`),
      },
      { name: 'bytes past the length', given: post('Content-Length: 3\r\n', 'abcGARBAGE\r\n\r\n') },
    ];
    test.each(followed)('$name never becomes a second request', async ({ given }) => {
      seen.requests.length = 0;
      await sendRaw(server.port, given, { quietMs: 100 });
      expect(seen.requests.filter(({ path }) => path !== '/a')).toEqual([]);
      expect(seen.requests.length).toBeLessThan(2);
    });

    test('the server still answers after all of these', async () => {
      const answer = await sendRaw(server.port, `GET /a HTTP/1.1\r\n${H}\r\n`, { answers: 1 });
      expect(statusesOf(answer)).toEqual([200]);
    });
  });
}

describe('the judgement of framing headers', () => {
  const plain = { hosts: 1, lengths: 0, encodings: 0, length: '', encoding: '' };
  const table = [
    { name: 'no body', given: plain, expect: 0 },
    { name: 'a length', given: { ...plain, lengths: 1, length: '12' }, expect: 12 },
    {
      name: 'the longest readable length',
      given: { ...plain, lengths: 1, length: '9'.repeat(15) },
      expect: 999_999_999_999_999,
    },
    { name: 'a longer length', given: { ...plain, lengths: 1, length: '9'.repeat(16) }, expect: contradictory },
    { name: 'digits of another script', given: { ...plain, lengths: 1, length: '٣' }, expect: contradictory },
    { name: 'chunks', given: { ...plain, encodings: 1, encoding: 'chunked' }, expect: chunked },
    {
      name: 'both',
      given: { ...plain, lengths: 1, length: '3', encodings: 1, encoding: 'chunked' },
      expect: contradictory,
    },
    { name: 'no host', given: { ...plain, hosts: 0 }, expect: contradictory },
  ];
  test.each(table)('$name', ({ given, expect: expected }) => {
    expect(judgeFraming(given)).toBe(expected);
  });
});
