import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

/** As the code under test reads it. */
let now = 0;

/** Connections that note what happens to them, over octets that are used again as soon as one has come. */
function opened(foresee?: () => never) {
  const arrivals = new Arrivals(Buffer.alloc(ARRIVALS_BYTES), background, foresee);
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

/** As it is while much comes, turn after turn. */
async function busy(foresee?: () => never) {
  const all = opened(foresee);
  for (let place = 0; place < 31; place++) all.come(all.connection('before'), '0');
  await turn();
  all.events.length = 0;
  return all;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** How many were read before the first of them was written. */
function together(events: readonly string[]): number[] {
  const groups = events.join().match(/(a \d+(,|$))+/g) ?? [];
  return groups.map((group) => group.split('a ').length - 1);
}

describe('what comes to the connections of a thread in one turn', () => {
  beforeEach(() => {
    now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('is read in its order at the end of the turn, and then all answers are written', async () => {
    const { events, connection, come } = await busy();
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
    const foresee = (): never => {
      throw new Error('for this test');
    };
    const { events, connection, come } = await busy(foresee);
    const [a, b] = [connection('a'), connection('b')];
    for (const text of ['1', '2']) {
      come({ ...a, foresee }, text);
      come(b, text);
      await turn();
    }
    expect(events.filter((event) => !event.endsWith('writes'))).toEqual(['a 1', 'b 1', 'a 2', 'b 2']);
  });

  test('is read at once where it is long, and behind what came before', async () => {
    const { events, connection, come } = await busy();
    const [a, b] = [connection('a'), connection('b')];
    come(a, '1');
    come(b, 'l'.repeat(LONG));
    expect(events).toEqual(['a 1', 'a writes', `b ${LONG}`, 'b writes']);
  });

  test('is read at once after a rest, then two together, four and so on up to 32, until the next rest', async () => {
    const { events, connection, come } = opened();
    const a = connection('a');
    const text = '1'.repeat(PIECE);
    const comes = async (count: number): Promise<number[]> => {
      events.length = 0;
      for (let place = 0; place < count; place++) come(a, text);
      const before = together(events);
      await turn();
      expect(together(events).slice(0, before.length)).toEqual(before);
      return together(events);
    };
    expect(await comes(1)).toEqual([1]);
    expect(await comes(5)).toEqual([2, 3]);
    now += 1;
    expect(await comes(100)).toEqual([1, 2, 4, 8, 16, 32, 32, 5]);
    now += 0.1;
    expect(await comes(40)).toEqual([32, 8]);
    now += 0.2;
    expect(await comes(3)).toEqual([1, 2]);
  });

  test('is read by whoever cannot wait for the end of the turn, once', async () => {
    const { arrivals, events, connection, come } = await busy();
    come(connection('a'), '1');
    arrivals.read();
    arrivals.read();
    await turn();
    expect(events).toEqual(['a 1', 'a writes']);
  });

  test('does not wait for a request that takes long', async () => {
    const { events, connection, come } = await busy();
    const slow = connection('slow', () => {
      now += 2;
    });
    come(connection('a'), '1');
    come(slow, '2');
    come(connection('b'), '3');
    await turn();
    const at = (event: string): number => events.indexOf(event);
    expect([at('a writes'), at('slow writes')].every((place) => place >= 0 && place < at('b 3'))).toBe(true);
  });

  test('is lost to nobody but the connection that fails', async () => {
    const { events, connection, come } = await busy();
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
