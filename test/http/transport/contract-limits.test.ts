import { once } from 'node:events';
import { Agent, get, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeEachTransport, hasty, until } from './each-transport.ts';
import { echoListener } from './echo-listener.ts';
import { sendRaw, statusesOf } from './raw-client.ts';

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return text;
}

describeEachTransport('streams, bounds and draining', (fixture) => {
  describe('streams', () => {
    test('arrive chunk by chunk and end', async () => {
      const answer = await fetch(`${fixture.base}/stream`);
      expect(await answer.text()).toBe('abüc');
      expect(answer.headers.get('transfer-encoding')).toBe('chunked');
      await until(() => fixture.seen.streamsEnded === 1);
    });

    test('that fail break the body instead of shortening it', async () => {
      const answer = await fetch(`${fixture.base}/broken-stream`);
      await expect(answer.text()).rejects.toThrow();
      expect(fixture.seen.failures).toMatchObject([{ message: 'source failed' }]);
    });

    test('wait for a slow reader', async () => {
      const answer = await new Promise<IncomingMessage>((resolve) => get(`${fixture.base}/flood`, resolve));
      answer.pause();
      await sleep(200);
      const asked = fixture.seen.requests.filter(({ method }) => method === 'chunk').length;
      // 2,000 chunks of 64 KB are 125 MB; what the kernel and both ends buffer is far less
      expect(asked).toBeLessThan(1_000);
      answer.destroy();
      await until(() => fixture.seen.streamsEnded === 1);
    });

    test('learn that the client has gone', async () => {
      const answer = await new Promise<IncomingMessage>((resolve) => get(`${fixture.base}/endless`, resolve));
      await new Promise((resolve) => answer.once('data', resolve));
      answer.destroy();
      await until(() => fixture.seen.streamsEnded === 1);
      expect(fixture.seen.failures).toEqual([]);
    });
  });

  describe('bounds', () => {
    const inChunks = {
      name: 'in chunks',
      given: 'POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n',
    };
    const tooLarge = [
      { name: 'declared', given: 'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world' },
      // uWebSockets.js takes no chunks, whatever their size
      ...(fixture.transport?.kind === 'uws' ? [] : [inChunks]),
      { name: 'far too large', given: 'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 90000000\r\n\r\nhello' },
    ];
    test.each(tooLarge)('a body that is too large, $name, is refused and ends the connection', async ({ given }) => {
      const answer = await sendRaw(fixture.server.port, given, { untilClosed: true });
      expect(statusesOf(answer)).toEqual([413]);
      expect(answer.closed).toBe(true);
      expect(fixture.seen.requests).toEqual([]);
    });

    test('a body of exactly the bound is taken', async () => {
      const answer = await sendRaw(
        fixture.server.port,
        'POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789',
        { answers: 1 },
      );
      expect(statusesOf(answer)).toEqual([200]);
    });

    test('a client that sends on past the bound still reads the refusal', async () => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = httpRequest(`${fixture.base}/small`, { method: 'POST' }, resolve);
        sent.on('error', reject);
        sent.end(Buffer.alloc(700_000, 'x'));
      });
      expect(answer.statusCode).toBe(413);
      expect(await textOf(answer)).toBe('"body_too_large"');
    });

    test('a client that goes before a late answer does no harm', async () => {
      await sendRaw(fixture.server.port, 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi', {
        quietMs: 20,
      });
      await sleep(400);
      expect((await fetch(`${fixture.base}/a`)).status).toBe(200);
    });
  });

  describe('draining', () => {
    test('finishes what is in flight, accepts nothing new, and closes', async () => {
      const pending = fetch(`${fixture.base}/slow`, { method: 'POST', body: 'late' });
      await until(() => fixture.seen.requests.length === 1);
      const drained = fixture.server.drain(5_000);
      const another = () => sendRaw(fixture.server.port, 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n', { quietMs: 20 });
      await expect.poll(async () => (await another()).text).toBe('');
      expect(await (await pending).json()).toMatchObject({ body: 'late' });
      expect(await drained).toBe(0);
    });

    test('comes without a warning about listeners, however many streams listen for it', async () => {
      const warnings: Error[] = [];
      const note = (warning: Error): void => void warnings.push(warning);
      process.on('warning', note);
      try {
        const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${fixture.base}/endless`)));
        expect(await fixture.server.drain(5_000)).toBe(0);
        const texts = await Promise.all(answers.map((answer) => answer.text()));
        expect(new Set(texts)).toEqual(new Set(['startdrained']));
        const ofDraining = warnings.filter(({ message }) => /abort listeners/.test(message));
        expect(ofDraining).toEqual([]);
      } finally {
        process.off('warning', note);
      }
    });

    test('tells streams without an end to end', async () => {
      const answer = await fetch(`${fixture.base}/endless`);
      const text = answer.text();
      text.catch(() => {});
      await sleep(50);
      expect(await fixture.server.drain(5_000)).toBe(0);
      expect(await text).toBe('startdrained');
    });

    test('cuts off what does not finish in time and says how many', async () => {
      const pending = fetch(`${fixture.base}/stuck`);
      pending.catch(() => {});
      await until(() => fixture.seen.requests.length === 1);
      expect(await fixture.server.drain(200)).toBe(1);
      await expect(pending).rejects.toThrow();
    });

    test('waits for a body that is still coming in', async () => {
      const dependencies = ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n', 'h', 'e', 'l', 'l', 'o'];
      const pending = sendRaw(fixture.server.port, dependencies, { answers: 1 });
      await until(() => fixture.seen.heads === 1);
      expect(await fixture.server.drain(5_000)).toBe(0);
      expect(statusesOf(await pending)).toEqual([200]);
    });

    test('answers what comes over connections that were open before, and ends them with the answer', async () => {
      const opened = async (): Promise<Socket> => {
        const socket = connect(fixture.server.port, '127.0.0.1');
        socket.setEncoding('latin1').setNoDelay(true);
        await once(socket, 'connect');
        return socket;
      };
      const request = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n';
      const [fresh, kept] = await Promise.all([opened(), opened()]);
      kept.write(request);
      await once(kept, 'data');
      const texts = [fresh, kept].map(async (socket) => {
        let text = '';
        socket.on('data', (chunk: string) => {
          text += chunk;
        });
        await once(socket, 'close');
        return text;
      });
      const drained = fixture.server.drain(5_000);
      for (const socket of [fresh, kept]) socket.write(request);
      for (const text of await Promise.all(texts)) {
        expect(text).toMatch(/^HTTP\/1\.1 200 /);
        expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
      }
      expect(await drained).toBe(0);
    });

    test('counts a head that did not come to its end as cut off', async () => {
      const socket = connect(fixture.server.port, '127.0.0.1');
      const closed = once(socket, 'close').catch(() => {});
      await once(socket, 'connect');
      socket.on('error', () => {}).write('GET /a HTTP/1.1\r\nHo');
      // uWebSockets.js does not tell of a head before it is complete
      expect(await fixture.server.drain(200)).toBe(fixture.transport.kind === 'uws' ? 0 : 1);
      await closed;
    });

    test('ends idle connections', async () => {
      const agent = new Agent({ keepAlive: true });
      const answer = await new Promise<IncomingMessage>((resolve) => get(`${fixture.base}/a`, { agent }, resolve));
      await textOf(answer);
      expect(await fixture.server.drain(1_000)).toBe(0);
      await expect(
        new Promise((_, reject) => get(`${fixture.base}/a`, { agent }).on('error', reject)),
      ).rejects.toThrow();
      agent.destroy();
    });
  });

  test('an address that cannot be bound is an error', async () => {
    const elsewhere = { host: '203.0.113.1', port: 0 };
    await expect(fixture.transport.listen(elsewhere, echoListener().listener)).rejects.toThrow();
  });
});

describeEachTransport(
  'slow bodies',
  (fixture) => {
    const slow = [
      { name: 'stops', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe'] },
      { name: 'never begins', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n'] },
      { name: 'drips', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n', ...'x'.repeat(60)] },
    ];
    test.each(slow)('a body that $name is refused in time', async ({ given }) => {
      const answer = await sendRaw(fixture.server.port, given, { untilClosed: true });
      expect(statusesOf(answer)).toEqual([408]);
      expect(answer.closed).toBe(true);
      expect(fixture.seen.requests).toEqual([]);
    });

    test('a client that goes in the middle of its body leaves nothing behind', async () => {
      await sendRaw(fixture.server.port, 'POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe', { quietMs: 20 });
      await sleep(600);
      expect(fixture.seen.requests).toEqual([]);
      expect((await fetch(`${fixture.base}/a`)).status).toBe(200);
      expect(await fixture.server.drain(1_000)).toBe(0);
    });
  },
  hasty,
);
