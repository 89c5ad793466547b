import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  Application,
  type HttpServer,
  httpMetrics,
  openTransport,
  operationsEndpoints,
  referenceEndpoints,
  serveHttp,
} from '../../../src/http/index.ts';
import {
  addressList,
  createLog,
  type Metrics,
  requestIdGenerator,
  singleThreadMetrics,
} from '../../../src/platform/index.ts';
import { libraryEndpoints, libraryGuard } from './library-endpoints.ts';

const transportLimits = { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000, idleTimeoutMs: 5_000, headerBytes: 16_384 };
const api = { title: 'Library', version: '1', description: 'Books.', baseUrl: 'https://library.example', tags: [] };

for (const choice of ['auto', 'node'] as const) {
  describe(`an application on the transport ${choice}`, () => {
    const lines: string[] = [];
    let server: HttpServer;
    let metrics: Metrics;
    let ready = true;

    beforeAll(async () => {
      const readiness = () => ({ ready, checks: { store: ready ? 'ok' : 'closed' } });
      const endpoints = [
        ...libraryEndpoints(),
        ...operationsEndpoints({ ready: readiness, metrics: { text: () => metrics.text() } }),
      ];
      endpoints.push(...referenceEndpoints(endpoints, api));
      metrics = singleThreadMetrics(httpMetrics(endpoints));
      const application = new Application({
        endpoints,
        guard: libraryGuard,
        limits: { bodyBytes: 10_000, jsonDepth: 16, queryParameters: 8, validationErrors: 3 },
        requestId: requestIdGenerator(),
        trustedProxies: addressList(['127.0.0.1']),
        log: createLog({ level: 'info', write: (line) => lines.push(line) }),
        accessLog: 'errors',
        metrics,
        checkReplies: true,
      });
      server = await serveHttp(openTransport(choice, transportLimits), { host: '127.0.0.1', port: 0 }, application);
    });
    afterAll(() => server.close());
    beforeEach(() => {
      lines.length = 0;
    });

    interface Sent {
      readonly method?: string;
      readonly path: string;
      readonly key?: string;
      readonly headers?: Record<string, string>;
      readonly body?: string | Buffer;
    }

    async function send({ method, path, key, headers, body }: Sent): Promise<Response> {
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const credential: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
      return fetch(`http://127.0.0.1:${server.port}${path}`, {
        redirect: 'manual',
        ...(method === undefined ? {} : { method }),
        ...(body === undefined ? {} : { body: body as string }),
        headers: { ...type, ...credential, ...headers },
      });
    }

    const books = '/libraries/city/books';
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
      const answer = await send(given);
      const text = await answer.text();
      expect([answer.status, text]).toEqual([expected.status, expect.anything()]);
      if (expected.body !== undefined) expect(JSON.parse(text)).toEqual(expected.body);
      for (const [name, value] of Object.entries(expected.headers ?? {})) expect(answer.headers.get(name)).toBe(value);
    });

    const json = { method: 'POST', path: books, key: 'anne' } as const;
    const refusals: { name: string; given: Sent; expect: [number, string, string[]?] }[] = [
      { name: 'an unknown path', given: { path: '/nothing' }, expect: [404, 'not_found'] },
      {
        name: 'an unknown path, before the credential',
        given: { path: '/nothing', key: 'junk' },
        expect: [404, 'not_found'],
      },
      { name: 'another method', given: { method: 'PATCH', path: books }, expect: [405, 'method_not_allowed'] },
      {
        name: 'a path that cannot be decoded',
        given: { path: '/libraries/%ff/books', key: 'anne' },
        expect: [400, 'malformed_url'],
      },
      { name: 'no credential', given: { path: books }, expect: [401, 'unauthenticated'] },
      { name: 'a bad credential', given: { path: books, key: 'junk' }, expect: [401, 'unauthenticated'] },
      {
        name: 'no credential, before a bad body',
        given: { ...json, key: '', body: '{' },
        expect: [401, 'unauthenticated'],
      },
      { name: 'no permission', given: { ...json, key: 'bob', body: '{"title":"Emma"}' }, expect: [403, 'forbidden'] },
      {
        name: 'no permission, before a bad body',
        given: { ...json, key: 'bob', body: '{' },
        expect: [403, 'forbidden'],
      },
      {
        name: 'what the guard hides',
        given: { path: '/libraries/hidden/books', key: 'bob' },
        expect: [404, 'not_found'],
      },
      { name: 'no body', given: json, expect: [400, 'malformed_json'] },
      { name: 'a broken body', given: { ...json, body: '{"title":' }, expect: [400, 'malformed_json'] },
      {
        name: 'a body in another encoding',
        given: { ...json, body: Buffer.from('{"title":"ü"}', 'latin1') },
        expect: [400, 'malformed_json'],
      },
      {
        name: 'a body of another type',
        given: { ...json, body: '{"title":"x"}', headers: { 'content-type': 'text/plain' } },
        expect: [415, 'unsupported_media_type'],
      },
      {
        name: 'a body that is too large',
        given: { ...json, body: `{"title":"${'x'.repeat(3_000)}"}` },
        expect: [413, 'body_too_large'],
      },
      {
        name: 'a body with a fault',
        given: { ...json, body: '{"title":7}' },
        expect: [400, 'invalid_request', ['title']],
      },
      {
        name: 'a body with an unknown field',
        given: { ...json, body: '{"title":"x","isbn":1}' },
        expect: [400, 'invalid_request', ['isbn']],
      },
      {
        name: 'a body with too many faults to name',
        given: { ...json, body: '{"a":1,"b":1,"c":1,"d":1}' },
        expect: [400, 'invalid_request', ['title', 'a', 'b']],
      },
      {
        name: 'a list in the place of an object',
        given: { ...json, body: '[]' },
        expect: [400, 'invalid_request', ['']],
      },
      {
        name: 'null in the place of an object',
        given: { ...json, body: 'null' },
        expect: [400, 'invalid_request', ['']],
      },
      {
        name: 'a query with a fault',
        given: { path: `${books}?limit=11`, key: 'bob' },
        expect: [400, 'invalid_request', ['query.limit']],
      },
      {
        name: 'a query given twice',
        given: { path: `${books}?limit=1&limit=2`, key: 'bob' },
        expect: [400, 'invalid_request', ['query.limit']],
      },
      {
        name: 'a query that cannot be decoded',
        given: { path: `${books}?shelf=%zz`, key: 'bob' },
        expect: [400, 'malformed_url'],
      },
      {
        name: 'too many parameters',
        given: { path: `${books}?${'a&'.repeat(9)}`, key: 'bob' },
        expect: [400, 'invalid_request'],
      },
      {
        name: 'a parameter with a fault',
        given: { method: 'DELETE', path: `${books}/x`, key: 'anne' },
        expect: [400, 'invalid_request', ['path.bookId']],
      },
      {
        name: 'a form of another type',
        given: { method: 'POST', path: '/token', body: '{}' },
        expect: [415, 'unsupported_media_type'],
      },
      {
        name: 'a broken form',
        given: {
          method: 'POST',
          path: '/token',
          body: 'a=%zz',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
        expect: [400, 'malformed_form'],
      },
      {
        name: 'a form with a missing field',
        given: {
          method: 'POST',
          path: '/token',
          body: '',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
        expect: [400, 'invalid_request', ['grant']],
      },
      { name: 'what the handler refuses', given: { ...json, body: '{"title":"taken"}' }, expect: [409, 'conflict'] },
      { name: 'what the handler refuses by throwing', given: { path: '/faults/problem' }, expect: [422, 'refused'] },
      { name: 'a handler that throws', given: { path: '/faults/throws' }, expect: [500, 'internal'] },
      { name: 'a handler that rejects', given: { path: '/faults/rejects' }, expect: [500, 'internal'] },
      {
        name: 'an answer that does not fit its schema',
        given: { path: '/faults/mismatch' },
        expect: [500, 'internal'],
      },
      { name: 'a problem that is not listed', given: { path: '/faults/undeclared' }, expect: [500, 'internal'] },
      {
        name: 'a header that cannot be sent',
        given: { path: '/faults/header' },
        expect: [500, 'internal'],
      },
    ];
    test.each(refusals)('refuses $name', async ({ given, expect: [status, code, paths] }) => {
      const answer = await send(given);
      const body = (await answer.json()) as {
        status: number;
        code: string;
        request_id: string;
        errors?: { path: string }[];
      };
      expect([answer.status, body.code]).toEqual([status, code]);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(body.request_id).toBe(answer.headers.get('x-request-id'));
      if (paths !== undefined) expect(body.errors?.map(({ path }) => path)).toEqual(paths);
      expect(answer.headers.has('www-authenticate')).toBe(status === 401);
      expect(answer.headers.has('allow')).toBe(status === 405);
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
        const { headers } = await send(request);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-/);
        expect(headers.has('access-control-allow-origin')).toBe(false);
        const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
        expect(headers.get('content-security-policy')?.includes("default-src 'none'") ?? false).toBe(isPage);
      }
    });

    test('logs a failure with its reason, and answers without it', async () => {
      const answer = await send({ path: '/faults/throws' });
      expect(await answer.text()).not.toMatch(/hunter2|line 7|at /);
      const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'a request failed');
      expect(failure).toMatchObject({
        level: 'error',
        request_id: answer.headers.get('x-request-id'),
        path: '/faults/throws',
      });
      expect(failure.error.message).toContain('line 7');
    });

    test('answers HEAD as GET without the body', async () => {
      const answer = await send({ method: 'HEAD', path: books, key: 'bob' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(50);
    });

    test('streams events, and comments while there are none', async () => {
      const stop = new AbortController();
      const answer = await fetch(`http://127.0.0.1:${server.port}/events`, { signal: stop.signal });
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
      await send({ path: '/secret/path/of/a/client' });
      await send({ path: books, key: 'bob' });
      const text = await (await send({ path: '/metrics' })).text();
      expect(text).toMatch(
        /relata_http_requests_total\{method="GET",route="\/libraries\/\{library\}\/books",status="2xx"\} [1-9]/,
      );
      expect(text).toMatch(/relata_http_requests_total\{method="ANY",route="unmatched",status="4xx"\} [1-9]/);
      expect(text).toMatch(/relata_http_request_duration_seconds_count\{method="GET",route="\/healthz"\} \d/);
      expect(text).not.toContain('/secret');
    });

    test('says whether it is alive and ready', async () => {
      expect(await (await send({ path: '/healthz' })).json()).toEqual({ status: 'ok' });
      expect((await send({ path: '/readyz' })).status).toBe(200);
      ready = false;
      const answer = await send({ path: '/readyz' });
      ready = true;
      expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', checks: { store: 'closed' } }]);
    });
  });
}
