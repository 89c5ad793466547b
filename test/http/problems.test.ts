import { describe, expect, test } from 'vitest';
import {
  defineProblems,
  ProblemError,
  problem,
  problemFromError,
  problemKinds,
  renderProblem,
  unauthenticated,
} from '../../src/http/index.ts';
import { withAbsence } from '../../src/http/problems/absence.ts';

/** The shape of an error of the engine, which may come from another thread or another copy of its module. */
function engineError(code: string, details: Record<string, unknown> = {}): Error {
  return Object.assign(new Error('what the engine says'), { name: 'EngineError', code, details });
}

describe('problems', () => {
  test('every kind has a code, a title and a status of its own kind', () => {
    for (const [code, kind] of Object.entries(problemKinds)) {
      expect(kind.code).toBe(code);
      expect(code).toMatch(/^[a-z][a-z_]*$/);
      expect(kind.status >= 400 && kind.status < 600).toBe(true);
      expect(kind.title).toMatch(/^[A-Z].*[^.]$/);
    }
  });

  test('are written as RFC 9457 has it', () => {
    const failure = problem('not_found', 'There is no user 7.', { headers: { 'x-a': 'b' }, extra: { hint: 1 } });
    const reply = renderProblem(failure, 'r-1', () => '');
    expect(reply.status).toBe(404);
    expect(reply.more).toEqual(['x-a', 'b']);
    expect(reply.head.pairs).toEqual(expect.arrayContaining(['content-type', 'application/problem+json']));
    expect(JSON.parse(String(reply.body))).toEqual({
      type: 'urn:relata:problem:not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is no user 7.',
      code: 'not_found',
      request_id: 'r-1',
      hint: 1,
    });
  });

  test('without words of their own say the first fault and its place', () => {
    const errors = [
      { path: 'checks[3].object', message: 'is required' },
      { path: 'subject', message: 'must be a string' },
    ];
    expect(problem('invalid_request', undefined, { errors }).detail).toBe('checks[3].object: is required.');
    expect(problem('invalid_request', undefined, { errors: [{ path: '', message: 'must be an object' }] }).detail).toBe(
      'The body must be an object.',
    );
  });

  test.each([
    ['/t/{tenant}/api/v1/admin/groups/{groupId}', { groupId: 'sales' }, 'There is no group sales.'],
    ['/orgs/{orgId}/api/v1/admin/api-keys/{keyId}', { keyId: 'k' }, 'There is no API key k.'],
    [
      '/orgs/{orgId}/api/v1/admin/roles/{roleId}/permissions/{permissionId}',
      { roleId: 'editor', permissionId: '7' },
      'There is no permission 7 of the role editor.',
    ],
    ['/t/{tenant}/login', {}, 'There is no organization acme.'],
    ['/platform/api/v1/orgs/{slug}', { slug: 'x'.repeat(300) }, `There is no organization ${'x'.repeat(100)}….`],
  ])('a 404 at %s says what is not there', (path, params, said) => {
    const found = withAbsence(problem('not_found'), path, { tenant: 'acme', orgId: 'acme', ...params });
    expect(found.detail).toBe(said);
    const explicit = problem('not_found', 'There is no user 7.');
    expect(withAbsence(explicit, path, params)).toBe(explicit);
  });

  test('of a feature are declared in a table', () => {
    const kinds = defineProblems({ slug_taken: [409, 'The slug is taken'] });
    expect(problem(kinds.slug_taken).kind).toEqual({ code: 'slug_taken', status: 409, title: 'The slug is taken' });
  });

  test('a 401 names the schemes, and the error where a credential was given', () => {
    expect(unauthenticated().options.headers).toEqual({
      'www-authenticate': 'Bearer realm="relata", ApiKey realm="relata"',
    });
    expect(unauthenticated(undefined, 'invalid_token').options.headers).toEqual({
      'www-authenticate': 'Bearer realm="relata", error="invalid_token", ApiKey realm="relata"',
    });
  });

  test('a header that would break out of its line cannot be sent', () => {
    const failure = problem('not_found', undefined, { headers: { location: 'x\r\nset-cookie: a=b' } });
    expect(() => renderProblem(failure, 'r-1', () => '')).toThrow(RangeError);
  });
});

describe('thrown values', () => {
  const table = [
    {
      name: 'a bad tuple',
      given: engineError('invalid_tuple', { path: 'writes/0/condition/name' }),
      expect: {
        status: 400,
        code: 'invalid_tuple',
        errors: [{ path: 'writes[0].condition.name', message: 'what the engine says' }],
      },
    },
    {
      name: 'a bad model',
      given: engineError('invalid_model', {
        issues: [
          { message: 'no such type', line: 3, column: 7 },
          { message: 'x', line: 1, column: 2, file: 'a.fga' },
        ],
      }),
      expect: {
        status: 400,
        code: 'invalid_model',
        errors: [
          { path: 'dsl:3:7', message: 'no such type' },
          { path: 'a.fga:1:2', message: 'x' },
        ],
      },
    },
    {
      name: 'an unknown store',
      given: engineError('unknown_store'),
      expect: { status: 404, code: 'unknown_store', errors: undefined },
    },
    { name: 'a bound', given: engineError('too_deep'), expect: { status: 422, code: 'too_deep', errors: undefined } },
    {
      name: 'a problem',
      given: new ProblemError(problem('conflict')),
      expect: { status: 409, code: 'conflict', errors: undefined },
    },
  ];
  test.each(table)('$name is a problem', ({ given, expect: expected }) => {
    const found = problemFromError(given);
    expect({ status: found?.kind.status, code: found?.kind.code, errors: found?.options.errors }).toEqual(expected);
  });

  test('what may pass says when to try again, and not what is wrong inside', () => {
    const found = problemFromError(engineError('unavailable'));
    expect(found?.options.headers).toEqual({ 'retry-after': '1' });
    expect(found?.detail).not.toContain('engine');
  });

  const unknown = [
    { name: 'a damaged store', given: engineError('corrupt') },
    { name: 'an error with a code of its own', given: engineError('hasOwnProperty') },
    { name: 'an error of another kind', given: Object.assign(new Error('x'), { code: 'not_found' }) },
    { name: 'a text', given: 'invalid_tuple' },
    { name: 'nothing', given: undefined },
  ];
  test.each(unknown)('$name is a failure of the service', ({ given }) => {
    expect(problemFromError(given)).toBeUndefined();
  });
});
