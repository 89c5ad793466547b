import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Endpoint, endpointFor, problem } from '../../src/http/index.ts';
import { AnswerCheck } from './answer-check.ts';
import { contractOf } from './contract.ts';

const endpoint = endpointFor<unknown>();
const plain = { tags: [], summary: '', access: 'public', handler: () => problem('not_found') } as const;
const endpoints: Endpoint[] = [
  endpoint({
    ...plain,
    method: 'POST',
    path: '/t/{tenant}/roles/{role}',
    body: z.strictObject({}),
    responses: { 200: z.object({ name: z.string() }) },
    errors: ['conflict'],
  }),
  endpoint({ ...plain, method: 'POST', path: '/t/{tenant}/roles/all', responses: { 204: { description: 'Done' } } }),
];
const path = '/t/a/roles/b';
const undeclared = 'POST /t/{tenant}/roles/{role} answers';

describe('an answer is held against what its endpoint declares', () => {
  test.each([
    { name: 'a success', path, status: 200, body: { name: 'x' }, fault: undefined },
    { name: 'another status', path, status: 204, body: undefined, fault: `${undeclared} 204` },
    { name: 'a field of another type', path, status: 200, body: { name: 7 }, fault: `${undeclared} 200 against` },
    { name: 'a field too few', path, status: 200, body: {}, fault: `${undeclared} 200 against` },
    { name: 'a field too many', path, status: 200, body: { name: 'x', more: 1 }, fault: `${undeclared} 200 against` },
    { name: 'a declared code', path, status: 409, body: { code: 'conflict' }, fault: undefined },
    { name: 'a code of every endpoint', path, status: 400, body: { code: 'malformed_json' }, fault: undefined },
    { name: 'another code', path, status: 409, body: { code: 'x' }, fault: `${undeclared} 409 x` },
    { name: 'a code with another status', path, status: 422, body: { code: 'conflict' }, fault: `${undeclared} 422` },
    { name: 'the literal path first', path: '/t/a/roles/all', status: 204, body: undefined, fault: undefined },
    { name: 'a failure of the service', path, status: 503, body: { code: 'unavailable' }, fault: undefined },
    { name: 'another path', path: '/t/a/roles', status: 418, body: undefined, fault: undefined },
  ])('$name', ({ fault, ...answer }) => {
    const found = new AnswerCheck(contractOf(endpoints)).faultOf({ method: 'POST', ...answer });
    expect(found).toEqual(fault === undefined ? undefined : expect.stringContaining(fault));
  });

  test('codes that were seen are remembered, as the endpoint writes them', () => {
    const check = new AnswerCheck(contractOf(endpoints));
    check.faultOf({ method: 'POST', path, status: 409, body: { code: 'conflict' } });
    check.faultOf({ method: 'POST', path, status: 409, body: { code: 'another' } });
    expect([...check.seen]).toEqual(['POST /t/{tenant}/roles/{role} 409 conflict']);
  });
});
