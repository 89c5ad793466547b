import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dnsLookup } from '../../src/platform/network/lookup-name.ts';

let server: Socket;
let asked: string[];
const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Answers questions for `A`, and says of all others that there are none; not of names in `silent.example`. */
beforeAll(async () => {
  asked = [];
  server = createSocket('udp4');
  server.on('message', (message, { port }) => {
    const { name, type, end } = questionOf(message);
    asked.push(name);
    if (name.endsWith('silent.example')) return;
    const has = type === 1 && !name.startsWith('none.');
    const head = Buffer.from(message.subarray(0, end));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(has ? 1 : 0, 6);
    head.writeUInt16BE(0, 10);
    const found = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
    server.send(has ? Buffer.concat([head, found]) : head, port, '127.0.0.1');
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

function questionOf(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

test('names whose servers do not answer keep no other waiting, and end in time', async () => {
  const lookup = dnsLookup([address()]);
  const begunAt = performance.now();
  const silent = Array.from({ length: 100 }, (_, number) => lookup(`h${number}.silent.example`));
  const ended = Promise.allSettled(silent);
  expect(await lookup('receiver.example')).toEqual([{ address: '93.184.216.34' }]);
  expect(performance.now() - begunAt).toBeLessThan(1500);
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true);
  expect(performance.now() - begunAt).toBeLessThan(8000);
}, 15_000);

test('a name without an address rejects, or has none', async () => {
  const found = await dnsLookup([address()])('none.example').catch(() => []);
  expect(found).toEqual([]);
});

test('no server is asked for localhost', async () => {
  asked = [];
  expect(await dnsLookup([address()])('app.localhost')).toContainEqual({ address: '127.0.0.1' });
  expect(asked).toEqual([]);
});
