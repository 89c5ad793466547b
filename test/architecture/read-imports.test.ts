import { describe, expect, it } from 'vitest';
import { readImports } from './read-imports.ts';

const cases = [
  { name: 'a named import', given: "import { a } from './a.ts';", expect: ['./a.ts'] },
  { name: 'a type', given: "import type { A } from './a.ts';", expect: ['./a.ts'] },
  { name: 'several lines', given: "import {\n  a,\n  b,\n} from './a.ts';", expect: ['./a.ts'] },
  { name: 'an effect', given: "import './a.ts';", expect: ['./a.ts'] },
  { name: 'double quotes', given: 'import { a } from "./a.ts";', expect: ['./a.ts'] },
  { name: 'a namespace', given: "import * as a from 'a';", expect: ['a'] },
  { name: 'a forwarded name', given: "export { a } from './a.ts';", expect: ['./a.ts'] },
  { name: 'everything forwarded', given: "export * from './a.ts';", expect: ['./a.ts'] },
  { name: 'a dynamic import', given: "const a = await import('./a.ts');", expect: ['./a.ts'] },
  { name: 'an inline type', given: "let a: import('./a.ts').A;", expect: ['./a.ts'] },
  { name: 'a require', given: "const a = require('a');", expect: ['a'] },
  { name: 'two statements', given: "import 'a';\nimport { b } from 'b';", expect: ['a', 'b'] },
  { name: 'an export without a source', given: "export const a = 'from';\nexport { b };", expect: [] },
  { name: 'a comment', given: "// import('a')\n/** import('b') */\n * import('c')", expect: [] },
  { name: 'a property called from', given: "export const a = { from: 'b' };", expect: [] },
] as const;

describe('readImports', () => {
  it.each(cases)('reads $name', ({ given, expect: expected }) => {
    expect(readImports(given).map(({ specifier }) => specifier)).toEqual(expected);
  });

  it('gives the line', () => {
    expect(readImports("\n\nimport 'a';")).toEqual([{ specifier: 'a', line: 3 }]);
  });
});
