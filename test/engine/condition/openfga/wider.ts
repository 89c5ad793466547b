import type { Row } from './table.ts';

/** The list in the document on conditions, under "Beyond OpenFGA". */
export const wider: readonly Row[] = [
  ['1 < 2u && 1 <= 1.5 && 2u > 1.0', true],
  ['x < 1.5', true, { x: 'int' }, { x: 1 }],
  ['" a ".trim() == "a"', true],
  ['"aÄ".upperAscii() == "AÄ" && "AÄ".lowerAscii() == "aÄ"', true],
  ['"a,b,c".split(",") == ["a", "b", "c"]', true],
  ['"a,b,c".split(",", 2) == ["a", "b,c"]', true],
  ['["a", "b"].join() == "ab" && ["a", "b"].join("-") == "a-b"', true],
];
