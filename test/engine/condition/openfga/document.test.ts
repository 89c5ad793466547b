import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DECLARATIONS, isOperator } from '../../../../engine/condition/types/declarations.ts';

const text = readFileSync('src/docs/conditions.md', 'utf8');

it('the document names every function', () => {
  const functions = [...DECLARATIONS.keys()].filter((name) => !isOperator(name));
  const absent = functions.filter((name) => !new RegExp(`\`(?:\\w+\\.)?${name}\\(`).test(text));
  expect(absent).toEqual([]);
});
