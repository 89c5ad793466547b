import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpointFor, noContent } from '../../src/http/index.ts';
import { libraryEndpoints } from './application/library-endpoints.ts';
import { fastDisagreements, fastTakes } from './fast-agreement.ts';

const bodies = [
  { title: 'x' },
  { title: '' },
  { title: 'x'.repeat(101) },
  { title: 7 },
  { title: 'x', pages: 1 },
  { other: 1 },
  {},
  [],
  null,
  'x',
  7,
];

test('the validator of a book takes only what its schema takes', () => {
  const add = libraryEndpoints().find(({ fast }) => fast !== undefined);
  if (add === undefined) throw new Error('there is no endpoint with a fast validator');
  expect(fastDisagreements(add, bodies)).toEqual([]);
  expect(fastTakes(add, bodies)).toBe(1);
});

test('a validator that takes more than its schema is found', () => {
  const careless = endpointFor<never>()({
    method: 'POST',
    path: '/x',
    summary: 'x',
    tags: [],
    access: 'public',
    body: z.strictObject({ title: z.string().min(1) }),
    fast: (value) => value as { title: string },
    responses: { 204: { description: 'x' } },
    handler: () => noContent(),
  });
  expect(fastDisagreements(careless, [{ title: 'x' }, { title: '' }])).toEqual([
    '{"title":""}: the validator takes what the schema refuses',
  ]);
});
