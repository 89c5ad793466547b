import { connect } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { describeEachTransport } from './each-transport.ts';

const WAITING = 400;
const CLIENTS = 64;

describeEachTransport('a port that closes', (fixture) => {
  /** How a request over a connection of its own ended: by its status, or by the error of the connection. */
  const asked = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(fixture.server.port, '127.0.0.1');
      socket.on('connect', () => socket.write('GET /a HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.once('data', (data) => {
        resolve(data.toString('latin1').slice(9, 12));
        socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      socket.on('close', () => resolve('closed'));
    });

  test('has answered every connection that waited', async () => {
    const waiting = Array.from({ length: WAITING }, asked);
    // so that all have been sent
    await setImmediate();
    const drained = fixture.server.drain(20_000);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['200']));
    expect(await drained).toBe(0);
  });

  test('answers or refuses clients that open connection after connection', async () => {
    const seen: string[] = [];
    const client = async (): Promise<void> => {
      for (let last = '200'; last === '200'; seen.push(last)) last = await asked();
    };
    const clients = Array.from({ length: CLIENTS }, client);
    await sleep(50);
    expect(await fixture.server.drain(20_000)).toBe(0);
    await Promise.all(clients);
    const last = seen.filter((end) => end !== '200');
    expect(last).toEqual(Array.from({ length: CLIENTS }, () => 'ECONNREFUSED'));
  });
});
