import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { OutboundClient, OutboundGuard } from '../../src/platform/index.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A receiver, and how many connections it has had. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createHttpServer(answer);
  const seen = { connections: 0 };
  server.on('connection', () => {
    seen.connections += 1;
  });
  return { url: await open(server), seen, server };
}

/** A host that answers each request with bytes, whatever they are. */
function raw(bytes: string, isEnd = false): Promise<string> {
  return open(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (isEnd ? socket.end(bytes) : socket.write(bytes)));
    }),
  );
}

function client(limits: ConstructorParameters<typeof OutboundClient>[1] = {}): OutboundClient {
  const made = new OutboundClient(new OutboundGuard(true), limits);
  ends.push(() => made.close());
  return made;
}

const limits = { timeoutMs: 5000, bodyMax: 1000 };
const post = { ...limits, method: 'POST', body: '{}' } as const;

describe('a connection', () => {
  test('is kept, and used again', async () => {
    const { url, seen } = await receiver((_, response) => response.end('ok'));
    const kept = client();
    for (let i = 0; i < 20; i++) expect(await kept.request({ url, ...post })).toMatchObject({ status: 200 });
    expect(seen.connections).toBe(1);
  });

  test('is closed when nobody used it for some time', async () => {
    const { url, server } = await receiver((_, response) => response.end('ok'));
    await client({ idleMs: 50 }).request({ url, ...post });
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, n) => resolve(n)))).toBe(0);
  });

  test('is one of so many to a host; other requests wait', async () => {
    let open = 0;
    let most = 0;
    const { url, seen } = await receiver((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('ok');
      }, 5);
    });
    const bounded = client({ perHost: 3 });
    await Promise.all(Array.from({ length: 30 }, () => bounded.request({ url, ...post })));
    expect(most).toBe(3);
    expect(seen.connections).toBe(3);
  });

  test('to a host that hangs takes none from the others', async () => {
    const hanging = await receiver(() => undefined);
    const { url } = await receiver((_, response) => response.end('ok'));
    const bounded = client({ perHost: 2, total: 3 });
    const lost = Array.from({ length: 5 }, () =>
      bounded.request({ url: hanging.url, ...post, timeoutMs: 400 }).catch(({ code }) => code),
    );
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 20 }, () => bounded.request({ url, ...post })));
    expect(performance.now() - startedAt).toBeLessThan(400);
    expect(await Promise.all(lost)).toEqual(Array(5).fill('timeout'));
  });

  test('that too many wait for is refused', async () => {
    const { url } = await receiver(() => undefined);
    const bounded = client({ perHost: 1, waiting: 1 });
    const codes = await Promise.all(
      [1, 2, 3].map(() => bounded.request({ url, ...post, timeoutMs: 50 }).catch(({ code }) => code)),
    );
    expect(codes.sort()).toEqual(['busy', 'timeout', 'timeout']);
  });

  test('that its host closed is replaced once: the request arrives', async () => {
    let connections = 0;
    const url = await open(
      createServer((socket) => {
        connections += 1;
        const isFirst = connections === 1;
        let requests = 0;
        socket.on('error', () => undefined);
        socket.on('data', () => {
          requests += 1;
          if (isFirst && requests > 1) socket.destroy();
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        });
      }),
    );
    const kept = client();
    await kept.request({ url, ...post });
    expect(await kept.request({ url, ...post })).toMatchObject({ status: 200 });
    expect(connections).toBe(2);
  });

  test('that a host closes at once each time is no success, and no endless loop', async () => {
    let connections = 0;
    const url = await open(
      createServer((socket) => {
        connections += 1;
        socket.on('error', () => undefined);
        socket.on('data', () => socket.destroy());
      }),
    );
    await expect(client().request({ url, ...post })).rejects.toMatchObject({ code: 'failed' });
    expect(connections).toBe(1);
  });
});

describe('an answer', () => {
  test('says its status, type and when to come again', async () => {
    const { url } = await receiver((_, response) => {
      response.writeHead(429, { 'retry-after': '120', 'content-type': 'text/plain' }).end('slowly');
    });
    const answer = await client().request({ url, ...post });
    expect(answer).toEqual({
      status: 429,
      retryAfter: '120',
      contentType: 'text/plain',
      cacheControl: '',
      age: '',
      body: Buffer.from('slowly'),
      isCut: false,
    });
  });

  test.each([
    [999, 999, false],
    [1000, 1000, false],
    [1001, 1000, true],
    [10 * 2 ** 20, 1000, true],
  ])('of %d bytes has %d of them where it is cut', async (size, kept, isCut) => {
    const { url } = await receiver((_, response) => response.end(Buffer.alloc(size, 'x')));
    const answer = await client().request({ url, ...post, longBody: 'cut' });
    expect(answer).toMatchObject({ status: 200, isCut });
    expect(answer.body.length).toBe(kept);
    const whole = client().request({ url, ...post });
    if (isCut) await expect(whole).rejects.toMatchObject({ code: 'too_large' });
    else expect((await whole).body.length).toBe(size);
  });

  test('without an end is cut, and its connection closed', async () => {
    const { url, server } = await receiver((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
    });
    expect(await client().request({ url, ...post, longBody: 'cut' })).toMatchObject({ isCut: true });
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, n) => resolve(n)))).toBe(0);
  });

  test.each([
    ['endless headers', `HTTP/1.1 200 OK\r\n${'x-a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000)}`, 'too_large'],
    ['one long header', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(20_000)}`, 'too_large'],
    ['a long status line', `HTTP/1.1 200 ${'a'.repeat(20_000)}`, 'too_large'],
    ['many answers before the one', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(20), 'too_large'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'failed'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'failed'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'failed'],
    ['nothing', '', 'timeout'],
    ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', 'timeout'],
  ])('with %s is none', async (_, bytes, code) => {
    const request = client().request({ url: await raw(bytes), ...post, timeoutMs: 500 });
    await expect(request).rejects.toMatchObject({ name: 'OutboundError', code });
  });

  test('that breaks off is none', async () => {
    const url = await raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', true);
    await expect(client().request({ url, ...post })).rejects.toMatchObject({ code: 'failed' });
  });

  test('that comes a byte at a time is late all the same', async () => {
    const { url } = await receiver((_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const startedAt = performance.now();
    await expect(client().request({ url, ...post, timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' });
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});

test('a header that is none is an error of the request', async () => {
  const { url } = await receiver((_, response) => response.end());
  const request = client().request({ url, ...post, headers: { 'x-a': 'a\nb' } });
  await expect(request).rejects.toMatchObject({ name: 'OutboundError', code: 'failed' });
});

test('a host that nobody vouches for gets no request', async () => {
  const { fixture, requests, url } = await securedReceiver();
  await expect(client().request({ url, ...post, identity: fixture })).rejects.toMatchObject({ code: 'failed' });
  expect(requests).toEqual([]);
});

test('a client shows its certificate', async () => {
  const { fixture, requests, url } = await securedReceiver();
  const child = fileURLToPath(new URL('outbound-child.mjs', import.meta.url));
  const run = async (...args: string[]) => {
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: fixtureFile('certificate') };
    return (await promisify(execFile)(process.execPath, [child, url, ...args], { env })).stdout.trim();
  };
  expect(await run(fixtureFile('certificate'), fixtureFile('key'))).toBe('200 200');
  expect(await run()).toBe('200 200');
  const { fingerprint256 } = new X509Certificate(fixture.certificate);
  expect(requests).toEqual([fingerprint256, fingerprint256, 'none', 'none']);
});

const fixtureFile = (name: string): string =>
  fileURLToPath(new URL(`../identity/providers/fixtures/localhost-${name}.pem`, import.meta.url));

/** A receiver over https that notes which certificate each request came with. */
async function securedReceiver() {
  const fixture = {
    certificate: readFileSync(fixtureFile('certificate'), 'utf8'),
    key: readFileSync(fixtureFile('key'), 'utf8'),
  };
  const requests: string[] = [];
  const options = { cert: fixture.certificate, key: fixture.key, requestCert: true, rejectUnauthorized: false };
  const server = createHttpsServer(options, ({ socket }, response) => {
    requests.push((socket as TLSSocket).getPeerX509Certificate()?.fingerprint256 ?? 'none');
    response.end('ok');
  });
  const url = (await open(server)).replace('http://127.0.0.1', 'https://localhost');
  return { fixture, requests, url };
}
