import { gzipSync } from 'node:zlib';
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
        name: 'a compressed body',
        given: { ...json, body: gzipSync('{"title":"x"}'), headers: { 'content-encoding': 'gzip' } },
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
      const answer = await library.send(given);
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
  });
}
