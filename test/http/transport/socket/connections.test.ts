import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { socketTransport } from '../../../../src/http/transport/socket/socket-transport.ts';
import type { Listening, TransportLimits } from '../../../../src/http/transport/transport.ts';
import { until } from '../each-transport.ts';
import { echoListener, type Seen } from '../echo-listener.ts';
import { bodyOf, headersOf, sendRaw, statusesOf } from '../raw-client.ts';

const patient: TransportLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  headerBytes: 16_384,
};
const H = 'Host: x\r\n';
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${H}${more}\r\n`;

let server: Listening;
let seen: Seen;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function listen(limits: Partial<TransportLimits> = {}): Promise<void> {
  const echo = echoListener();
  seen = echo.seen;
  server = await socketTransport({ ...patient, ...limits }).listen({ host: '127.0.0.1', port: 0 }, echo.listener);
}

async function opened(): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  sockets.push(socket);
  let text = '';
  socket.setNoDelay(true).on('data', (data) => {
    text += data.toString('latin1');
  });
  await once(socket, 'connect');
  return { socket, received: () => text };
}

describe('slow and endless senders', () => {
  test('a head that stops, or drips in, is refused in time, and a silent connection ends without a word', async () => {
    await listen({ headersTimeoutMs: 400 });
    const drips = [...get('/a', `X-A: ${'a'.repeat(200)}\r\n`)];
    const [stopped, dripping, silent] = await Promise.all([
      sendRaw(server.port, 'GET /a HTTP/1.1\r\nHo', { untilClosed: true }),
      sendRaw(server.port, drips, { untilClosed: true }),
      sendRaw(server.port, [], { untilClosed: true }),
    ]);
    expect([statusesOf(stopped), statusesOf(dripping), silent.text]).toEqual([[408], [408], '']);
    expect([stopped.closed, dripping.closed, silent.closed]).toEqual([true, true, true]);
    expect(seen.requests).toEqual([]);
  });

  test('an idle connection ends in time, and not before', async () => {
    await listen({ idleTimeoutMs: 600 });
    const { socket, received } = await opened();
    const start = performance.now();
    const ended = once(socket, 'end').then(() => performance.now() - start);
    socket.write(get('/a'));
    await until(() => statusesOf({ text: received() }).length === 1);
    expect(await ended).toBeGreaterThan(550);
  });

  const endless = [
    { name: 'a method', given: 'G'.repeat(20_000), status: 400 },
    { name: 'a target', given: `GET /${'a'.repeat(20_000)}`, status: 431 },
    { name: 'a name', given: `GET /a HTTP/1.1\r\n${'a'.repeat(20_000)}`, status: 431 },
    { name: 'a value', given: `GET /a HTTP/1.1\r\n${H}X-A: ${'a'.repeat(20_000)}`, status: 431 },
    { name: 'fields', given: `GET /a HTTP/1.1\r\n${H}${'a: b\r\n'.repeat(4_000)}`, status: 431 },
  ];
  test.each(endless)('$name without an end is refused, in one piece and in many', async ({ given, status }) => {
    await listen();
    const pieces = given.match(/[\s\S]{1,2000}/g) ?? [];
    for (const parts of [[given], pieces]) {
      const answer = await sendRaw(server.port, parts, { untilClosed: true });
      expect([statusesOf(answer), answer.closed]).toEqual([[status], true]);
    }
    expect(seen.heads).toBe(0);
  });

  test('a head of 16 KB is taken, and one of an octet more is not', async () => {
    await listen();
    const fill = 16_384 - get('/a', 'X-Echo: \r\n').length;
    const largest = await sendRaw(server.port, get('/a', `X-Echo: ${'a'.repeat(fill)}\r\n`), { answers: 1 });
    expect([statusesOf(largest), headersOf(largest).get('x-echo')?.length]).toEqual([[200], fill]);
    const over = await sendRaw(server.port, get('/a', `X-Echo: ${'a'.repeat(fill + 1)}\r\n`), { untilClosed: true });
    expect(statusesOf(over)).toEqual([431]);
  });

  test('a client that takes nothing of its answer is cut off', async () => {
    await listen({ bodyTimeoutMs: 300 });
    for (const path of ['/large', '/flood']) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      let size = 0;
      socket.on('data', (data) => {
        size += data.length;
      });
      socket.pause();
      // more than the kernel takes by itself: 120 MB
      socket.write(get(path).repeat(path === '/large' ? 40 : 1));
      await until(() => seen.requests.length > 0);
      await sleep(2_000);
      socket.resume();
      await once(socket, 'close');
      expect(size).toBeLessThan(50_000_000);
      seen.requests.length = 0;
    }
  });

  test('requests without an end behind one that waits stay in the network', async () => {
    await listen();
    const { socket } = await opened();
    socket.write(get('/stuck'));
    for (let sent = 0; sent < 400 && !socket.writableNeedDrain; sent++) {
      socket.write(get('/a').repeat(2_000));
      await sleep(1);
    }
    expect(socket.writableNeedDrain).toBe(true);
    expect(seen.requests.map(({ path }) => path)).toEqual(['/stuck']);
  });
});

describe('requests in a pipeline', () => {
  const paths = (text: string): (string | undefined)[] => [...text.matchAll(/"path":"(.*?)"/g)].map(([, path]) => path);

  test('are answered in order, also behind answers that are late, large or streamed', async () => {
    await listen();
    const given = ['/1', '/async', '/2', '/stream', '/3', '/large', '/4'].map((path) => get(path)).join('');
    const { socket, received } = await opened();
    socket.write(given);
    await until(() => paths(received()).length === 5);
    expect(paths(received())).toEqual(['/1', '/async', '/2', '/3', '/4']);
    const statuses = statusesOf({ text: received() });
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  test('of one turn are answered with one write', async () => {
    await listen();
    const { socket } = await opened();
    const first = once(socket, 'data');
    socket.write(get('/a').repeat(20));
    const [data] = (await first) as [Buffer];
    expect(statusesOf({ text: data.toString('latin1') })).toHaveLength(20);
  });

  test('are all answered before the end of a client that sends no more', async () => {
    await listen();
    const { socket, received } = await opened();
    socket.end(get('/1') + get('/async') + get('/3'));
    await once(socket, 'close');
    expect(paths(received())).toEqual(['/1', '/async', '/3']);
  });
});

describe('answers', () => {
  test('say when they were given', async () => {
    await listen();
    const { text, ...rest } = await sendRaw(server.port, get('/a'), { answers: 1 });
    const date = Date.parse(headersOf({ text, ...rest }).get('date') ?? '');
    expect(Math.abs(Date.now() - date)).toBeLessThan(60_000);
  });

  test('to HTTP/1.0 end the connection, or say that it goes on, and are never in chunks', async () => {
    await listen();
    const old = (path: string, more = ''): string => `GET ${path} HTTP/1.0\r\n${H}${more}\r\n`;
    const once = await sendRaw(server.port, old('/a') + old('/b'), { untilClosed: true });
    expect([statusesOf(once), headersOf(once).get('connection')]).toEqual([[200], 'close']);
    const kept = await sendRaw(server.port, old('/a', 'Connection: keep-alive\r\n'), { answers: 1 });
    expect([kept.closed, headersOf(kept).get('connection')]).toEqual([false, 'keep-alive']);
    const streamed = await sendRaw(server.port, old('/stream', 'Connection: keep-alive\r\n'), { untilClosed: true });
    expect([bodyOf(streamed), headersOf(streamed).has('transfer-encoding')]).toEqual(['ab\xc3\xbcc', false]);
  });

  test('to an expectation come first, or tell that the body is not wanted', async () => {
    await listen();
    const head = (length: number): string =>
      `POST /small HTTP/1.1\r\n${H}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
    const { socket, received } = await opened();
    socket.write(head(5));
    await until(() => received() === 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hello');
    await until(() => statusesOf({ text: received() }).length === 1);
    expect(seen.requests).toMatchObject([{ path: '/small', body: 'hello' }]);
    const refused = await sendRaw(server.port, head(11), { untilClosed: true });
    expect([statusesOf(refused), refused.text.includes('100 Continue')]).toEqual([[413], false]);
  });
});

test('a connection that ends in the middle of anything leaves nothing behind', async () => {
  await listen();
  const parts = ['GET /a HT', `POST /a HTTP/1.1\r\n${H}Content-Length: 9\r\n\r\nabc`, get('/slow'), get('/flood')];
  for (const part of parts) {
    const { socket } = await opened();
    socket.write(part);
    await sleep(30);
    socket.resetAndDestroy();
  }
  await until(() => seen.streamsEnded === 1);
  await sleep(400);
  expect(await server.drain(1_000)).toBe(0);
});
