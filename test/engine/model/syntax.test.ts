import { describe, expect, it } from 'vitest';
import { parseModel } from '../../../engine/model/index.ts';
import { issuesOf } from './models.ts';

const head = 'model\n  schema 1.1\n';
const relation = (definition: string): string => `${head}type doc\n  relations\n    define ${definition}`;

const table: readonly (readonly [name: string, dsl: string, said: string])[] = [
  ['nothing', '', '1:1 a model begins with "model"'],
  ['another language', 'hello', '1:1 a model begins with "model", and not with "hello"'],
  ['no header', '\n\ntype user', '3:1 a model begins with "model", and not with "type"'],
  ['a comment and no header', '# mine\ntype user', '2:1 a model begins with "model", and not with "type"'],
  ['JSON', '{"a":1}', '1:1 a model begins with "model", and not with "{"'],
  ['upper case', 'MODEL\n  schema 1.1', '1:1 a model begins with "model", and not with "MODEL"'],
  ['no schema', 'model\n', 'after "model" comes a line with "schema 1.1"'],
  ['no line between', 'model schema 1.1', '1:7 after "model" comes a line with "schema 1.1"'],
  ['no version', 'model\n  schema', '2:9 "schema" needs a version, such as "schema 1.1"'],
  ['a type without a name', `${head}type`, '3:5 "type" needs a name'],
  ['two types in a line', `${head}type user type`, '3:11 unexpected "type" after "user"'],
  [
    'a wrong word',
    `${head}type doc\n  relation\n    define a: [user]`,
    '4:3 unexpected "relation": the word is "relations"',
  ],
  [
    'a relation without define',
    `${head}type doc\n  relations\n    viewer: [user]`,
    '5:5 unexpected "viewer": a line begins with "type", "relations", "define" or "condition"',
  ],
  ['a relation without a name', relation(': [user]'), '5:12 "define" needs the name of a relation'],
  ['no colon', relation('a [user]'), '5:14 ":" is missing after "a"'],
  ['no definition', relation('a:'), '5:14 "a" needs a definition, such as [user]'],
  ['a list that stays open', relation('a: [user'), '5:20 "[" is not closed'],
  ['a list of nothing', relation('a: []'), '5:16 the list of types is empty: name one, such as [user]'],
  ['parentheses that stay open', relation('a: (b or c'), '5:22 "(" is not closed'],
  ['nothing after or', relation('a: [user] or'), '5:24 "or" needs a relation or a list of types after it'],
  ['nothing after from', relation('a: b from'), '5:21 "from" needs the name of a relation after it'],
  ['nothing after with', relation('a: [user with]'), '5:25 "with" needs the name of a condition after it'],
  ['and beside or', relation('a: [user] and b or c'), '5:28 "or" and "and" cannot stand side by side: use parentheses'],
  ['but without not', relation('a: b but c'), '5:17 after "but" come "not" and a relation'],
  ['an open type', relation('a: [user:]'), '5:21 after "user" and ":" comes "*"'],
  [
    'a parameter of no type',
    `${head}condition x(a: foo) {\n a\n}`,
    '3:16 "foo" is no type of a parameter: there are any, bool',
  ],
  [
    'a condition without a name',
    `${head}condition (a: int) {\n a > 1\n}`,
    '3:11 unexpected "(": a condition is written as condition NAME(PARAMETER: TYPE) { EXPRESSION }',
  ],
];

describe('a syntax error of a model is told in words of the language, with its place', () => {
  it.each(table)('%s', (_, dsl, said) => {
    const found = issuesOf(() => parseModel({ dsl }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(said);
    expect(found[0]).not.toMatch(/mismatched|extraneous|viable|EOF|NEWLINE|WHITESPACE|IDENTIFIER/);
  });
});
