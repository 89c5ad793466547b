import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openTransport } from '../../src/http/index.ts';
import { claimPort, ListenError } from '../../src/platform/index.ts';
import { echoListener } from '../http/transport/echo-listener.ts';

const host = '127.0.0.1';
const limits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 1_000, headerBytes: 16_384 };

test('a port is claimed by one, until it is released', async () => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await expect(claimPort({ host, port })).rejects.toMatchObject({ name: 'ListenError', isInUse: true });
  await new Promise((resolve) => server.close(resolve));
  const claim = await claimPort({ host, port });
  expect(claim.port).toBe(port);
  await expect(claimPort({ host, port })).rejects.toThrow(ListenError);
  await claim.release();
  await claim.release();
  await (await claimPort({ host, port })).release();
});

test('whoever asks meanwhile hears that the process lives and is not ready', async () => {
  const { port, tell, release } = await claimPort({ host, port: 0 });
  tell({ log: 'the start waits' });
  const ask = async (path: string) => {
    const answer = await fetch(`http://${host}:${port}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect(await ask('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' });
  const notReady = '{"status":"not ready","checks":{"log":"the start waits"}}';
  expect(await ask('/readyz?verbose')).toEqual({ status: 503, text: notReady });
  expect(await ask('/healthzz')).toEqual({ status: 503, text: '' });
  await release();
});

test('a free port is none that the system gives to whoever asks for any', async () => {
  const { port, release } = await claimPort({ host, port: 0 });
  expect(port).toBeLessThan(32_768);
  await release();
});

test('a port is not claimed beside a server that shares it', async () => {
  const listening = await openTransport({ choice: 'auto', threads: 1 }, limits).listen(
    { host, port: 0 },
    echoListener().listener,
  );
  await expect(claimPort({ host, port: listening.port })).rejects.toThrow(`${host}:${listening.port} is in use`);
  await listening.close();
});

test('who asks at a claimed port is told to come again, and does not hold it', async () => {
  const { port, tell, release } = await claimPort({ host, port: 0 });
  const [answer] = (await once(get({ host, port, agent: false }), 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1']);
  answer.resume();
  tell({ log: 'loading a snapshot' });
  const [ready] = (await once(get({ host, port, path: '/readyz', agent: false }), 'response')) as [IncomingMessage];
  const told = (await ready.toArray()).join('');
  expect([ready.statusCode, told]).toEqual([503, '{"status":"not ready","checks":{"log":"loading a snapshot"}}']);
  const silent = connect(port, host);
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  silent.on('error', () => {});
  await release();
  await ended;
});
