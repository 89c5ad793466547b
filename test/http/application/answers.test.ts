import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Library, type Sent, serveLibrary } from './serve-library.ts';

const books = '/libraries/city/books';

for (const choice of ['auto', 'socket'] as const) {
  describe(`an application on the transport ${choice}`, () => {
    let library: Library;
    beforeAll(async () => {
      library = await serveLibrary(choice);
    });
    afterAll(() => library.server.close());

    const answers: {
      name: string;
      given: Sent;
      expect: { status: number; body?: unknown; headers?: Record<string, string> };
    }[] = [
      {
        name: 'a list',
        given: { path: books, key: 'bob' },
        expect: { status: 200, body: { books: [{ id: '1', title: 'city', shelf: 'none' }], limit: 2 } },
      },
      {
        name: 'a list with a query',
        given: { path: `${books}?limit=5&shelf=a%20b`, key: 'bob' },
        expect: { status: 200, body: { books: [{ id: '1', title: 'city', shelf: 'a b' }], limit: 5 } },
      },
      {
        name: 'a body that the fast path takes',
        given: { method: 'POST', path: books, key: 'anne', body: '{"title":"Emma"}' },
        expect: {
          status: 201,
          body: { id: '2', title: 'Emma', shelf: 'anne' },
          headers: { location: '/libraries/city/books/2' },
        },
      },
      {
        name: 'a body that the schema takes',
        given: { method: 'POST', path: books, key: 'anne', body: '{"title":"Emma","pages":400}' },
        expect: { status: 201 },
      },
      {
        name: 'a guard that takes its time, the body kept',
        given: { method: 'POST', path: books, key: 'late', body: '{"title":"Emma"}' },
        expect: { status: 201, body: { id: '2', title: 'Emma', shelf: 'late' } },
      },
      {
        name: 'a decoded parameter',
        given: { path: '/libraries/a%20b/books', key: 'bob' },
        expect: { status: 200, body: { books: [{ id: '1', title: 'a b', shelf: 'none' }], limit: 2 } },
      },
      { name: 'nothing', given: { method: 'DELETE', path: `${books}/7`, key: 'anne' }, expect: { status: 204 } },
      {
        name: 'a form',
        given: {
          method: 'POST',
          path: '/token',
          body: 'grant=a+b',
          headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.7' },
        },
        expect: {
          status: 200,
          body: { grant: 'a b', client: '203.0.113.7' },
          headers: { 'access-control-allow-origin': '*' },
        },
      },
      {
        name: 'bytes, kept past the turn',
        given: {
          method: 'PUT',
          path: '/raw',
          key: 'bob',
          body: Buffer.from([9, 8]),
          headers: { 'content-type': 'application/octet-stream' },
        },
        expect: { status: 200, body: { size: 2, first: 9 } },
      },
      {
        name: 'a missing body that may be missing',
        given: { method: 'POST', path: '/touch', key: 'bob' },
        expect: {
          status: 200,
          body: { force: false },
          headers: { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' },
        },
      },
      {
        name: 'a redirect',
        given: { path: '/page', headers: { 'x-go': '/elsewhere' } },
        expect: { status: 302, headers: { location: '/elsewhere' } },
      },
      {
        name: 'bytes of a type',
        given: { path: '/file' },
        expect: { status: 200, headers: { 'content-type': 'image/png', 'content-length': '3' } },
      },
      {
        name: 'the methods of a path',
        given: { method: 'OPTIONS', path: books },
        expect: { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } },
      },
      {
        name: 'a preflight of a protocol endpoint',
        given: { method: 'OPTIONS', path: '/token' },
        expect: {
          status: 204,
          headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST, OPTIONS' },
        },
      },
    ];
    test.each(answers)('answers $name', async ({ given, expect: expected }) => {
      const answer = await library.send(given);
      const text = await answer.text();
      expect([answer.status, text]).toEqual([expected.status, expect.anything()]);
      if (expected.body !== undefined) expect(JSON.parse(text)).toEqual(expected.body);
      for (const [name, value] of Object.entries(expected.headers ?? {})) expect(answer.headers.get(name)).toBe(value);
    });

    test('carries the headers of safety on every answer', async () => {
      const requests: Sent[] = [
        { path: books, key: 'bob' },
        { path: '/nothing' },
        { path: '/page' },
        { path: '/docs' },
        { path: '/healthz' },
        { method: 'OPTIONS', path: books },
      ];
      for (const request of requests) {
        const { headers } = await library.send(request);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-/);
        expect(headers.has('access-control-allow-origin')).toBe(false);
        const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
        // a page's own forms tell the service where they come from; no other site learns of it
        expect(headers.get('referrer-policy')).toBe(isPage ? 'same-origin' : 'no-referrer');
        expect(headers.get('content-security-policy')?.includes("default-src 'none'") ?? false).toBe(isPage);
      }
    });

    test('logs a failure with its reason, and answers without it', async () => {
      const answer = await library.send({ path: '/faults/throws' });
      expect(await answer.text()).not.toMatch(/hunter2|line 7|at /);
      const failure = library.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a request failed');
      expect(failure).toMatchObject({
        level: 'error',
        request_id: answer.headers.get('x-request-id'),
        path: '/faults/throws',
      });
      expect(failure.error.message).toContain('line 7');
    });

    test('answers HEAD as GET without the body', async () => {
      const answer = await library.send({ method: 'HEAD', path: books, key: 'bob' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(50);
    });

    test('streams events, and comments while there are none', async () => {
      const stop = new AbortController();
      const answer = await fetch(`http://127.0.0.1:${library.server.port}/events`, { signal: stop.signal });
      expect(answer.headers.get('content-type')).toBe('text/event-stream');
      const decoder = new TextDecoder();
      let text = '';
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk, { stream: true });
        if (text.endsWith(': \n\n')) break;
      }
      stop.abort();
      expect(text).toBe(': open\n\nid: 1\nevent: change\ndata: {"text":"a\\nb"}\n\ndata: 2\n\n: \n\n');
    });

    test('counts requests by route and never by path', async () => {
      await library.send({ path: '/secret/path/of/a/client' });
      await library.send({ path: '/healthz' });
      await library.send({ path: books, key: 'bob' });
      const text = await (await library.send({ path: '/metrics' })).text();
      expect(text).toMatch(
        /relata_http_requests_total\{method="GET",route="\/libraries\/\{library\}\/books",status="2xx"\} [1-9]/,
      );
      expect(text).toMatch(/relata_http_requests_total\{method="ANY",route="unmatched",status="4xx"\} [1-9]/);
      expect(text).toMatch(/relata_http_request_duration_seconds_count\{method="GET",route="\/healthz"\} \d/);
      expect(text).not.toContain('/secret');
    });

    test('says whether it is alive and ready', async () => {
      expect(await (await library.send({ path: '/healthz' })).json()).toEqual({ status: 'ok' });
      expect((await library.send({ path: '/readyz' })).status).toBe(200);
      library.ready = false;
      const answer = await library.send({ path: '/readyz' });
      library.ready = true;
      expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', checks: { store: 'closed' } }]);
    });
  });
}
