import { Agent, get, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeTransport } from '../../../src/http/transport/node/node-transport.ts';
import type { Listening, Transport, TransportLimits } from '../../../src/http/transport/transport.ts';
import { uwsTransport } from '../../../src/http/transport/uws/uws-transport.ts';
import { echoListener, type Seen } from './echo-listener.ts';
import { bodyOf, headersOf, sendRaw, statusesOf } from './raw-client.ts';

const limits: TransportLimits = {
  headersTimeoutMs: 1_000,
  bodyTimeoutMs: 400,
  idleTimeoutMs: 5_000,
  headerBytes: 16_384,
};

const implementations: { name: string; open: () => Transport | undefined }[] = [
  { name: 'uws', open: () => uwsTransport(limits) },
  { name: 'node', open: () => nodeTransport(limits) },
];

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !condition(); i++) await sleep(10);
  expect(condition()).toBe(true);
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return text;
}

for (const { name, open } of implementations) {
  const transport = open();
  // uWebSockets.js has binaries for some versions of Node.js only; where it has none, the service runs on node:http
  describe.skipIf(transport === undefined)(`the transport contract on ${name}`, () => {
    let server: Listening;
    let seen: Seen;
    let base: string;

    beforeEach(async () => {
      const echo = echoListener();
      seen = echo.seen;
      server = await (transport as Transport).listen({ host: '127.0.0.1', port: 0 }, echo.listener);
      base = `http://127.0.0.1:${server.port}`;
    });
    afterEach(() => server.close());

    describe('requests', () => {
      test('arrive with method, path and query as sent, headers and the peer', async () => {
        const answer = await fetch(`${base}/a%20b/c?x=%31&y`, { headers: { 'X-Echo': 'hello' } });
        expect(await answer.json()).toEqual({
          method: 'GET',
          path: '/a%20b/c',
          query: 'x=%31&y',
          body: '',
          peer: '127.0.0.1',
        });
        expect(answer.headers.get('x-echo')).toBe('hello');
        expect(answer.headers.get('x-request-id')).toBe('id-0');
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      });

      test('carry repeated headers joined', async () => {
        const raw = 'GET /a HTTP/1.1\r\nHost: x\r\nX-Echo: one\r\nX-Echo: two\r\n\r\n';
        expect(headersOf(await sendRaw(server.port, raw)).get('x-echo')).toBe('one, two');
      });

      const bodies = [
        { name: 'in one segment', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello'] },
        { name: 'in pieces', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Le', 'ngth: 5\r\n\r', '\nhe', 'l', 'lo'] },
        {
          name: 'in chunks',
          given: ['POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'],
        },
        {
          name: 'in chunks and pieces',
          given: [
            'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nh',
            'e\r\n3\r',
            '\nllo\r\n0\r\n',
            '\r\n',
          ],
        },
      ];
      test.each(bodies)('have their whole body when it came $name', async ({ given }) => {
        const answer = await sendRaw(server.port, given);
        expect(statusesOf(answer)).toEqual([200]);
        expect(seen.requests).toMatchObject([{ method: 'POST', body: 'hello' }]);
      });

      test('have a large body', async () => {
        const body = 'z'.repeat(99_000);
        const answer = await fetch(`${base}/p`, { method: 'POST', body });
        expect(((await answer.json()) as { body: string }).body).toBe(body);
      });

      test('keep their own headers and body while many run at once', async () => {
        const answers = await Promise.all(
          Array.from({ length: 60 }, async (_, index) => {
            const path = index % 3 === 0 ? '/async' : '/p';
            const answer = await fetch(`${base}${path}`, {
              method: 'POST',
              body: `body ${index}`,
              headers: { 'x-echo': `echo ${index}` },
            });
            return [answer.headers.get('x-echo'), ((await answer.json()) as { body: string }).body];
          }),
        );
        expect(answers).toEqual(answers.map((_, index) => [`echo ${index}`, `body ${index}`]));
      });
    });

    describe('connections', () => {
      test('are kept alive', async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const ports = new Set<number | undefined>();
        for (let i = 0; i < 5; i++) {
          const [answer, port] = await new Promise<[IncomingMessage, number | undefined]>((resolve, reject) => {
            const sent = get(`${base}/a`, { agent }, (message) => resolve([message, sent.socket?.localPort]));
            sent.on('error', reject);
          });
          await textOf(answer);
          ports.add(port);
        }
        agent.destroy();
        expect(ports.size).toBe(1);
      });

      test('answer pipelined requests in order', async () => {
        const one = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
        const post = 'POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi';
        const answer = await sendRaw(server.port, one('/1') + post + one('/3'));
        expect(statusesOf(answer)).toEqual([200, 200, 200]);
        const paths = [...answer.text.matchAll(/"path":"(.*?)".*?"body":"(.*?)"/g)];
        expect(paths.map(([, path, body]) => `${path}${body}`)).toEqual(['/1', '/2hi', '/3']);
      });

      test('end where the client or the answer asks for it', async () => {
        const byClient = await sendRaw(server.port, 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        const byAnswer = await sendRaw(server.port, 'GET /closing HTTP/1.1\r\nHost: x\r\n\r\n');
        expect([byClient.closed, byAnswer.closed]).toEqual([true, true]);
        expect(headersOf(byAnswer).get('connection')).toBe('close');
      });
    });

    describe('answers', () => {
      test('may come later', async () => {
        const answer = await fetch(`${base}/async`, { method: 'POST', body: 'x' });
        expect(await answer.json()).toMatchObject({ body: 'x' });
      });

      test.each(['/large', '/large-text'])('of %s arrive whole, also to a slow reader', async (path) => {
        const answer = await new Promise<IncomingMessage>((resolve) => get(`${base}${path}`, resolve));
        let size = 0;
        for await (const chunk of answer) {
          size += (chunk as Buffer).length;
          if (size < 500_000) await sleep(10);
        }
        expect(size).toBe(Number(answer.headers['content-length']));
        expect(size).toBe(path === '/large' ? 3_000_000 : 1_000_000);
      });

      test('to HEAD have the length and no body', async () => {
        const answer = await sendRaw(
          server.port,
          'HEAD /large HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n',
        );
        expect(headersOf(answer).get('content-length')).toBe('3000000');
        expect(bodyOf(answer)).toMatch(/^HTTP\/1\.1 200 /);
        expect(statusesOf(answer)).toEqual([200, 200]);
      });

      test('to HEAD of a stream have no body', async () => {
        const answer = await sendRaw(server.port, 'HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n');
        expect(bodyOf(answer)).toBe('');
        expect(seen.streamsEnded).toBe(0);
      });

      test('of 204 have neither body nor length', async () => {
        const answer = await sendRaw(server.port, 'GET /empty HTTP/1.1\r\nHost: x\r\n\r\n');
        expect(statusesOf(answer)).toEqual([204]);
        expect(headersOf(answer).has('content-length')).toBe(false);
        expect(bodyOf(answer)).toBe('');
      });

      test('do not name the server', async () => {
        const answer = await fetch(`${base}/a`);
        expect([...answer.headers.keys()].filter((key) => /server|powered|uwebsockets/i.test(key))).toEqual([]);
      });
    });

    describe('streams', () => {
      test('arrive chunk by chunk and end', async () => {
        const answer = await fetch(`${base}/stream`);
        expect(await answer.text()).toBe('abüc');
        expect(answer.headers.get('transfer-encoding')).toBe('chunked');
        await until(() => seen.streamsEnded === 1);
      });

      test('that fail break the body instead of shortening it', async () => {
        const answer = await fetch(`${base}/broken-stream`);
        await expect(answer.text()).rejects.toThrow();
        expect(seen.failures).toMatchObject([{ message: 'source failed' }]);
      });

      test('wait for a slow reader', async () => {
        const answer = await new Promise<IncomingMessage>((resolve) => get(`${base}/flood`, resolve));
        answer.pause();
        await sleep(200);
        const asked = seen.requests.filter(({ method }) => method === 'chunk').length;
        // 2,000 chunks of 64 KB are 125 MB; what the kernel and both ends buffer is far less
        expect(asked).toBeLessThan(1_000);
        answer.destroy();
        await until(() => seen.streamsEnded === 1);
      });

      test('learn that the client has gone', async () => {
        const answer = await new Promise<IncomingMessage>((resolve) => get(`${base}/endless`, resolve));
        await new Promise((resolve) => answer.once('data', resolve));
        answer.destroy();
        await until(() => seen.streamsEnded === 1);
        expect(seen.failures).toEqual([]);
      });
    });

    describe('bounds', () => {
      const tooLarge = [
        { name: 'declared', given: 'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world' },
        {
          name: 'in chunks',
          given: 'POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n',
        },
        { name: 'far too large', given: 'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 90000000\r\n\r\nhello' },
      ];
      test.each(tooLarge)('a body that is too large, $name, is refused and ends the connection', async ({ given }) => {
        const answer = await sendRaw(server.port, given);
        expect(statusesOf(answer)).toEqual([413]);
        expect(answer.closed).toBe(true);
        expect(seen.requests).toEqual([]);
      });

      test('a body of exactly the bound is taken', async () => {
        const answer = await sendRaw(
          server.port,
          'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789',
        );
        expect(statusesOf(answer)).toEqual([200]);
      });

      test('a client that sends on past the bound still reads the refusal', async () => {
        const answer = await new Promise<IncomingMessage>((resolve, reject) => {
          const sent = httpRequest(`${base}/small`, { method: 'POST' }, resolve);
          sent.on('error', reject);
          sent.end(Buffer.alloc(700_000, 'x'));
        });
        expect(answer.statusCode).toBe(413);
        expect(await textOf(answer)).toBe('"body_too_large"');
      });

      const slow = [
        { name: 'stops', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe'] },
        { name: 'never begins', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n'] },
        { name: 'drips', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n', ...'x'.repeat(60)] },
      ];
      test.each(slow)('a body that $name is refused in time', async ({ given }) => {
        const answer = await sendRaw(server.port, given, 2_000);
        expect(statusesOf(answer)).toEqual([408]);
        expect(answer.closed).toBe(true);
        expect(seen.requests).toEqual([]);
      });

      test('a client that goes in the middle of its body leaves nothing behind', async () => {
        await sendRaw(server.port, 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe', 20);
        await sleep(600);
        expect(seen.requests).toEqual([]);
        expect((await fetch(`${base}/a`)).status).toBe(200);
        expect(await server.drain(1_000)).toBe(0);
      });

      test('a client that goes before a late answer does no harm', async () => {
        await sendRaw(server.port, 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi', 20);
        await sleep(400);
        expect((await fetch(`${base}/a`)).status).toBe(200);
      });
    });

    describe('draining', () => {
      test('finishes what is in flight, accepts nothing new, and closes', async () => {
        const pending = fetch(`${base}/slow`, { method: 'POST', body: 'late' });
        await until(() => seen.requests.length === 1);
        const drained = server.drain(5_000);
        await expect(sendRaw(server.port, 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n')).resolves.toMatchObject({ text: '' });
        expect(await (await pending).json()).toMatchObject({ body: 'late' });
        expect(await drained).toBe(0);
      });

      test('tells streams without an end to end', async () => {
        const answer = await fetch(`${base}/endless`);
        const text = answer.text();
        text.catch(() => {});
        await sleep(50);
        expect(await server.drain(5_000)).toBe(0);
        expect(await text).toBe('startdrained');
      });

      test('cuts off what does not finish in time and says how many', async () => {
        const pending = fetch(`${base}/stuck`);
        pending.catch(() => {});
        await until(() => seen.requests.length === 1);
        expect(await server.drain(200)).toBe(1);
        await expect(pending).rejects.toThrow();
      });

      test('waits for a body that is still coming in', async () => {
        const parts = ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n', 'h', 'e', 'l', 'l', 'o'];
        const pending = sendRaw(server.port, parts);
        await sleep(40);
        expect(await server.drain(5_000)).toBe(0);
        expect(statusesOf(await pending)).toEqual([200]);
      });

      test('ends idle connections', async () => {
        const agent = new Agent({ keepAlive: true });
        const answer = await new Promise<IncomingMessage>((resolve) => get(`${base}/a`, { agent }, resolve));
        await textOf(answer);
        expect(await server.drain(1_000)).toBe(0);
        await expect(new Promise((_, reject) => get(`${base}/a`, { agent }).on('error', reject))).rejects.toThrow();
        agent.destroy();
      });
    });

    test('an address that cannot be bound is an error', async () => {
      const elsewhere = { host: '203.0.113.1', port: 0 };
      await expect((transport as Transport).listen(elsewhere, echoListener().listener)).rejects.toThrow();
    });
  });
}
