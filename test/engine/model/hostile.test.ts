import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../engine/errors.ts';
import { MODEL_LIMITS, parseModel } from '../../../engine/model/index.ts';
import type { ModelIssue } from '../../../engine/model/model.ts';
import { cpuMs } from '../../platform/cpu-ms.ts';
import { dslOf, issuesOf } from './models.ts';

const relation = (definition: string): string =>
  dslOf(`type doc\n  relations\n    define x: [user]\n    define y: ${definition}\n`);
const relations = (definitions: readonly string[]): string =>
  dslOf(`type doc\n  relations\n${definitions.map((text, index) => `    define r${index}: ${text}\n`).join('')}`);
const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');
const tree = (levels: number): string => (levels === 0 ? 'x' : `(${tree(levels - 1)} or ${tree(levels - 1)})`);

/** Some of these kept the parser busy for minutes, or overflowed its stack. */
const refused = [
  {
    name: '800 nested parentheses',
    dsl: relation(`${'('.repeat(800)}x or x${')'.repeat(800)}`),
    issue: '7:47 parentheses nest at most 32 deep',
  },
  {
    name: 'a forest of parentheses',
    dsl: relations(Array<string>(25).fill(tree(9))),
    issue: 'too much of the model stands in nested parentheses',
  },
  {
    name: 'too long',
    dsl: dslOf(' '.repeat(MODEL_LIMITS.textLength)),
    issue: '1:1 a model is limited to 262144 characters',
  },
  { name: 'too many tokens', dsl: relation('x '.repeat(70_000)), issue: 'a model is limited to 65536 words and marks' },
  {
    name: 'too many types',
    dsl: dslOf(times(1000, (index) => `type t${index}\n`)),
    issue: '1:1 a model is limited to 1000 types',
  },
  {
    name: 'too many relations of a type',
    dsl: relations(Array<string>(501).fill('[user]')),
    issue: '4:6 a type is limited to 500 relations',
  },
  {
    name: 'too many relations',
    dsl: dslOf(
      times(21, (type) => `type t${type}\n  relations\n${times(480, (index) => `    define r${index}: [user]\n`)}`),
    ),
    issue: '1:1 a model is limited to 10000 relations',
  },
  {
    name: 'too many subjects',
    dsl: relation(`[${times(2001, (index) => `t${index},`)} user]`),
    issue: '7:12 a relation is limited to 2000 direct subjects',
  },
  {
    name: 'too many operands',
    dsl: relation(times(500, (index) => `r${index} or `).concat('x')),
    issue: '7:12 a relation is limited to 500 operands',
  },
  {
    name: 'too many conditions',
    dsl: dslOf(times(1001, (index) => `condition c${index}(x: int) { x < 1 }\n`)),
    issue: '1:1 a model is limited to 1000 conditions',
  },
  {
    name: 'too many parameters',
    dsl: dslOf(`condition c(${times(64, (index) => `x${index}: int, `)}x: int) { x < 1 }\n`),
    issue: '4:11 a condition is limited to 64 parameters',
  },
  {
    name: 'too many links',
    dsl: dslOf(
      `${times(900, (index) => `type t${index}\n`)}type doc\n  relations\n    define p: [${times(899, (index) => `t${index},`)}t899]\n${times(300, (index) => `    define r${index}: x from p\n`)}`,
    ),
    issue: '1:1 a model is limited to 200000 links',
  },
  {
    name: 'a long expression',
    dsl: dslOf(`condition c(x: int) { ${'x'.repeat(20_000)} }\n`),
    issue: '4:22 the expression of a condition is limited',
  },
  {
    name: 'many patterns',
    dsl: dslOf(times(900, (index) => `condition c${index}(s: string) { s.matches("[a-z]{1,900}b${index}") }\n`)),
    issue: 'the regular expressions of all conditions together are too large',
  },
  {
    name: 'patterns of one condition',
    dsl: dslOf(`condition c(s: string) { ${times(150, (index) => `s.matches("[a-z]{1,900}b${index}") || `)} true }\n`),
    issue: 'the regular expressions of the condition are too large',
  },
  { name: 'a long name', dsl: relation('x'.repeat(100_000)), issue: '7:15 a name is limited to 254 characters' },
  { name: 'stray characters', dsl: dslOf('$'.repeat(50_000)), issue: '4:1 unexpected character "$"' },
  { name: 'closing parentheses', dsl: dslOf(') '.repeat(30_000)), issue: '4:1 unexpected ")"' },
  { name: 'open brackets', dsl: relation('['.repeat(60_000)), issue: '7:16 unexpected "["' },
  { name: 'open quotes', dsl: dslOf(`condition c(x: int) { ${'"'.repeat(10_000)}`), issue: '4:' },
  { name: 'open braces', dsl: dslOf(`condition c(x: int) { ${'{'.repeat(10_000)}`), issue: '4:' },
  {
    name: 'an error in every line',
    dsl: dslOf(`type doc\n  relations\n${'    define\n'.repeat(10_000)}`),
    issue: '6:11 "define" needs the name of a relation',
  },
];

describe('a hostile model is refused quickly', () => {
  it.each(refused)('$name', ({ dsl, issue }) => {
    const before = cpuMs();
    const found = issuesOf(() => parseModel({ dsl }));
    expect(cpuMs() - before).toBeLessThan(20_000);
    expect(found.length).toBeLessThanOrEqual(MODEL_LIMITS.issues);
    expect(found[0]).toContain(issue);
  });
});

const accepted = [
  {
    name: '32 redundant pairs in many relations',
    dsl: relations(Array<string>(60).fill(`${'('.repeat(32)}[user]${')'.repeat(32)}`)),
  },
  { name: 'a run of blank lines', dsl: relation('x').concat('\n'.repeat(200_000)) },
  { name: 'a run of comments', dsl: relation('x').concat('# a comment\n'.repeat(20_000)) },
  { name: 'a run of blanks', dsl: relation(`${' '.repeat(200_000)}x`) },
  {
    name: 'many relations',
    dsl: dslOf(
      times(
        20,
        (type) =>
          `type t${type}\n  relations\n    define x: [user]\n${times(450, (index) => `    define r${index}: x\n`)}`,
      ),
    ),
  },
  {
    name: 'a chain against the order of the text',
    dsl: relations(Array.from({ length: 500 }, (_, index) => (index === 499 ? '[user]' : `r${index + 1}`))),
  },
];

describe('a large model is accepted quickly', () => {
  it.each(accepted)('$name', ({ dsl }) => {
    const before = cpuMs();
    expect(issuesOf(() => parseModel({ dsl }))).toEqual([]);
    expect(cpuMs() - before).toBeLessThan(5000);
  });
});

describe('whatever a text is', () => {
  const valid = dslOf(`type doc
  relations
    # who may read
    define parent: [doc, folder with late]
    define reader: ([user, user:*, doc#reader] or reader from parent) and (writer but not banned)
    define writer: [user]
    define banned: [user]
type folder
  relations
    define reader: [user]
condition late(now: timestamp, names: list<string>) {
  now > timestamp("2024-01-01T00:00:00Z") && "a {#" in names
}
`);
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ':',
    ',',
    '#',
    ' #',
    '*',
    '"',
    '"""',
    '\\',
    '\n',
    '\r',
    '\t',
    ' ',
    '$',
    'é',
    '\u0000',
    '\uD800',
  ];
  const words = [
    'type',
    'define',
    'relations',
    'condition',
    'extend type',
    'module m',
    'or',
    'and',
    'but not',
    'from',
    'with',
    'x',
    'this',
    '//',
    '__proto__',
  ];
  const edit = fc.record({ at: fc.nat(valid.length), cut: fc.nat(12), put: fc.constantFrom('', ...pieces, ...words) });

  it('it makes a model, or issues whose places are in it', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let dsl = valid;
        for (const { at, cut, put } of edits) dsl = dsl.slice(0, at) + put + dsl.slice(at + cut);
        try {
          parseModel({ dsl });
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          expect(error.code).toBe('invalid_model');
          const issues = error.details.issues as readonly ModelIssue[];
          expect(issues.length).toBeGreaterThan(0);
          const lines = dsl.split('\n');
          for (const { line, column, message } of issues) {
            expect(message).not.toBe('the model cannot be parsed');
            expect(lines.length).toBeGreaterThanOrEqual(line);
            expect((lines[line - 1]?.length ?? 0) + 2).toBeGreaterThanOrEqual(column);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });
});
