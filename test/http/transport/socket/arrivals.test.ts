import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { headerBlock } from '../../../../src/http/transport/header-block.ts';
import { ARRIVALS_BYTES, Arrivals, type Arriving } from '../../../../src/http/transport/socket/network/arrivals.ts';
import { nativeStreams } from '../../../../src/http/transport/socket/network/native-streams.ts';
import { socketTransport } from '../../../../src/http/transport/socket/socket-transport.ts';
import type { Listening } from '../../../../src/http/transport/transport.ts';
import { unlimitedConnections } from '../../../../src/http/transport/unlimited-connections.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';
import { until } from '../each-transport.ts';

const LONG = 5_000;
/** The longest that is gathered. */
const PIECE = 4_096;
const CLIENTS = 40;
const limits = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 30_000, headerBytes: 16_384 };
const native = nativeStreams();
const background = new Background({ log: silentLog });

/** Connections that note what happens to them, over octets that are used again as soon as one has come. */
function opened() {
  const arrivals = new Arrivals(Buffer.alloc(ARRIVALS_BYTES), background);
  const shared = Buffer.alloc(8_192);
  const events: string[] = [];
  const connection = (name: string, act: () => void = () => {}): Arriving => {
    const made: Arriving = {
      arrive(all, from, to) {
        const octets = all.subarray(from, to);
        events.push(`${name} ${octets.length > 20 ? octets.length : octets.toString('latin1')}`);
        act();
        if (!arrivals.putOff(made)) made.endTurn();
      },
      endTurn: () => events.push(`${name} writes`),
      cut: () => events.push(`${name} cut`),
    };
    return made;
  };
  const come = (to: Arriving, text: string): void => {
    arrivals.take(to, shared, shared.write(text, 'latin1'));
    shared.fill('#');
  };
  return { arrivals, events, connection, come };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what comes to the connections of a thread in one turn', () => {
  test('is read in its order at the end of the turn, and then all answers are written', async () => {
    const { events, connection, come } = opened();
    const [a, b] = [connection('a'), connection('b')];
    come(a, '1');
    come(b, '2');
    come(a, '3');
    expect(events).toEqual([]);
    await turn();
    expect(events).toEqual(['a 1', 'b 2', 'a 3', 'a writes', 'b writes', 'a writes']);
    come(b, '4');
    await turn();
    expect(events.slice(6)).toEqual(['b 4', 'b writes']);
  });

  test('is read, and what comes after it, where looking ahead fails', async () => {
    const { events, connection, come } = opened();
    const [a, b] = [connection('a'), connection('b')];
    const foresee = (): never => {
      throw new Error('for this test');
    };
    for (const text of ['1', '2']) {
      come({ ...a, foresee }, text);
      come(b, text);
      await turn();
    }
    expect(events.filter((event) => !event.endsWith('writes'))).toEqual(['a 1', 'b 1', 'a 2', 'b 2']);
  });

  test('is read at once where it is long, and behind what came before', () => {
    const { events, connection, come } = opened();
    const [a, b] = [connection('a'), connection('b')];
    come(a, '1');
    come(b, 'l'.repeat(LONG));
    expect(events).toEqual(['a 1', 'a writes', `b ${LONG}`, 'b writes']);
  });

  test('is answered in fours, then in eights and so on up to 32, as long as any piece is', async () => {
    const { events, connection, come } = opened();
    const one = connection('a');
    const text = 'x'.repeat(PIECE);
    const together = (): number[] => {
      const groups = events.join().match(/(a 4096,)+/g) ?? [];
      return groups.map((group) => group.length / 'a 4096,'.length);
    };
    for (let place = 0; place < 100; place++) come(one, text);
    expect(together()).toEqual([4, 8, 16, 32, 32]);
    await turn();
    expect(together()).toEqual([4, 8, 16, 32, 32, 8]);
    events.length = 0;
    for (let place = 0; place < 5; place++) come(one, text);
    await turn();
    expect(together()).toEqual([4, 1]);
    expect(events.filter((event) => event.endsWith('writes')).length).toBe(5);
  });

  test('is read by whoever cannot wait for the end of the turn, once', async () => {
    const { arrivals, events, connection, come } = opened();
    come(connection('a'), '1');
    arrivals.read();
    arrivals.read();
    await turn();
    expect(events).toEqual(['a 1', 'a writes']);
  });

  test('does not wait for a request that takes long', async () => {
    const { events, connection, come } = opened();
    const slow = connection('slow', () => {
      const from = performance.now();
      while (performance.now() - from < 2);
    });
    come(connection('a'), '1');
    come(slow, '2');
    come(connection('b'), '3');
    await turn();
    const at = (event: string): number => events.indexOf(event);
    expect([at('a writes'), at('slow writes')].every((place) => place >= 0 && place < at('b 3'))).toBe(true);
  });

  test('is lost to nobody but the connection that fails', async () => {
    const { events, connection, come } = opened();
    const broken = connection('broken', () => {
      throw new Error('broken');
    });
    come(broken, '1');
    come(connection('a'), '2');
    await turn();
    expect(events).toEqual(['broken 1', 'broken cut', 'a 2', 'a writes']);
  });
});

describe('a server', () => {
  let server: Listening | undefined;
  const sockets: Socket[] = [];
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.close();
  });

  test.skipIf(native === null).each([
    { name: 'makes room', act: (listening: Listening) => listening.makeRoom() },
    { name: 'drains', act: (listening: Listening) => listening.drain(10_000) },
  ])('that $name answers what has come before', async ({ act }) => {
    const head = headerBlock({});
    const accept = (request: { id: string }): number => {
      request.id = '1';
      return 1_000;
    };
    const handle = () => ({ status: 200, head, body: 'x' });
    const transport = socketTransport(limits, background, unlimitedConnections(), native);
    const refuse = () => ({ status: 413, head, body: '' });
    const listening = await transport.listen({ host: '127.0.0.1', port: 0 }, { accept, handle, refuse, failed() {} });
    server = listening;
    const texts: string[] = [];
    for (let place = 0; place < CLIENTS; place++) {
      const socket = connect(listening.port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      socket.on('data', (data: Buffer) => texts.push(data.toString('latin1')));
    }
    const { take } = Arrivals.prototype;
    let taken = 0;
    vi.spyOn(Arrivals.prototype, 'take').mockImplementation(function (this: Arrivals, ...piece) {
      take.apply(this, piece);
      // the last one has come, and is not read
      if (++taken === CLIENTS) void act(listening);
    });
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => texts.join('').split('HTTP/1.1 200').length === CLIENTS + 1);
  });
});
