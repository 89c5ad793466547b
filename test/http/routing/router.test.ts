import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Endpoint, endpointFor, type Method, noContent } from '../../../src/http/index.ts';
import { Router } from '../../../src/http/routing/router.ts';

const endpoint = endpointFor<never>();

function at(method: Method, path: `/${string}`, cors = false): Endpoint {
  return endpoint({
    method,
    path,
    summary: path,
    tags: [],
    access: 'public',
    cors,
    responses: { 204: { description: 'Done' } },
    handler: () => noContent(),
  });
}

const router = new Router(
  [
    at('GET', '/'),
    at('GET', '/healthz'),
    at('GET', '/users/me'),
    at('GET', '/users/{id}'),
    at('DELETE', '/users/{id}'),
    at('GET', '/users/me/keys'),
    at('POST', '/users/{id}/roles/{roleId}'),
    at('GET', '/users/{userId}/photo'),
    at('GET', '/.well-known/jwks.json', true),
    at('GET', '/files/special/deep'),
    at('GET', '/files/{name}'),
  ],
  () => 0,
);

function found(method: string, path: string): unknown {
  const match = router.match(method, path);
  return match.kind === 'found' ? [match.route.endpoint.path, { ...match.params }] : match.kind;
}

describe('routing', () => {
  const table = [
    { name: 'the root', given: ['GET', '/'], expect: ['/', {}] },
    { name: 'a literal', given: ['GET', '/healthz'], expect: ['/healthz', {}] },
    { name: 'HEAD as GET', given: ['HEAD', '/healthz'], expect: ['/healthz', {}] },
    { name: 'a parameter', given: ['GET', '/users/7'], expect: ['/users/{id}', { id: '7' }] },
    { name: 'a literal before a parameter', given: ['GET', '/users/me'], expect: ['/users/me', {}] },
    {
      name: 'a parameter where the literal leads nowhere',
      given: ['GET', '/users/me/photo'],
      expect: ['/users/{userId}/photo', { userId: 'me' }],
    },
    { name: 'a literal where it leads on', given: ['GET', '/users/me/keys'], expect: ['/users/me/keys', {}] },
    {
      name: 'a parameter where the literal is only on the way',
      given: ['GET', '/files/special'],
      expect: ['/files/{name}', { name: 'special' }],
    },
    {
      name: 'names of their own for each endpoint',
      given: ['GET', '/users/7/photo'],
      expect: ['/users/{userId}/photo', { userId: '7' }],
    },
    {
      name: 'two parameters',
      given: ['POST', '/users/7/roles/8'],
      expect: ['/users/{id}/roles/{roleId}', { id: '7', roleId: '8' }],
    },
    { name: 'an escaped parameter', given: ['GET', '/users/a%2Fb%20%C3%BC'], expect: ['/users/{id}', { id: 'a/b ü' }] },
    { name: 'dots in literals', given: ['GET', '/.well-known/jwks.json'], expect: ['/.well-known/jwks.json', {}] },
    { name: 'dots as parameters are texts', given: ['GET', '/users/..'], expect: ['/users/{id}', { id: '..' }] },
    { name: 'an unknown path', given: ['GET', '/nothing'], expect: 'not_found' },
    { name: 'an inner path', given: ['GET', '/users'], expect: 'not_found' },
    { name: 'too long a path', given: ['GET', '/users/7/8'], expect: 'not_found' },
    { name: 'a slash at the end', given: ['GET', '/healthz/'], expect: 'not_found' },
    { name: 'two slashes', given: ['GET', '//healthz'], expect: 'not_found' },
    { name: 'an empty parameter', given: ['GET', '/users/'], expect: 'not_found' },
    { name: 'an escaped literal', given: ['GET', '/%68ealthz'], expect: 'not_found' },
    { name: 'other capitals', given: ['GET', '/Healthz'], expect: 'not_found' },
    { name: 'a path of many segments', given: ['GET', '/x'.repeat(5_000)], expect: 'not_found' },
    { name: 'no path', given: ['GET', ''], expect: 'not_found' },
    { name: 'an asterisk', given: ['OPTIONS', '*'], expect: 'not_found' },
    { name: 'another method', given: ['PUT', '/users/7'], expect: 'method_not_allowed' },
    { name: 'a method that nobody knows', given: ['BREW', '/users/7'], expect: 'method_not_allowed' },
    { name: 'a literal keeps its methods to itself', given: ['DELETE', '/users/me'], expect: 'method_not_allowed' },
    { name: 'a broken escape', given: ['GET', '/users/%zz'], expect: 'malformed' },
    { name: 'an escape cut off', given: ['GET', '/users/a%2'], expect: 'malformed' },
    { name: 'bytes that are not UTF-8', given: ['GET', '/users/%ff'], expect: 'malformed' },
    { name: 'an escaped NUL', given: ['GET', '/users/a%00'], expect: 'malformed' },
    { name: 'an escaped line break', given: ['GET', '/users/a%0d%0a'], expect: 'malformed' },
    { name: 'a raw character beyond ASCII', given: ['GET', '/users/ü'], expect: 'malformed' },
    { name: 'a raw blank', given: ['GET', '/users/a b'], expect: 'malformed' },
  ] as const;
  // twice, because the second time answers from what is remembered
  test.each(table)('$name', ({ given: [method, path], expect: expected }) => {
    expect(found(method, path)).toEqual(expected);
    expect(found(method, path)).toEqual(expected);
  });

  const allowed = [
    {
      name: 'of a path with GET',
      given: ['PUT', '/users/7'],
      expect: { kind: 'method_not_allowed', allow: 'GET, HEAD, DELETE, OPTIONS', cors: false },
    },
    {
      name: 'of a path without GET',
      given: ['GET', '/users/7/roles/8'],
      expect: { kind: 'method_not_allowed', allow: 'POST, OPTIONS', cors: false },
    },
    {
      name: 'asked for',
      given: ['OPTIONS', '/.well-known/jwks.json'],
      expect: { kind: 'options', allow: 'GET, HEAD, OPTIONS', cors: true },
    },
  ] as const;
  test.each(allowed)('names the methods $name', ({ given: [method, path], expect: expected }) => {
    expect(router.match(method, path)).toMatchObject(expected);
  });

  test('remembers a bounded number of paths, and rightly', () => {
    for (let i = 0; i < 5_000; i++) expect(found('GET', `/users/${i}`)).toEqual(['/users/{id}', { id: String(i) }]);
    expect(found('GET', '/users/0')).toEqual(['/users/{id}', { id: '0' }]);
  });

  test('refuses two endpoints in one place, whatever their parameters are called', () => {
    expect(() => new Router([at('GET', '/a/{x}'), at('GET', '/a/{y}')], () => 0)).toThrow(/two endpoints answer GET/);
  });

  test.each(['/a//b', '/a/', '/{a}/{a}', '/a{b}', '/{}', '/a b'])('%j is no path of an endpoint', (path) => {
    expect(() => at('GET', path as `/${string}`)).toThrow(RangeError);
  });
});

describe('an endpoint is found as by a look at each of them', () => {
  const segment = fc.constantFrom('a', 'b', '{x}', '{y}');
  const endpoints = fc.uniqueArray(
    fc.record({
      method: fc.constantFrom<Method>('GET', 'POST'),
      segments: fc
        .array(segment, { minLength: 1, maxLength: 4 })
        .map((all) => all.map((each, place) => (each.startsWith('{') ? `{${each[1]}${place}}` : each))),
    }),
    { maxLength: 12, selector: ({ method, segments }) => `${method} ${segments.map(shapeOf).join('/')}` },
  );
  const paths = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 20,
  });

  test('whatever endpoints there are', () => {
    fc.assert(fc.property(endpoints, paths, compare), { numRuns: 300 });
  });

  type Described = { readonly method: Method; readonly segments: readonly string[] };

  function compare(endpoints: readonly Described[], paths: readonly (readonly string[])[]): void {
    const router = new Router(
      endpoints.map(({ method, segments }) => at(method, `/${segments.join('/')}`)),
      () => 0,
    );
    for (const asked of [...paths, ...paths]) {
      const place = endpoints
        .filter(({ segments }) => isAt(segments, asked))
        .toSorted((one, other) => rankOf(one.segments).localeCompare(rankOf(other.segments)))[0];
      for (const method of ['GET', 'POST'] as const) {
        const match = router.match(method, `/${asked.join('/')}`);
        const shape = place?.segments.map(shapeOf).join('/');
        const wanted = endpoints.find(
          (each) => each.method === method && each.segments.map(shapeOf).join('/') === shape,
        );
        if (place === undefined) expect(match.kind).toBe('not_found');
        else if (wanted === undefined) expect(match.kind).toBe('method_not_allowed');
        else {
          expect(match).toMatchObject({
            kind: 'found',
            route: { endpoint: { path: `/${wanted.segments.join('/')}` } },
          });
          const params = wanted.segments.flatMap((each, i) =>
            isParameter(each) ? [[each.slice(1, -1), asked[i]]] : [],
          );
          expect(match.kind === 'found' && { ...match.params }).toEqual(Object.fromEntries(params));
        }
      }
    }
  }

  function isParameter(segment: string): boolean {
    return segment.startsWith('{');
  }

  function shapeOf(segment: string): string {
    return isParameter(segment) ? '{}' : segment;
  }

  function isAt(segments: readonly string[], asked: readonly string[]): boolean {
    return (
      segments.length === asked.length &&
      segments.every((each, i) => (isParameter(each) ? asked[i] !== '' : each === asked[i]))
    );
  }

  /** A literal goes before a parameter, in the first place where they differ. */
  function rankOf(segments: readonly string[]): string {
    return segments.map((each) => (isParameter(each) ? '1' : '0')).join('');
  }
});
