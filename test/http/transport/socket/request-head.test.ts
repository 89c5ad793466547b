import { describe, expect, test } from 'vitest';
import { chunked } from '../../../../src/http/transport/framing.ts';
import { INCOMPLETE, RequestHead } from '../../../../src/http/transport/socket/requests/request-head.ts';

const H = 'Host: x\r\n';

function parse(text: string): { readonly end: number; readonly head: RequestHead } {
  const head = new RequestHead();
  const octets = Buffer.from(text, 'latin1');
  const end = head.parse(octets, 0, octets.length);
  // what has come to others stands before and behind it
  for (const behind of [
    '\r\n\r\n',
    '\n\r\n',
    'HTTP/1.1\r\nHost: y\r\n\r\n',
    ' / HTTP/1.1\r\nHost: y\r\n\r\n',
    ': 1\r\n\r\n',
  ]) {
    const before = 'GET /other HTTP/1.1\r\nHost: y';
    const among = Buffer.from(before + text + behind, 'latin1');
    const endAmong = new RequestHead().parse(among, before.length, before.length + octets.length);
    expect(endAmong > 0 ? endAmong - before.length : endAmong).toBe(end);
  }
  return { end, head };
}

describe('a head', () => {
  test('says what it asks for', () => {
    const text = `POST /a%20b?c=%31&d HTTP/1.1\r\n${H}X-A: \t one two \t\r\nx-a:three\r\nContent-Length: 12\r\n\r\n`;
    const { end, head } = parse(`${text}hello world!`);
    expect(end).toBe(text.length);
    expect([head.method, head.path, head.query, head.bodyLength]).toEqual(['POST', '/a%20b', 'c=%31&d', 12]);
    expect([head.header('x-a'), head.header('host'), head.header('x-b')]).toEqual(['one two, three', 'x', '']);
    expect([head.isOld, head.isLast, head.expectsContinue]).toEqual([false, false, false]);
  });

  test('is not complete before its last octet, wherever it is cut', () => {
    const text = `\r\nPOST /a?b HTTP/1.1\r\n${H}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
    for (let length = 1; length < text.length; length++) {
      expect(parse(text.slice(0, length)).end).toBe(INCOMPLETE);
      expect(new RequestHead().parse(Buffer.from(text), 0, length)).toBe(INCOMPLETE);
    }
    expect(parse(text).end).toBe(text.length);
  });

  test('that is read anew keeps nothing of the one before', () => {
    const head = new RequestHead();
    const one = Buffer.from(`POST /a?b HTTP/1.0\r\n${H}X-A: 1\r\nConnection: close\r\nContent-Length: 3\r\n\r\n`);
    const two = Buffer.from(`GET /c HTTP/1.1\r\n${H}\r\n`);
    expect(head.parse(one, 0, one.length)).toBe(one.length);
    expect(head.parse(two, 0, two.length)).toBe(two.length);
    expect([head.method, head.path, head.query, head.bodyLength]).toEqual(['GET', '/c', '', 0]);
    expect([head.header('x-a'), head.isOld, head.isLast]).toEqual(['', false, false]);
  });

  test.each([
    { fields: 'AUTHORIZATION: \tApiKey k \r\n', credential: 'ApiKey k' },
    { fields: 'X-A: 1\r\n', credential: '' },
    { fields: 'X-API-Key: k\r\n', credential: '' },
    { fields: 'x-api-key: k\r\nAuthorization: Bearer k\r\n', credential: '' },
    { fields: 'Authorization: Bearer k\r\nX-Api-Key: k\r\n', credential: '' },
    { fields: 'Authorization: Bearer k\r\nX-Api-Kex: k\r\n', credential: 'Bearer k' },
    { fields: 'Authorization: Bearer k\r\nAuthorization: Bearer k\r\n', credential: '' },
    { fields: 'Authorization: Bearer k\r\nAuthorization: Bearer k\r\nX-API-Key: k\r\n', credential: '' },
  ])('with $fields tells where the only credential stands', ({ fields, credential }) => {
    const text = `GET / HTTP/1.1\r\n${H}${fields}\r\n`;
    const { head } = parse(text);
    expect(text.slice(head.credentialFrom, head.credentialTo)).toBe(credential);
  });

  const whether = [
    { name: 'goes on', given: `GET / HTTP/1.1\r\n${H}\r\n`, last: false },
    { name: 'may keep alive', given: `GET / HTTP/1.1\r\n${H}Connection: keep-alive\r\n\r\n`, last: false },
    { name: 'closes', given: `GET / HTTP/1.1\r\n${H}Connection: Close\r\n\r\n`, last: true },
    {
      name: 'closes, among others',
      given: `GET / HTTP/1.1\r\n${H}Connection: keep-alive ,\tclose\r\n\r\n`,
      last: true,
    },
    { name: 'asks for another protocol', given: `GET / HTTP/1.1\r\n${H}Connection: Upgrade\r\n\r\n`, last: true },
    { name: 'has another wish', given: `GET / HTTP/1.1\r\n${H}Connection: closer\r\n\r\n`, last: false },
    { name: 'is of HTTP/1.0 and names no host', given: 'GET / HTTP/1.0\r\n\r\n', last: true },
    { name: 'is of HTTP/1.0', given: `GET / HTTP/1.0\r\n${H}\r\n`, last: true },
    {
      name: 'is of HTTP/1.0 and doubtful',
      given: `GET / HTTP/1.0\r\n${H}Connection: keep-alive\t\r\n\r\n`,
      last: true,
    },
    { name: 'is of HTTP/1.0 and goes on', given: `GET / HTTP/1.0\r\n${H}Connection: Keep-Alive\r\n\r\n`, last: false },
  ];
  test.each(whether)('that $name says whether it is the last', ({ given, last }) => {
    const { end, head } = parse(given);
    expect([end, head.isLast]).toEqual([given.length, last]);
  });

  const taken = [
    { name: 'an empty line before it', given: `\r\nGET / HTTP/1.1\r\n${H}\r\n` },
    { name: 'every visible octet but # in its target', given: `GET /${visible()} HTTP/1.1\r\n${H}\r\n` },
    { name: 'an empty value', given: `GET / HTTP/1.1\r\n${H}X-A:\r\n\r\n` },
    { name: 'octets beyond ASCII in a value', given: `GET / HTTP/1.1\r\n${H}X-A: \x80\xff\r\n\r\n` },
    { name: 'an empty host', given: 'GET / HTTP/1.1\r\nHost:\r\n\r\n' },
    { name: 'an address as host', given: 'GET / HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n\r\n' },
    { name: 'the target *', given: `OPTIONS * HTTP/1.1\r\n${H}\r\n` },
    { name: 'a method that has no endpoint', given: `PROPFIND / HTTP/1.1\r\n${H}\r\n` },
    { name: '100 fields', given: `GET / HTTP/1.1\r\n${H}${'a: b\r\n'.repeat(99)}\r\n` },
    { name: 'an expectation of HTTP/1.0', given: `GET / HTTP/1.0\r\n${H}Expect: something\r\n\r\n` },
  ];
  test.each(taken)('with $name is taken', ({ given }) => {
    expect(parse(given).end).toBe(given.length);
  });

  const get = (line: string): string => `GET / HTTP/1.1\r\n${H}${line}\r\n\r\n`;
  const refused = [
    { name: 'two empty lines before it', given: `\r\n\r\nGET / HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a line feed before it', given: `\nGET / HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a blank before it', given: ` GET / HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'no method', given: ` / HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a method without an end', given: 'G'.repeat(30), status: 400 },
    { name: 'CONNECT', given: `CONNECT x:80 HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a tab for a blank', given: `GET\t/ HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'two blanks before the target', given: `GET  / HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'two blanks behind the target', given: `GET /  HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'the absolute form', given: `GET http://x/ HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a target without a slash', given: `GET a HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: '* for another method', given: `GET * HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'more than *', given: `OPTIONS *a HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: '* with a query', given: `OPTIONS *?a HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a fragment', given: `GET /a#b HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a fragment in its query', given: `GET /a?b#c HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'a control character in its target', given: `GET /a\x01 HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'DEL in its target', given: `GET /a\x7f HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'an octet beyond ASCII in its target', given: `GET /\xe9 HTTP/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'no version', given: `GET /\r\n${H}\r\n`, status: 400 },
    { name: 'a version in small letters', given: `GET / http/1.1\r\n${H}\r\n`, status: 400 },
    { name: 'HTTP/1.2', given: `GET / HTTP/1.2\r\n${H}\r\n`, status: 505 },
    { name: 'HTTP/2.0', given: `GET / HTTP/2.0\r\n${H}\r\n`, status: 505 },
    { name: 'HTTP/1.10', given: `GET / HTTP/1.10\r\n${H}\r\n`, status: 400 },
    { name: 'a blank behind the version', given: `GET / HTTP/1.1 \r\n${H}\r\n`, status: 400 },
    { name: 'a bare line feed behind the version', given: `GET / HTTP/1.1\n${H}\r\n`, status: 400 },
    { name: 'a bare line feed behind a field', given: get('X-A: b\nX-B: c'), status: 400 },
    { name: 'a bare line feed at its end', given: `GET / HTTP/1.1\r\n${H}\n`, status: 400 },
    { name: 'a bare carriage return', given: get('X-A: b\rc'), status: 400 },
    { name: 'two carriage returns', given: get('X-A: b\r'), status: 400 },
    { name: 'a folded line', given: get('X-A: b\r\n c'), status: 400 },
    { name: 'a folded first line', given: `GET / HTTP/1.1\r\n ${H}\r\n`, status: 400 },
    { name: 'a blank before a colon', given: get('X-A : b'), status: 400 },
    { name: 'no colon', given: get('X-A'), status: 400 },
    { name: 'no name', given: get(': b'), status: 400 },
    { name: 'a delimiter in a name', given: get('X(A): b'), status: 400 },
    { name: 'an octet beyond ASCII in a name', given: get('X-\xe9: b'), status: 400 },
    { name: 'NUL in a value', given: get('X-A: b\0'), status: 400 },
    { name: 'DEL in a value', given: get('X-A: b\x7f'), status: 400 },
    { name: 'no host', given: 'GET / HTTP/1.1\r\n\r\n', status: 400 },
    { name: 'two hosts in HTTP/1.0', given: `GET / HTTP/1.0\r\n${H}${H}\r\n`, status: 400 },
    { name: 'two hosts', given: get('host: x'), status: 400 },
    { name: 'a path as host', given: 'GET / HTTP/1.1\r\nHost: x/y\r\n\r\n', status: 400 },
    { name: 'a user as host', given: 'GET / HTTP/1.1\r\nHost: a@x\r\n\r\n', status: 400 },
    { name: 'two names as host', given: 'GET / HTTP/1.1\r\nHost: x y\r\n\r\n', status: 400 },
    { name: 'chunks in HTTP/1.0', given: `POST / HTTP/1.0\r\n${H}Transfer-Encoding: chunked\r\n\r\n`, status: 400 },
    { name: 'a blank behind its length', given: get('Content-Length: 3 '), status: 400 },
    { name: 'a tab behind its coding', given: get('Transfer-Encoding: chunked\t'), status: 400 },
    { name: 'another expectation', given: get('Expect: 200-ok'), status: 417 },
    { name: '101 fields', given: `GET / HTTP/1.1\r\n${H}${'a: b\r\n'.repeat(100)}\r\n`, status: 431 },
  ];
  test.each(refused)('with $name is refused', ({ given, status }) => {
    expect(parse(given).end).toBe(-status);
  });

  test('with a length says how long its body is, and in chunks that it is', () => {
    expect(parse(get('content-length: 0042')).head.bodyLength).toBe(42);
    expect(parse(get(`content-length: ${'9'.repeat(15)}`)).head.bodyLength).toBe(999_999_999_999_999);
    expect(parse(get(`content-length: ${'9'.repeat(16)}`)).end).toBe(-400);
    expect(parse(get('transfer-encoding: CHUNKED')).head.bodyLength).toBe(chunked);
  });
});

function visible(): string {
  const all = Array.from({ length: 0x7e - 0x21 + 1 }, (_, place) => String.fromCharCode(0x21 + place));
  return all.filter((character) => character !== '#').join('');
}
