import { describe, expect, it } from 'vitest';
import { parseModel, validateModel } from '../../../engine/model/index.ts';
import type { Model, Rewrite } from '../../../engine/model/model.ts';
import { dslOf, issuesOf } from './models.ts';

/** Line 4 is `type doc`, line 6 the first relation; relations begin in column 12. */
const doc = (...definitions: readonly string[]): string =>
  dslOf(`type doc\n  relations\n${definitions.map((definition) => `    define ${definition}\n`).join('')}`);

const invalid = [
  { name: 'an unknown type', dsl: doc('x: [usr]'), issues: ['6:16 the type `usr` does not exist'] },
  {
    name: 'an unknown relation of a type',
    dsl: doc('x: [user, doc#y]'),
    issues: ['6:22 the relation `y` of `doc` does not exist'],
  },
  { name: 'an unknown condition', dsl: doc('x: [user with c]'), issues: ['6:16 the condition `c` does not exist'] },
  { name: 'a subject listed twice', dsl: doc('x: [user, user:*, user]'), issues: ['6:30 `user` is listed twice'] },
  {
    name: 'an operand said twice',
    dsl: doc('a: [user]', 'p: [doc]', 'x: a or (a and a) or a from p or a or a from p'),
    issues: ['8:27 this operand is there already', '8:45', '8:50'],
  },
  {
    name: 'an unknown relation',
    dsl: doc('x: [user] or nobody'),
    issues: ['6:25 the relation `nobody` of `doc` does not exist'],
  },
  {
    name: 'unknown relations among operators',
    dsl: doc('a: [user]', 'x: (a or b) and (c but not d)'),
    issues: ['7:21', '7:29', '7:39'],
  },
  {
    name: 'an unknown tupleset',
    dsl: doc('x: [user] or x from parent'),
    issues: ['6:32 the relation `parent` of `doc` does not exist'],
  },
  {
    name: 'a tupleset of usersets',
    dsl: doc('m: [user]', 'p: [doc#m]', 'x: m from p'),
    issues: ['8:22 `p` must list plain object types alone'],
  },
  {
    name: 'a tupleset with a wildcard',
    dsl: doc('m: [user]', 'p: [doc:*]', 'x: m from p'),
    issues: ['8:22 `p` must list plain object types alone'],
  },
  {
    name: 'a computed tupleset',
    dsl: doc('m: [user]', 'q: [doc]', 'p: q', 'x: m from p'),
    issues: ['9:22 `p` must list plain object types alone'],
  },
  {
    name: 'a tupleset with operators',
    dsl: doc('m: [user]', 'q: [doc]', 'p: [doc] or q', 'x: m from p'),
    issues: ['9:22 `p` must list plain object types alone'],
  },
  {
    name: 'no parent that has the relation',
    dsl: doc('p: [user, doc]', 'x: nothing from p'),
    issues: ['7:15 no type of `p` (`user`, `doc`) has the relation `nothing`'],
  },
  {
    name: 'a type defined twice',
    dsl: dslOf('type doc\ntype user\n'),
    issues: ['5:6 the type `user` is defined twice'],
  },
  { name: 'a reserved type', dsl: dslOf('type self\n'), issues: ['4:6 `self` is reserved and cannot name a type'] },
  {
    name: 'a reserved relation',
    dsl: doc('this: [user]'),
    issues: ['6:12 `this` is reserved and cannot name a relation'],
  },
  {
    name: 'a long relation name',
    dsl: doc(`${'x'.repeat(51)}: [user]`),
    issues: ['6:12 the name of a relation is limited to 50 characters'],
  },
  {
    name: 'a long type name',
    dsl: dslOf(`type ${'x'.repeat(255)}\n`),
    issues: ['4:6 a name is limited to 254 characters'],
  },
  { name: 'computed from itself', dsl: doc('x: [user] or x'), issues: ['6:12 `x` is computed from itself: x → x'] },
  { name: 'a cycle of two', dsl: doc('a: b', 'b: a'), issues: ['6:12 `a` is computed from itself: a → b → a'] },
  {
    name: 'a cycle through an exclusion',
    dsl: doc('a: [user] but not b', 'b: [user] and c', 'c: a'),
    issues: ['6:12 `a` is computed from itself: a → b → c → a'],
  },
  { name: 'a userset of itself alone', dsl: doc('x: [doc#x]'), issues: ['6:12 `x` of `doc` can never hold'] },
  {
    name: 'only inherited from the same type',
    dsl: doc('p: [doc]', 'x: x from p'),
    issues: ['7:12 `x` of `doc` can never hold'],
  },
  {
    name: 'an intersection with something impossible',
    dsl: doc('n: [doc#n]', 'x: [user] and n'),
    issues: ['6:12', '7:12'],
  },
  {
    name: 'an exclusion of something impossible',
    dsl: doc('n: [doc#n]', 'x: [user] but not n'),
    issues: ['6:12', '7:12'],
  },
  { name: 'two that need each other', dsl: doc('a: [doc#b]', 'b: [doc#a]'), issues: ['6:12', '7:12'] },
];

describe('a model that means nothing is refused with every place', () => {
  it.each(invalid)('$name', ({ dsl, issues }) => {
    const found = issuesOf(() => parseModel({ dsl }));
    expect(found).toHaveLength(issues.length);
    for (const [index, issue] of issues.entries()) expect(found[index]?.startsWith(issue)).toBe(true);
  });
});

const valid = [
  { name: 'a parent without the relation beside one with it', dsl: doc('p: [user, doc]', 'm: [user]', 'x: m from p') },
  {
    name: 'a tupleset with a condition',
    dsl: `${doc('p: [doc with c]', 'm: [user]', 'x: m from p')}condition c(x: int) {\n x < 1\n}\n`,
  },
  { name: 'recursion through tuples', dsl: doc('p: [doc]', 'x: [user, doc#x] or x from p') },
  { name: 'mutual recursion with a way in', dsl: doc('a: [user, doc#b]', 'b: [doc#a]') },
  { name: 'a userset of a computed relation', dsl: doc('a: [user]', 'b: a', 'x: [doc#b]') },
  { name: 'a relation that is possible by a wildcard alone', dsl: doc('x: [user:*]') },
  {
    name: 'keywords as names',
    dsl: dslOf(
      'type type\n  relations\n    define relation: [user]\n    define model: relation\n    define schema: [type#relation]\n',
    ),
  },
  { name: 'names with marks', dsl: dslOf('type my-type.v1/x\n  relations\n    define can-view.all: [user]\n') },
];

describe('what OpenFGA accepts is accepted', () => {
  it.each(valid)('$name', ({ dsl }) => expect(issuesOf(() => parseModel({ dsl }))).toEqual([]));
});

const condition = (text: string): string => dslOf(`condition c(x: int, s: string) ${text}\n`);
const conditions = [
  { name: 'one line', dsl: condition('{ x < s }'), issue: '4:34 condition `c`: no such overload: int < string' },
  {
    name: 'after a comment',
    dsl: condition('{ # why\n  x < 1 &&\n    y }'),
    issue: '6:5 condition `c`: Unknown variable: y',
  },
  {
    name: 'after blank lines',
    dsl: condition('{\n\n\n  x < 1 && # here\n\n\n     nope(x)\n}'),
    issue: '10:6 condition `c`: unknown function `nope`',
  },
  { name: 'syntax', dsl: condition('{\n  x <\n}'), issue: '5:6 condition `c`: Unexpected token: the end' },
  {
    name: 'no bool',
    dsl: condition('{ x + 1 }'),
    issue: '4:34 condition `c`: the expression must be a bool, and is int',
  },
  { name: 'empty', dsl: condition('{ }'), issue: '4:' },
  { name: 'a pattern', dsl: condition('{ s.matches("(") }'), issue: '4:44 condition `c`: error parsing regexp' },
  {
    name: 'a parameter that CEL has taken',
    dsl: dslOf('condition c(s: string, type: int) { s == "a" }\n'),
    issue: '4:24 condition `c`: `type` cannot be the name of a parameter',
  },
  {
    name: 'a parameter with a dash',
    dsl: dslOf('condition c(a-b: int) { true }\n'),
    issue: '4:13 condition `c`: `a-b` cannot be',
  },
];

describe('a condition that is not well typed is refused with the place in the model', () => {
  it.each(conditions)('$name', ({ dsl, issue }) => {
    const found = issuesOf(() => parseModel({ dsl }));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(issue);
  });
});

describe('a model that no text stands behind', () => {
  const relation = (rewrite: Rewrite, subjects: readonly string[]): Model => ({
    schemaVersion: '1.1',
    types: new Map([
      ['user', { name: 'user', relations: new Map() }],
      [
        'doc',
        {
          name: 'doc',
          relations: new Map([['x', { name: 'x', rewrite, directSubjects: subjects.map((type) => ({ type })) }]]),
        },
      ],
    ]),
    conditions: new Map(),
  });
  const models = [
    {
      name: 'a list that nothing accepts',
      model: relation({ kind: 'computed', relation: 'x' }, ['user']),
      issue: 'does not accept any',
    },
    {
      name: 'two lists',
      model: relation({ kind: 'union', children: [{ kind: 'direct' }, { kind: 'direct' }] }, ['user']),
      issue: 'can have one list of direct subjects',
    },
    { name: 'an empty list', model: relation({ kind: 'direct' }, []), issue: 'needs at least one direct subject' },
    {
      name: 'too many subjects',
      model: relation({ kind: 'direct' }, Array<string>(2001).fill('user')),
      issue: 'limited to 2000 direct subjects',
    },
    {
      name: 'too many operands',
      model: relation({ kind: 'union', children: Array<Rewrite>(501).fill({ kind: 'direct' }) }, ['user']),
      issue: 'limited to 500 operands',
    },
  ];
  it.each(models)('$name', ({ model, issue }) => {
    const [first] = issuesOf(() => validateModel(model));
    expect(first).toContain(issue);
    expect(first?.startsWith('1:1 ')).toBe(true);
  });

  it('all parents at once', () => {
    const model = parseModel({ dsl: doc('p: [doc]', 'm: [user]', 'x: m from p') });
    const type = model.types.get('doc');
    const relations = new Map(type?.relations);
    relations.set('x', {
      name: 'x',
      rewrite: { kind: 'from', tupleset: 'p', relation: 'm', parents: 'all' },
      directSubjects: [],
    });
    validateModel({ ...model, types: new Map([...model.types, ['doc', { name: 'doc', relations }]]) });
  });
});
