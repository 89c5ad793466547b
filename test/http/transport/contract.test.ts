import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { describeEachTransport } from './each-transport.ts';
import { bodyOf, headersOf, sendRaw, statusesOf } from './raw-client.ts';

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return text;
}

describeEachTransport('the transport contract', (fixture) => {
  describe('requests', () => {
    test('arrive with method, path and query as sent, headers and the peer', async () => {
      const answer = await fetch(`${fixture.base}/a%20b/c?x=%31&y`, { headers: { 'X-Echo': 'hello' } });
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
      expect(headersOf(await sendRaw(fixture.server.port, raw, { answers: 1 })).get('x-echo')).toBe('one, two');
    });

    const bodies = [
      { name: 'in one segment', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello'] },
      { name: 'in pieces', given: ['POST /p HTTP/1.1\r\nHost: x\r\nContent-Le', 'ngth: 5\r\n\r', '\nhe', 'l', 'lo'] },
    ];
    test.each(bodies)('have their whole body when it came $name', async ({ given }) => {
      const answer = await sendRaw(fixture.server.port, given, { answers: 1 });
      expect(statusesOf(answer)).toEqual([200]);
      expect(fixture.seen.requests).toMatchObject([{ method: 'POST', body: 'hello' }]);
    });

    const chunkedHead = 'POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const inChunks = [
      { name: 'in one segment', given: [`${chunkedHead}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`] },
      { name: 'in pieces', given: [`${chunkedHead}2\r\nh`, 'e\r\n3\r', '\nllo\r\n0\r\n', '\r\n'] },
    ];
    test.for(inChunks)(
      'have their whole body when it came in chunks, $name, and are the last of their connection',
      async ({ given }, { skip }) => {
        skip(fixture.transport?.kind === 'uws', 'uWebSockets.js reads the extension of a chunk as a part of its size');
        const answer = await sendRaw(fixture.server.port, [...given, 'GET /next HTTP/1.1\r\nHost: x\r\n\r\n'], {
          untilClosed: true,
        });
        expect([statusesOf(answer), headersOf(answer).get('connection')]).toEqual([[200], 'close']);
        expect(fixture.seen.requests).toMatchObject([{ method: 'POST', body: 'hello' }]);
      },
    );
    test.for([...inChunks, { name: 'without an end', given: [chunkedHead] }])(
      'whose body comes in chunks, $name, are refused, and are the last of their connection',
      async ({ given }, { skip }) => {
        skip(fixture.transport?.kind !== 'uws', 'the others decode chunks strictly');
        const answer = await sendRaw(fixture.server.port, given, { untilClosed: true });
        expect([statusesOf(answer), headersOf(answer).get('connection')]).toEqual([[411], 'close']);
        expect(fixture.seen.requests).toEqual([]);
      },
    );

    test('have a large body', async () => {
      const body = 'z'.repeat(99_000);
      const answer = await fetch(`${fixture.base}/p`, { method: 'POST', body });
      expect(((await answer.json()) as { body: string }).body).toBe(body);
    });

    test('keep their own headers and body while many run at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const path = index % 3 === 0 ? '/async' : '/p';
          const answer = await fetch(`${fixture.base}${path}`, {
            method: 'POST',
            body: `body ${index}`,
            headers: { 'x-echo': `echo ${index}` },
          });
          return [answer.headers.get('x-echo'), ((await answer.json()) as { body: string }).body];
        }),
      );
      expect(answers).toEqual(answers.map((_, index) => [`echo ${index}`, `body ${index}`]));
    });

    test('keep them after others were answered late, had a body in pieces or lost their client', async () => {
      const post = (path: string, more: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}`;
      for (let round = 0; round < 4; round++) {
        const late = Array.from({ length: 8 }, async (_, index) => {
          const text = `${round}.${index}`;
          const answer = await sendRaw(
            fixture.server.port,
            post('/async', `X-Echo: ${text}\r\nContent-Length: 3\r\n\r\n${text}`),
            { answers: 1 },
          );
          expect([headersOf(answer).get('x-echo'), JSON.parse(bodyOf(answer)).body]).toEqual([text, text]);
        });
        const inPieces = sendRaw(fixture.server.port, [post('/async', 'Content-Length: 2\r\n\r\na'), 'b'], {
          answers: 1,
        });
        const lost = connect(fixture.server.port, '127.0.0.1', () =>
          lost.write(post('/async', 'Content-Length: 0\r\n\r\n')),
        );
        setTimeout(() => lost.destroy(), 5);
        await Promise.all(late);
        expect(JSON.parse(bodyOf(await inPieces)).body).toBe('ab');
      }
    });
  });

  describe('connections', () => {
    test('are kept alive', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set<number | undefined>();
      for (let i = 0; i < 5; i++) {
        const [answer, port] = await new Promise<[IncomingMessage, number | undefined]>((resolve, reject) => {
          const sent = get(`${fixture.base}/a`, { agent }, (message) => resolve([message, sent.socket?.localPort]));
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
      const answer = await sendRaw(fixture.server.port, one('/1') + post + one('/3'), { answers: 3 });
      expect(statusesOf(answer)).toEqual([200, 200, 200]);
      const paths = [...answer.text.matchAll(/"path":"(.*?)".*?"body":"(.*?)"/g)];
      expect(paths.map(([, path, body]) => `${path}${body}`)).toEqual(['/1', '/2hi', '/3']);
    });

    const last = [
      { name: 'a wish to close', given: 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' },
      { name: 'a wish among others', given: 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: x-a, Close\r\nX-A: 1\r\n\r\n' },
      { name: 'an answer that closes', given: 'GET /closing HTTP/1.1\r\nHost: x\r\n\r\n' },
    ];
    test.each(last)('take no request behind $name, and end', async ({ given }) => {
      const answer = await sendRaw(fixture.server.port, `${given}POST /behind HTTP/1.1\r\nHost: x\r\n\r\n`, {
        untilClosed: true,
      });
      expect(answer.closed).toBe(true);
      expect(fixture.seen.requests.map(({ path }) => path)).not.toContain('/behind');
    });

    test('end where the client or the answer asks for it', async () => {
      const byClient = await sendRaw(fixture.server.port, 'GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', {
        untilClosed: true,
      });
      const byAnswer = await sendRaw(fixture.server.port, 'GET /closing HTTP/1.1\r\nHost: x\r\n\r\n', {
        untilClosed: true,
      });
      expect([byClient.closed, byAnswer.closed]).toEqual([true, true]);
      expect(headersOf(byAnswer).get('connection')).toBe('close');
    });
  });

  describe('answers', () => {
    test('may come later', async () => {
      const answer = await fetch(`${fixture.base}/async`, { method: 'POST', body: 'x' });
      expect(await answer.json()).toMatchObject({ body: 'x' });
    });

    test.each(['/large', '/large-text'])('of %s arrive whole, also to a slow reader', async (path) => {
      const answer = await new Promise<IncomingMessage>((resolve) => get(`${fixture.base}${path}`, resolve));
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
        fixture.server.port,
        'HEAD /large HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n',
        { answers: 2 },
      );
      expect(headersOf(answer).get('content-length')).toBe('3000000');
      expect(bodyOf(answer)).toMatch(/^HTTP\/1\.1 200 /);
      expect(statusesOf(answer)).toEqual([200, 200]);
    });

    test('to HEAD of a stream have no body', async () => {
      const answer = await sendRaw(fixture.server.port, 'HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n', { answers: 1 });
      expect(bodyOf(answer)).toBe('');
      expect(fixture.seen.streamsEnded).toBe(0);
    });

    test('of 204 have neither body nor length', async () => {
      const answer = await sendRaw(fixture.server.port, 'GET /empty HTTP/1.1\r\nHost: x\r\n\r\n', { answers: 1 });
      expect(statusesOf(answer)).toEqual([204]);
      expect(headersOf(answer).has('content-length')).toBe(false);
      expect(bodyOf(answer)).toBe('');
    });

    test('do not name the server', async () => {
      const answer = await fetch(`${fixture.base}/a`);
      expect([...answer.headers.keys()].filter((key) => /server|powered|uwebsockets/i.test(key))).toEqual([]);
    });
  });
});
