import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadUws } from '../../src/http/transport/uws/uws-binding.ts';
import { Issuer } from '../identity/providers/issuer.ts';
import { ask } from './ask.ts';
import { type Answer, RunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

const FILES = 256;
const fewFiles = ['prlimit', `--nofile=${FILES}`];
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const SILENT = 300;
const transports = (['uws', 'socket'] as const).filter((name) => name !== 'uws' || loadUws() !== undefined);

let service: RunningService | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service?.remove();
});

/** Connections that say nothing. */
function silent(port: number, count: number, localAddress = '127.0.0.1'): Socket[] {
  const opened = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
  for (const socket of opened) socket.on('error', () => {}).resume();
  sockets.push(...opened);
  return opened;
}

const openOf = (opened: readonly Socket[]) => opened.filter(({ readyState }) => readyState === 'open').length;

describe.skipIf(!hasLimits).each(transports)(
  'with few files (skipped where prlimit is missing), over %s',
  (transport) => {
    test('300 silent connections keep nobody out: idle ones are closed, and the log says so', async () => {
      service = await RunningService.start(
        // all come from one address
        { RELATA_TRANSPORT: transport, RELATA_LOG_LEVEL: 'info', RELATA_LIMIT_CONNECTIONS_PER_ADDRESS: '1000' },
        undefined,
        fewFiles,
      );
      const { port } = service;
      const org = await service.organization('acme');
      await org.model('type doc', '  relations', '    define viewer: [user]');
      const opened = silent(port, SILENT);
      await expect.poll(() => openOf(opened), { timeout: 60_000 }).toBeLessThan(FILES - 64);
      // uWebSockets.js may reset one that comes in the instant in which room is made
      await expect.poll(() => ask(port, '/healthz'), { timeout: 30_000 }).toBe(200);
      // a connection that the client has kept may be among those that were closed
      const written = () =>
        org.post('/zanzibar/tuples', { writes: ['doc:1#viewer@user:anne'] }).then(
          ({ status }) => status,
          () => 0,
        );
      await expect.poll(written, { timeout: 30_000 }).toBe(200);
      const metrics = async () => String((await service?.call('GET', '/metrics').catch(() => undefined))?.body);
      const closed = /^relata_connections_(?:closed_total\{reason="idle"\}|room_made_total) [1-9]/m;
      await expect.poll(metrics, { timeout: 30_000 }).toMatch(closed);
      await expect.poll(() => service?.output(), { timeout: 30_000 }).toMatch(/too many (?:connections|files)/);
      expect(await service.stop()).toBe(0);
    });
  },
);

/** So many silent connections, each replaced when it ends, until it is aborted. */
function siege(port: number, count: number, ended: AbortSignal): void {
  const replace = (): void => {
    if (ended.aborted) return;
    const [socket] = silent(port, 1);
    socket?.on('close', () => setTimeout(replace, 1));
  };
  for (let i = 0; i < count; i++) replace();
}

/** A request of which only some has been sent, and what has come back. */
async function begun(port: number, text: string): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received };
}

const SIEGE_MS = 4_000;
const isUws = loadUws() !== undefined;

test.skipIf(!hasLimits || !isUws).each(['1', '2'])(
  'over uWebSockets.js (threads: %s), silent connections of one address end no watch and no request whose body is slow (skipped where prlimit or its binary is missing)',
  async (threads) => {
    const settings = { RELATA_TRANSPORT: 'uws', RELATA_LOG_LEVEL: 'info', RELATA_THREADS: threads };
    service = await RunningService.start(settings, undefined, fewFiles);
    const { port } = service;
    const org = await service.organization('acme');
    await org.model('type doc', '  relations', '    define viewer: [user]');
    const head = (line: string, more: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${org.key}\r\n${more}\r\n`;
    const path = '/t/acme/api/v1/zanzibar';
    const watches = await Promise.all(
      Array.from({ length: 4 }, () => begun(port, head(`GET ${path}/watch`, 'accept: text/event-stream\r\n'))),
    );
    for (const { received } of watches) await expect.poll(received, { timeout: 30_000 }).toContain(': open');
    const body = JSON.stringify({ writes: ['doc:1#viewer@user:anne'] });
    const type = 'content-type: application/json\r\n';
    const post = await begun(port, head(`POST ${path}/tuples`, `${type}content-length: ${body.length}\r\n`));
    post.socket.write(body.slice(0, 9));
    // so that its head has been read
    expect(await ask(port, '/healthz')).toBe(200);

    const ended = new AbortController();
    siege(port, 210, ended.signal);
    await expect.poll(() => service?.output(), { timeout: 30_000 }).toContain('too many files');
    // a body that takes longer than any connection was given before
    await sleep(SIEGE_MS);
    post.socket.write(body.slice(9));
    await expect.poll(post.received, { timeout: 30_000 }).toMatch(/^HTTP\/1.1 200 /);
    for (const { socket, received } of watches) {
      expect(socket.readyState).toBe('open');
      await expect.poll(received, { timeout: 30_000 }).toContain('user:anne');
    }
    ended.abort();
    for (const socket of sockets) if (!watches.some((watch) => watch.socket === socket)) socket.destroy();
    await expect.poll(() => ask(port, '/healthz'), { timeout: 60_000 }).toBe(200);
    expect(await service.stop()).toBe(0);
  },
);

describe.skipIf(!hasLimits).each(transports)(
  'with as many connections as there may be (skipped where prlimit is missing), over %s',
  (transport) => {
    test('a request that calls another service is answered', async () => {
      const issuer = await Issuer.open();
      const settings = { RELATA_LIMIT_CONNECTIONS_PER_ADDRESS: '1000', RELATA_ALLOW_PRIVATE_URLS: '1' };
      service = await RunningService.start(
        { RELATA_TRANSPORT: transport, RELATA_LOG_LEVEL: 'info', ...settings },
        undefined,
        fewFiles,
      );
      const { port } = service;
      const { key } = await service.organization('acme');
      const most = Number(/"connections":(\d+)/.exec(service.output())?.[1]);
      const ended = new AbortController();
      // room for those of this test, so that none takes the place of another
      siege(port, most - 4, ended.signal);
      await expect.poll(() => openOf(sockets), { timeout: 60_000 }).toBeGreaterThan(most - 8);
      const body = { type: 'oidc', clientId: 'c', clientSecret: 's-1', issuerUrl: issuer.url };
      // it may be among the connections that are closed
      const added = () =>
        service?.call('POST', '/t/acme/api/v1/admin/social-providers', { key, body }).catch(() => undefined);
      let answer: Answer | undefined;
      while (answer === undefined) answer = await added();
      expect(openOf(sockets)).toBeGreaterThan(most - 8);
      ended.abort();
      expect([answer.status, issuer.asked]).toEqual([201, ['/.well-known/openid-configuration']]);
      await issuer.close();
    });
  },
);

describe('over sockets of Node.js', () => {
  const transport = 'socket';

  test('of the connections of one address the newest stay, as many as are its share', async () => {
    // each thread closes connections of its own
    const settings = { RELATA_THREADS: '1', RELATA_LIMIT_CONNECTIONS_PER_ADDRESS: '10' };
    service = await RunningService.start({ RELATA_TRANSPORT: transport, ...settings });
    const { port } = service;
    const opened = silent(port, 40);
    await expect.poll(() => openOf(opened), { timeout: 30_000 }).toBe(10);
    expect(openOf(opened.slice(-10))).toBe(10);
    // another address takes the place of nobody, and a new one of this address that of its oldest
    expect(await ask(port, '/healthz', '127.0.0.2')).toBe(200);
    expect(openOf(opened)).toBe(10);
    expect(await ask(port, '/healthz')).toBe(200);
    await expect.poll(() => openOf(opened), { timeout: 30_000 }).toBe(9);
  });

  test('a trusted proxy is no such address', async () => {
    const proxied = { RELATA_TRANSPORT: transport, RELATA_LIMIT_CONNECTIONS_PER_ADDRESS: '10' };
    service = await RunningService.start({ ...proxied, RELATA_TRUSTED_PROXIES: '127.0.0.0/8' });
    silent(service.port, 40);
    expect(await ask(service.port, '/healthz')).toBe(200);
  });
});

test.skipIf(!hasLimits)('more connections than the limit of open files allows are refused as a setting', async () => {
  const starting = RunningService.start({ RELATA_LIMIT_CONNECTIONS: '5000' }, undefined, fewFiles);
  await expect(starting).rejects.toThrow(/RELATA_LIMIT_CONNECTIONS: 5000 connections need \d+ open files/);
});
