import { describe, expect, test } from 'vitest';
import { openTransport, type TransportChoice } from '../../../src/http/index.ts';
import { assertHeader, FixedHeaders, headerBlock } from '../../../src/http/transport/header-block.ts';
import { canReusePort } from '../../../src/http/transport/reuse-port.ts';
import { loadUws } from '../../../src/http/transport/uws/uws-binding.ts';

const limits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 1_000, headerBytes: 16_384 };

describe('the choice of a transport', () => {
  test('takes sockets of Node.js, and uWebSockets.js for threads that cannot share a port of these', () => {
    const available = loadUws() !== undefined;
    const open = (choice: TransportChoice, threads: number) => openTransport({ choice, threads }, limits);
    const sharesPort = canReusePort(process.versions.node, process.platform);
    expect(open('auto', 1).kind).toBe('socket');
    expect(open('auto', 2).kind).toBe(sharesPort || !available ? 'socket' : 'uws');
    expect(open('socket', 2)).toMatchObject({ kind: 'socket', sharesPort });
    if (available) expect(open('uws', 1)).toMatchObject({ kind: 'uws', sharesPort: true });
    else expect(() => open('uws', 1)).toThrow('RELATA_TRANSPORT');
  });

  const versions = [
    { name: 'Node.js 20', given: ['20.19.0', 'linux'], expect: false },
    { name: 'Node.js 22 before it', given: ['22.11.0', 'linux'], expect: false },
    { name: 'Node.js 22', given: ['22.12.0', 'linux'], expect: true },
    { name: 'Node.js 23 before it', given: ['23.0.0', 'linux'], expect: false },
    { name: 'Node.js 24', given: ['24.1.0', 'linux'], expect: true },
    { name: 'macOS', given: ['24.1.0', 'darwin'], expect: false },
  ] as const;
  test.each(versions)(
    'knows whether threads share a port of sockets of Node.js on $name',
    ({ given, expect: expected }) => {
      expect(canReusePort(given[0], given[1])).toBe(expected);
    },
  );
});

describe('headers', () => {
  const refused = [
    { name: 'a line break in a value', given: ['a', 'b\r\nc: d'] },
    { name: 'a line feed in a value', given: ['a', 'b\nc'] },
    { name: 'a NUL', given: ['a', 'b\0'] },
    { name: 'text beyond ASCII', given: ['a', 'ü'] },
    { name: 'a blank in a name', given: ['a b', 'c'] },
    { name: 'a colon in a name', given: ['a:', 'c'] },
    { name: 'no name', given: ['', 'c'] },
  ] as const;
  test.each(refused)('with $name cannot be sent', ({ given: [name, value] }) => {
    expect(() => assertHeader(name, value)).toThrow(RangeError);
    expect(() => headerBlock({ [name]: value })).toThrow(RangeError);
    expect(() => new FixedHeaders({ [name]: value })).toThrow(RangeError);
  });

  test('of a kind are one block that ends in the request id', () => {
    expect(headerBlock({ 'Content-Type': 'a/b', 'X-Y': 'z' })).toEqual({
      pairs: ['content-type', 'a/b', 'x-y', 'z'],
      firstName: 'content-type',
      rest: 'a/b\r\nx-y: z\r\nx-request-id: ',
    });
    expect(headerBlock({})).toEqual({ pairs: [], firstName: 'x-request-id', rest: '' });
  });

  test('that never change are put into a block once', () => {
    const block = headerBlock({ a: 'b' });
    const one = new FixedHeaders({ 'X-One': '1' });
    const longer = block.with(one).with(new FixedHeaders({ two: '2' }));
    expect(longer).toMatchObject({ firstName: 'a', rest: 'b\r\nx-one: 1\r\ntwo: 2\r\nx-request-id: ' });
    expect(longer.pairs).toEqual(['a', 'b', 'x-one', '1', 'two', '2']);
    expect(block.with(one)).toBe(block.with(one));
    expect(block.pairs).toEqual(['a', 'b']);
  });
});
