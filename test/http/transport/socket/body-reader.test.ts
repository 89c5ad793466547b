import { describe, expect, test } from 'vitest';
import { chunked } from '../../../../src/http/transport/framing.ts';
import { discardBytes } from '../../../../src/http/transport/gathered-body.ts';
import { BodyReader } from '../../../../src/http/transport/socket/requests/body-reader.ts';

/** Reads a body that comes in pieces of a length. */
function read(text: string, length: number, { pieces = text.length, limit = 1_000 } = {}) {
  const reader = new BodyReader();
  reader.begin(length, limit);
  const octets = Buffer.from(text, 'latin1');
  let end = 0;
  for (let at = 0; at < octets.length && reader.progress === 'more'; at += pieces) {
    end = at + reader.read(octets.subarray(at, at + pieces), 0);
  }
  return {
    progress: reader.progress,
    end,
    text: reader.progress === 'complete' ? reader.take().toString('latin1') : '',
  };
}

describe.each([1, 2, 3, 7, 10_000])('a body in pieces of %d octets', (pieces) => {
  test('of a length ends there', () => {
    const body = 'x'.repeat(900);
    expect(read(`${body}GET /`, 900, { pieces })).toMatchObject({ progress: 'complete', text: body, end: 900 });
    expect(read(body.slice(1), 900, { pieces }).progress).toBe('more');
  });

  const taken = [
    { name: 'one', given: '5\r\nhello\r\n0\r\n\r\n' },
    { name: 'several', given: '2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n' },
    { name: 'zeros before a size', given: '00000005\r\nhello\r\n000\r\n\r\n' },
    { name: 'extensions', given: '5;a;b=c\r\nhello\r\n0;d\r\n\r\n' },
  ];
  test.each(taken)('in chunks, with $name, is put together', ({ given }) => {
    expect(read(given, chunked, { pieces })).toMatchObject({ progress: 'complete', text: 'hello' });
    expect(read(given.slice(0, -1), chunked, { pieces }).progress).toBe('more');
  });

  const malformed = [
    { name: 'no size', given: '\r\nhello' },
    { name: 'a size of nine digits', given: '000000005\r\nhello' },
    { name: 'a size in no digits', given: '5g\r\nhello' },
    { name: 'a sign', given: '+5\r\nhello' },
    { name: 'a blank before a size', given: ' 5\r\nhello' },
    { name: 'a blank behind a size', given: '5 \r\nhello' },
    { name: 'a line feed behind a size', given: '5\nhello' },
    { name: 'a carriage return alone behind a size', given: '5\rhello' },
    { name: 'an extension without a name', given: '5;\r\nhello' },
    { name: 'an extension without a value', given: '5;a=\r\nhello' },
    { name: 'a quoted extension', given: '5;a="b"\r\nhello' },
    { name: 'a blank in an extension', given: '5; a\r\nhello' },
    { name: 'a line feed in an extension', given: '5;a\nhello' },
    { name: 'an endless extension', given: `5;${'a'.repeat(5_000)}` },
    { name: 'a chunk longer than its size', given: '4\r\nhello\r\n' },
    { name: 'a chunk shorter than its size', given: '5\r\nhell\r\n0' },
    { name: 'a line feed behind a chunk', given: '5\r\nhello\n' },
    { name: 'a trailer', given: '5\r\nhello\r\n0\r\nx-a: b\r\n\r\n' },
    { name: 'a line feed at the end', given: '5\r\nhello\r\n0\r\n\n' },
  ];
  test.each(malformed)('in chunks, with $name, is malformed', ({ given }) => {
    expect(read(given, chunked, { pieces }).progress).toBe('malformed');
  });

  test('past its bound is too large: at its end, or past the margin', () => {
    expect(read('x'.repeat(11), 11, { pieces, limit: 10 }).progress).toBe('too large');
    expect(read('x'.repeat(10), 10, { pieces, limit: 10 }).progress).toBe('complete');
    expect(read('b\r\nhello world\r\n0\r\n\r\n', chunked, { pieces, limit: 10 }).progress).toBe('too large');
  });
});

test('a body is given up past the margin, wherever it would end', () => {
  const reader = new BodyReader();
  reader.begin(chunked, 10);
  reader.read(Buffer.from('fffffff\r\n'), 0);
  const piece = Buffer.alloc(65_536);
  let sent = 0;
  for (; reader.progress === 'more'; sent += piece.length) reader.read(piece, 0);
  expect(reader.progress).toBe('too large');
  expect(sent).toBeLessThanOrEqual(discardBytes + 2 * piece.length);
});
