import type { Row } from './table.ts';

/** The list in the document on conditions, under "Beyond OpenFGA". */
export const wider: readonly Row[] = [
  ['1 < 2u && 1 <= 1.5 && 2u > 1.0', true],
  ['x < 1.5', true, { x: 'int' }, { x: 1 }],
  ['x.level + 1.0 > 3', true, { x: 'attributes' }, { x: { level: 4 } }],
  ['x.all(i, i > 0)', true, { x: 'any' }, { x: [1, 2] }],
  ['x.all(i, i > 0)', 'fails', { x: 'any' }, { x: 'text' }],
  ['x.roles.exists(r, r == "admin")', true, { x: 'attributes' }, { x: { roles: ['admin'] } }],
  ['[1, 2, 3].existsOne(i, i > 2)', true],
  ['x[null] == 1', 'fails', { x: 'any' }, { x: { a: 1 } }],
  ['[].all(x, type(1) == x)', true],
  ['" a ".trim() == "a"', true],
  ['"aÄ".upperAscii() == "AÄ" && "AÄ".lowerAscii() == "aÄ"', true],
  ['"a,b,c".split(",") == ["a", "b", "c"]', true],
  ['"a,b,c".split(",", 2) == ["a", "b,c"]', true],
  ['["a", "b"].join() == "ab" && ["a", "b"].join("-") == "a-b"', true],
];
