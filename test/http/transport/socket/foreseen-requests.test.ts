import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { headerBlock } from '../../../../src/http/transport/header-block.ts';
import { nativeStreams } from '../../../../src/http/transport/socket/network/native-streams.ts';
import { socketTransport } from '../../../../src/http/transport/socket/socket-transport.ts';
import type { Foreseen, IncomingRequest, Listener, Listening } from '../../../../src/http/transport/transport.ts';
import { unlimitedConnections } from '../../../../src/http/transport/unlimited-connections.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';
import { until } from '../each-transport.ts';

const CLIENTS = 40;
/** After the first ones of a connection, heads are no longer looked for among those that are known. */
const ROUNDS = 40;
const limits = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 30_000, headerBytes: 16_384 };
const head = headerBlock({});
const native = nativeStreams();

let server: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
});

/** Answers with what it was told of a request; notes whom it has foreseen. */
function telling(): { listener: Listener; foreseen: string[]; bodies: [sent: string, wanted: string][] } {
  const foreseen: string[] = [];
  const bodies: [string, string][] = [];
  const told = (request: Foreseen) => ({
    octets: request.octets,
    bodyFrom: request.bodyFrom,
    bodyTo: request.bodyTo,
    name: request.octets.toString('latin1', request.credentialFrom, request.credentialTo),
  });
  const listener: Listener = {
    foresee: (requests) => {
      for (const { octets, bodyFrom, bodyTo, ...request } of requests.map(told)) {
        foreseen.push(request.name);
        bodies.push([octets.toString('latin1', bodyFrom, bodyTo), `body of ${request.name}`]);
      }
    },
    accept(request: IncomingRequest) {
      request.id = '1';
      return 1_000;
    },
    handle: (request) => {
      const body = `<${request.method} ${request.path} ${request.header('authorization')} ${request.bodyText()}>`;
      return { status: 200, head, body };
    },
    refuse: () => ({ status: 413, head, body: '' }),
    failed() {},
  };
  return { listener, foreseen, bodies };
}

function requestOf(name: string): string {
  const body = `body of ${name}`;
  return `POST /${name} HTTP/1.1\r\nHost: x\r\nAuthorization: ${name}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const answerOf = (name: string): string => `<POST /${name} ${name} body of ${name}>`;

test.skipIf(native === null)('each request gets its own answer, whatever was read before it arrived', async () => {
  const { listener, foreseen, bodies } = telling();
  const transport = socketTransport(limits, new Background({ log: silentLog }), unlimitedConnections(), native);
  const listening = await transport.listen({ host: '127.0.0.1', port: 0 }, listener);
  server = listening;
  const texts: string[] = Array.from({ length: CLIENTS }, () => '');
  for (let client = 0; client < CLIENTS; client++) {
    const socket = connect(listening.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    socket.on('data', (data: Buffer) => {
      texts[client] += data.toString('latin1');
    });
  }
  const expected: string[][] = texts.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [client, socket] of sockets.entries()) {
      const names = [0, 1, 2].map((place) => `c${client}-r${round}-${place}`);
      const [first = '', second = '', third = ''] = names;
      const whole = requestOf(first) + requestOf(second);
      // two in one piece, the beginning of a third, and its rest in the next round trip
      const cut = Math.floor((requestOf(third).length * (client + 1)) / (CLIENTS + 2));
      const parts = [`${whole}${requestOf(third).slice(0, cut)}`, requestOf(third).slice(cut)];
      socket.write(parts[0] as string, 'latin1', () => setImmediate(() => socket.write(parts[1] as string, 'latin1')));
      expected[client]?.push(...names.map(answerOf));
    }
    await until(() => texts.every((text) => text.split('>').length > 3 * (round + 1)));
  }
  for (const [client, text] of texts.entries()) expect(text.match(/<[^>]*>/g)).toEqual(expected[client]);
  expect(foreseen.length).toBeGreaterThan(CLIENTS);
  expect(foreseen.every((name) => /^c\d+-r\d+-\d$/.test(name))).toBe(true);
  // a body that has not come with its head is not foreseen
  for (const [sent, wanted] of bodies) expect(['', wanted]).toContain(sent);
  expect(bodies.some(([sent]) => sent !== '')).toBe(true);
});
