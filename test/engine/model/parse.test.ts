import { describe, expect, it } from 'vitest';
import { parseModel } from '../../../engine/model/index.ts';
import type { RelationDefinition, Rewrite } from '../../../engine/model/model.ts';
import { dslOf, issuesOf } from './models.ts';

const direct: Rewrite = { kind: 'direct' };
const computed = (relation: string): Rewrite => ({ kind: 'computed', relation });
const from = (relation: string, tupleset: string): Rewrite => ({ kind: 'from', relation, tupleset, parents: 'any' });

const rewrites: readonly { definition: string; rewrite: Rewrite }[] = [
  { definition: '[user]', rewrite: direct },
  { definition: 'a', rewrite: computed('a') },
  { definition: 'a from parent', rewrite: from('a', 'parent') },
  { definition: '[user] or a or b', rewrite: { kind: 'union', children: [direct, computed('a'), computed('b')] } },
  { definition: 'a and b', rewrite: { kind: 'intersection', children: [computed('a'), computed('b')] } },
  { definition: '[user] but not a', rewrite: { kind: 'exclusion', base: direct, subtract: computed('a') } },
  {
    definition: '([user] or a) and (b but not a from parent)',
    rewrite: {
      kind: 'intersection',
      children: [
        { kind: 'union', children: [direct, computed('a')] },
        { kind: 'exclusion', base: computed('b'), subtract: from('a', 'parent') },
      ],
    },
  },
];

const frame = (definition: string): string =>
  dslOf(`type doc
  relations
    define parent: [doc]
    define a: [user]
    define b: [user]
    define x: ${definition}
`);

describe('rewrites', () => {
  it.each(rewrites)('$definition', ({ definition, rewrite }) => {
    expect(relationOf(frame(definition), 'doc', 'x').rewrite).toEqual(rewrite);
  });
});

describe('direct subjects', () => {
  it('are read in every form', () => {
    const dsl = dslOf(`type group
  relations
    define member: [user, user:*, group#member, user with big,
      user:* with big]
condition big(x: int) {
  x > 100
}
`);
    expect(relationOf(dsl, 'group', 'member').directSubjects).toEqual([
      { type: 'user' },
      { type: 'user', wildcard: true },
      { type: 'group', relation: 'member' },
      { type: 'user', condition: 'big' },
      { type: 'user', wildcard: true, condition: 'big' },
    ]);
  });
});

describe('conditions', () => {
  it('keep the expression as written, without comments', () => {
    const dsl = dslOf(`type doc
  relations
    define x: [user with c]
condition c(x: int, s: string, l: list<string>, m: map<double>) { # trailing
  # a comment of its own line
  x < 100 && // a CEL comment
    s != "room #5 {}" && m != {"a": 1.0}   # more

    && s in l
}
condition d(ip: ipaddress, t: timestamp, d: duration, u: uint, b: bool) { b }
`);
    const { conditions } = parseModel({ dsl });
    expect(conditions.get('c')?.expression).toBe(
      'x < 100 && // a CEL comment\n    s != "room #5 {}" && m != {"a": 1.0}   \n\n    && s in l',
    );
    expect([...(conditions.get('c')?.parameters ?? [])]).toEqual([
      ['x', { kind: 'int' }],
      ['s', { kind: 'string' }],
      ['l', { kind: 'list', of: { kind: 'string' } }],
      ['m', { kind: 'map', of: { kind: 'double' } }],
    ]);
    expect([...(conditions.get('d')?.parameters.values() ?? [])].map((type) => type.kind)).toEqual([
      ...['ipaddress', 'timestamp', 'duration', 'uint', 'bool'],
    ]);
  });

  it('may be unused, because tuples of another model version can name them', () => {
    expect(issuesOf(() => parseModel({ dsl: dslOf('condition c(x: int) {\n x < 1\n}\n') }))).toEqual([]);
  });
});

describe('layout does not matter', () => {
  const plain = frame('[user] or a');
  const layouts = [
    { name: 'CRLF', dsl: plain.replaceAll('\n', '\r\n') },
    { name: 'byte order mark', dsl: `\uFEFF${plain}` },
    { name: 'comments', dsl: plain.replaceAll('\n', ' # a comment (with [marks\n') },
    { name: 'comment lines', dsl: plain.replaceAll('\n', '\n   # type user\n\n') },
    { name: 'many blank lines', dsl: plain.replaceAll('\n', '\n'.repeat(3000)) },
    { name: 'trailing blanks', dsl: plain.replaceAll('\n', `${' '.repeat(1000)}\n`) },
    { name: 'no final newline', dsl: plain.trimEnd() },
    { name: 'tabs', dsl: plain.replaceAll('  ', '\t') },
  ];
  it.each(layouts)('$name', ({ dsl }) => {
    expect(parseModel({ dsl })).toEqual(parseModel({ dsl: plain }));
  });
});

const syntax = [
  { name: 'empty', dsl: '', at: '1:1' },
  { name: 'no header', dsl: 'type user', at: '1:1' },
  { name: 'a colon forgotten', dsl: dslOf('type doc\n  relations\n    define x [user]\n'), at: '6:14' },
  { name: 'a bracket forgotten', dsl: dslOf('type doc\n  relations\n    define x: [user\n'), at: '7:1' },
  { name: 'mixed operators', dsl: dslOf('type doc\n  relations\n    define x: [user] or a and b\n'), at: '6:27' },
  {
    name: 'after comments and bodies',
    dsl: dslOf('# one\n\n\n\n# two\ncondition c(x: int) {\n  x <\n\n   1\n}\ntype doc\n  relations\n    define\n'),
    at: '14:1',
  },
  { name: 'a stray character', dsl: dslOf('type doc\n  relations\n    define x: [user] | a\n'), at: '6:22' },
  { name: 'extend in one text', dsl: dslOf('extend type user\n  relations\n    define x: [user]\n'), at: '4:13' },
  {
    name: 'a relation defined twice',
    dsl: dslOf('type doc\n  relations\n    define x: [user]\n    define x: [user]\n'),
    at: '7:12',
  },
  {
    name: 'a condition defined twice',
    dsl: dslOf('condition c(x: int) { x < 1 }\ncondition c(x: int) { x < 1 }'),
    at: '5:11',
  },
  { name: 'a parameter declared twice', dsl: dslOf('condition c(x: int, x: int) { x < 1 }'), at: '4:21' },
  { name: 'a parameter of type any', dsl: dslOf(`condition c(x: ${'any'}) { true }`), at: '4:16' },
  {
    name: 'a name that objects have',
    dsl: dslOf('type doc\n  relations\n    define constructor: [user]\n'),
    at: '6:12',
  },
  { name: 'a prototype as a type', dsl: dslOf('type __proto__\n'), at: '4:6' },
  { name: 'a prototype as a condition', dsl: dslOf('condition __proto__(x: int) { x < 1 }\n'), at: '4:11' },
];

describe('what does not parse is refused with its place', () => {
  it.each(syntax)('$name', ({ dsl, at }) => {
    const [first] = issuesOf(() => parseModel({ dsl }));
    expect(first?.split(' ')[0]).toBe(at);
  });

  it('an unknown schema', () => {
    expect(issuesOf(() => parseModel({ dsl: 'model\n  schema 1.0\ntype user\n' }))).toEqual([
      '2:10 schema 1.0 is not supported; write 1.1 or 1.2',
    ]);
  });
});

function relationOf(dsl: string, type: string, relation: string): RelationDefinition {
  const found = parseModel({ dsl }).types.get(type)?.relations.get(relation);
  if (found === undefined) throw new Error(`no ${type}#${relation}`);
  return found;
}
