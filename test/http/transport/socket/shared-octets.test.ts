import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { headerBlock } from '../../../../src/http/transport/header-block.ts';
import { nativeStreams } from '../../../../src/http/transport/socket/network/native-streams.ts';
import { socketTransport } from '../../../../src/http/transport/socket/socket-transport.ts';
import type { IncomingRequest, Listening, Outgoing } from '../../../../src/http/transport/transport.ts';
import { unlimitedConnections } from '../../../../src/http/transport/unlimited-connections.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';
import { until } from '../each-transport.ts';
import { sendRaw, statusesOf } from '../raw-client.ts';

const limits = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 30_000, headerBytes: 16_384 };
const head = headerBlock({});
/** What is read at once. */
const READ_BYTES = 65_536;
const LATE = 20;
const AHEAD = 2_000;
const AHEAD_CHARACTERS = 3_000;

let server: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

interface Opened {
  readonly socket: Socket;
  readonly received: () => string;
  /** Whether what came last ends so. */
  readonly ends: (end: string) => boolean;
}

/** All that a request says, read when it is answered. */
function told(request: IncomingRequest): Outgoing {
  const { method, path, query, body } = request;
  const said = [method, path, query, request.header('x-echo'), request.header('host'), body.toString('latin1')];
  return { status: 200, head, body: `<${said.join(' ')}>` };
}

test('what is below sockets is used on every version of Node.js that is tested', () => {
  expect(nativeStreams() === null).toBe(process.platform === 'win32');
});

describe.each([
  { name: 'what is below sockets', native: nativeStreams() },
  { name: 'sockets alone', native: null },
])('all connections of a thread over $name', ({ native }) => {
  let release: () => void = () => {};
  let waiting = 0;
  /** Of the requests that are answered at once. */
  let answered = 0;
  let inTurn = 0;
  let mostInTurn = 0;

  function countTurn(): void {
    answered++;
    if (inTurn++ > 0) return;
    setImmediate(() => {
      mostInTurn = Math.max(mostInTurn, inTurn);
      inTurn = 0;
    });
  }

  async function listen(): Promise<void> {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    waiting = answered = inTurn = mostInTurn = 0;
    const background = new Background({ log: silentLog });
    const transport = socketTransport(limits, background, unlimitedConnections(), native);
    const handle = (request: IncomingRequest): Outgoing | Promise<Outgoing> => {
      if (request.path === '/now') {
        countTurn();
        return told(request);
      }
      waiting++;
      return released.then(() => told(request));
    };
    const accept = (request: IncomingRequest): number => {
      request.id = '1';
      return 100_000;
    };
    const refuse = (): Outgoing => ({ status: 413, head, body: '' });
    server = await transport.listen({ host: '127.0.0.1', port: 0 }, { accept, handle, refuse, failed() {} });
  }

  async function opened(): Promise<Opened> {
    const socket = connect(server?.port ?? 0, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    const texts: string[] = [];
    socket.setNoDelay(true).on('data', (data: Buffer) => texts.push(data.toString('latin1')));
    return { socket, received: () => texts.join(''), ends: (end) => texts.at(-1)?.endsWith(end) === true };
  }

  /** Fills the octets that connections share with something else. */
  async function others(): Promise<void> {
    const noise = `POST /now?${'n'.repeat(900)} HTTP/1.1\r\nHost: noise\r\nX-Echo: ${'n'.repeat(900)}\r\nContent-Length: 3\r\n\r\nnnn`;
    expect(statusesOf(await sendRaw(server?.port ?? 0, noise, { answers: 1 }))).toEqual([200]);
  }

  test('a request that is answered later keeps its own method, target and fields', async () => {
    await listen();
    const clients = await Promise.all(Array.from({ length: LATE }, opened));
    for (const [place, { socket }] of clients.entries()) {
      const request = `GET /late/${place}?q=${place} HTTP/1.1\r\nHost: h${place}\r\nX-Echo: e${place}\r\n\r\n`;
      // some behind a request that is answered at once, some in pieces
      if (place % 3 === 0) socket.write(`GET /now HTTP/1.1\r\nHost: x\r\n\r\n${request}`);
      else if (place % 3 === 1) socket.write(request);
      else for (const octet of request) socket.write(octet);
    }
    await until(() => waiting === LATE);
    await others();
    release();
    for (const [place, { received }] of clients.entries()) {
      await until(() => received().includes('/late/'));
      expect(received()).toContain(`<GET /late/${place} q=${place} e${place} h${place} >`);
    }
  });

  test('a head, a body and what was sent ahead stay what they are while they come in pieces', async () => {
    await listen();
    const [inHead, inBody, inChunks, ahead] = await Promise.all([opened(), opened(), opened(), opened()]);
    inHead.socket.write('GET /now?h=1 HTTP/1.1\r\nHo');
    inBody.socket.write('POST /now HTTP/1.1\r\nHost: b\r\nX-Echo: body\r\nContent-Length: 6\r\n\r\nabc');
    inChunks.socket.write(
      'POST /now HTTP/1.1\r\nHost: c\r\nX-Echo: chunks\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabc',
    );
    ahead.socket.write(
      'GET /late HTTP/1.1\r\nHost: a\r\n\r\nGET /now?a=1 HTTP/1.1\r\nHost: a\r\nX-Echo: ahead\r\n\r\nGET /no',
    );
    await until(() => waiting === 1);
    await others();
    inHead.socket.write('st: h\r\nX-Echo: head\r\n\r\n');
    inBody.socket.write('def');
    inChunks.socket.write('def\r\n0\r\n\r\n');
    ahead.socket.write('w HTTP/1.1\r\nHost: a\r\nX-Echo: last\r\n\r\n');
    await until(() => [inHead, inBody, inChunks].every(({ received }) => received().endsWith('>')));
    await others();
    release();
    await until(() => ahead.received().split('>').length === 4);
    expect([inHead, inBody, inChunks].map(({ received }) => /<.*>/.exec(received())?.[0])).toEqual([
      '<GET /now h=1 head h >',
      '<POST /now  body b abcdef>',
      '<POST /now  chunks c abcdef>',
    ]);
    expect(ahead.received().match(/<.*?>/g)).toEqual([
      '<GET /late   a >',
      '<GET /now a=1 ahead a >',
      '<GET /now  last a >',
    ]);
  });

  const unfair = native === null ? ' (skipped: Node.js reads for itself here)' : '';
  test.skipIf(native === null)(
    `a client that sends without an end has no more of a turn than others${unfair}`,
    async () => {
      await listen();
      const { socket } = await opened();
      const request = 'GET /now HTTP/1.1\r\nHost: x\r\n\r\n';
      const count = Math.ceil((20 * READ_BYTES) / request.length);
      socket.write(request.repeat(count));
      await until(() => answered === count);
      expect(mostInTurn).toBeLessThanOrEqual(READ_BYTES / request.length + 1);
    },
  );

  test('a client that asks much and takes nothing gets every answer in its place, once it reads', async () => {
    await listen();
    const { socket, received, ends } = await opened();
    socket.pause();
    const request = (place: number, echo: string): string =>
      `GET /now?${place} HTTP/1.1\r\nHost: x\r\nX-Echo: ${echo}\r\n\r\n`;
    // more than the system takes by itself, in answers of two octets for a character
    const echo = 'ü'.repeat(AHEAD_CHARACTERS);
    let sent = 0;
    for (let quiet = 0; sent < AHEAD && quiet < 50; ) {
      if (socket.writableLength > 0) {
        quiet++;
        await sleep(10);
      } else {
        quiet = 0;
        socket.write(request(sent++, echo));
      }
    }
    socket.resume();
    while (sent < AHEAD) socket.write(request(sent++, echo));
    socket.write(request(sent, 'last'));
    await until(() => ends('last x >'));
    const answered = (received().match(/<GET \/now \d+/g) ?? []).map((text) => Number(text.slice('<GET /now '.length)));
    expect(answered).toEqual(Array.from({ length: AHEAD + 1 }, (_, place) => place));
  });
});
