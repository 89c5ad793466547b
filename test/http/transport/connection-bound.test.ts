import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { ConnectionBound } from '../../../src/http/index.ts';
import { socketTransport } from '../../../src/http/transport/socket/socket-transport.ts';
import type { Listening } from '../../../src/http/transport/transport.ts';
import { addressList, Background, silentLog } from '../../../src/platform/index.ts';
import { echoListener } from './echo-listener.ts';

const limits = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 30_000, headerBytes: 16_384 };
const sockets: Socket[] = [];
let server: Listening;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

async function opened(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress }).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

async function asked(socket: Socket): Promise<void> {
  socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
}

const none = { idle: 0, refused: 0, address: 0 };

/** A server, its bound, and how many connections it has closed. */
async function bounded() {
  const counts = { ...none };
  const counter = (reason: keyof typeof counts) => ({ add: () => void counts[reason]++ });
  const bound = new ConnectionBound(ConnectionBound.allocate(), addressList([]));
  const closed = { idle: counter('idle'), refused: counter('refused'), address: counter('address') };
  const transport = socketTransport(limits, new Background({ log: silentLog }), { bound, closed });
  server = await transport.listen({ host: '127.0.0.1', port: 0 }, echoListener().listener);
  return { bound, counts };
}

describe('too many connections', () => {
  test('the one that has waited longest gives way, and one with a request never', async () => {
    const { bound, counts } = await bounded();
    bound.limit(3, 0);
    const [first, second, third] = [await opened(), await opened(), await opened()];
    // each has been accepted, and the first has waited least
    for (const socket of [second, third, first]) await asked(socket);
    const secondClosed = once(second, 'close');
    await asked(await opened());
    await secondClosed;
    expect([first.closed, third.closed, counts, bound.open]).toEqual([false, false, { ...counts, idle: 1 }, 3]);
    for (const socket of [first, third]) socket.write('GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked(sockets.at(-1) as Socket);
    sockets.at(-1)?.write('GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n');
    const late = await opened();
    await once(late, 'close');
    expect([counts.refused, bound.open]).toEqual([1, 3]);
  });

  test('of one address: its own longest idle one gives way, and the new one only where none is idle', async () => {
    const { bound, counts } = await bounded();
    bound.limit(100, 2);
    const other = await opened('127.0.0.2');
    await asked(other);
    const [first, second] = [await opened(), await opened()];
    for (const socket of [first, second]) await asked(socket);
    const firstClosed = once(first, 'close');
    const third = await opened();
    await asked(third);
    await firstClosed;
    expect([other.closed, second.closed, counts, bound.open]).toEqual([false, false, { ...none, idle: 1 }, 3]);
    for (const socket of [second, third]) socket.write('GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n');
    await asked(other);
    const late = await opened();
    await once(late, 'close');
    expect([other.closed, counts, bound.open]).toEqual([false, { ...none, idle: 1, address: 1 }, 3]);
  });

  test('addresses are counted each, networks of IPv6 as one, and proxies not at all', () => {
    const bound = new ConnectionBound(ConnectionBound.allocate(), addressList(['10.0.0.0/8']));
    bound.limit(1000, 2);
    const over = (address: string) => [1, 2, 3].map(() => bound.add(address));
    expect(over('192.0.2.1')).toEqual([false, false, true]);
    expect(over('192.0.2.2')).toEqual([false, false, true]);
    expect(over('10.0.0.1')).toEqual([false, false, false]);
    expect(['2001:db8::1', '2001:db8::2', '2001:db8::3'].map((each) => bound.add(each))).toEqual([false, false, true]);
    bound.remove('192.0.2.1');
    bound.remove('192.0.2.1');
    expect([bound.add('192.0.2.1'), bound.open]).toEqual([false, 11]);
  });
});
