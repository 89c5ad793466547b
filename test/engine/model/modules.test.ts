import { describe, expect, it } from 'vitest';
import { parseModel, parseModFile } from '../../../engine/model/index.ts';
import { issuesOf } from './models.ts';

const core = {
  name: 'core.fga',
  contents: 'module core\n\ntype user\n\ntype org\n  relations\n    define member: [user]\n',
};
const wiki = {
  name: 'wiki/pages.fga',
  contents:
    'module wiki\n\nextend type org\n  relations\n    define can_write: member\n\ntype page\n  relations\n    define org: [org]\n    define writer: can_write from org\n',
};

describe('modules', () => {
  it('make one model', () => {
    const model = parseModel({ modules: [core, wiki] });
    expect(model.schemaVersion).toBe('1.2');
    expect([...model.types.keys()]).toEqual(['user', 'org', 'page']);
    expect([...(model.types.get('org')?.relations.keys() ?? [])]).toEqual(['member', 'can_write']);
  });

  it('do so in any order', () => {
    const model = parseModel({ modules: [wiki, core] });
    expect([...(model.types.get('org')?.relations.keys() ?? [])]).toEqual(['member', 'can_write']);
  });

  it('may hold conditions', () => {
    const module = { name: 'c.fga', contents: 'module c\ncondition c(x: int) {\n  x < 1\n}\n' };
    expect(parseModel({ modules: [core, module] }).conditions.get('c')?.expression).toBe('x < 1');
  });
});

const refused = [
  { name: 'none', modules: [], issues: ['1:1 a model needs at least one module'] },
  { name: 'two of one name', modules: [core, core], issues: ['core.fga:1:1 two modules have this name'] },
  {
    name: 'a model among them',
    modules: [core, { name: 'm.fga', contents: 'model\n  schema 1.2\ntype a\n' }],
    issues: ['m.fga:1:1 a module begins with `module` and its name'],
  },
  { name: 'a syntax error', modules: [core, { name: 'm.fga', contents: 'module m\ntype\n' }], issues: ['m.fga:2:5'] },
  {
    name: 'a type of two modules',
    modules: [core, { name: 'm.fga', contents: 'module m\ntype org\n' }],
    issues: ['m.fga:2:6 the type `org` is defined twice'],
  },
  {
    name: 'an unknown type extended',
    modules: [core, { name: 'm.fga', contents: 'module m\nextend type orgg\n  relations\n    define x: [user]\n' }],
    issues: ['m.fga:2:13 `orgg` cannot be extended'],
  },
  {
    name: 'a relation that is there',
    modules: [core, { name: 'm.fga', contents: 'module m\nextend type org\n  relations\n    define member: [user]\n' }],
    issues: ['m.fga:4:12 the type `org` already has the relation `member`'],
  },
  {
    name: 'an extension in one file twice',
    modules: [
      core,
      {
        name: 'm.fga',
        contents:
          'module m\nextend type org\n  relations\n    define a: [user]\nextend type org\n  relations\n    define b: [user]\n',
      },
    ],
    issues: ['m.fga:5:13'],
  },
  {
    name: 'an unknown relation in an extension',
    modules: [core, { name: 'm.fga', contents: 'module m\nextend type org\n  relations\n    define x: nobody\n' }],
    issues: ['m.fga:4:15 the relation `nobody` of `org` does not exist'],
  },
  {
    name: 'a condition of two modules',
    modules: [
      core,
      { name: 'a.fga', contents: 'module a\ncondition c(x: int) { x < 1 }\n' },
      { name: 'b.fga', contents: 'module b\ncondition c(x: int) { x < 1 }\n' },
    ],
    issues: ['b.fga:2:11 the condition `c` is defined twice'],
  },
  {
    name: 'a condition with a wrong type',
    modules: [core, { name: 'a.fga', contents: 'module a\ncondition c(x: int) {\n  x < "a" }\n' }],
    issues: ['a.fga:3:3 condition `c`: no such overload'],
  },
  {
    name: 'too many',
    modules: Array.from({ length: 257 }, (_, index) => ({ name: `${index}.fga`, contents: 'module m\n' })),
    issues: ['1:1 a model is limited to 256 modules'],
  },
  {
    name: 'too long together',
    modules: [core, { name: 'a.fga', contents: ' '.repeat(200_000) }, { name: 'b.fga', contents: ' '.repeat(70_000) }],
    issues: ['1:1 a model is limited to 262144 characters'],
  },
];

describe('modules are refused with the file and the place', () => {
  it.each(refused)('$name', ({ modules, issues }) => {
    const found = issuesOf(() => parseModel({ modules }));
    expect(found).toHaveLength(issues.length);
    for (const [index, issue] of issues.entries()) expect(found[index]?.startsWith(issue)).toBe(true);
  });

  it('a module that stands alone as a text', () => {
    expect(issuesOf(() => parseModel({ dsl: core.contents }))).toEqual([
      '1:1 a model begins with `model` and its schema',
    ]);
  });
});

describe('fga.mod', () => {
  it('lists the files', () => {
    const text = "schema: '1.2'\ncontents:\n  - core.fga\n  - wiki/pages.fga\n";
    expect(parseModFile(text)).toEqual({ schema: '1.2', contents: ['core.fga', 'wiki/pages.fga'] });
  });

  const bad = [
    { name: 'empty', text: '', issues: ['1:1 fga.mod needs'] },
    { name: 'a list', text: '- a.fga', issues: ['1:1 fga.mod needs'] },
    { name: 'no schema', text: 'contents:\n  - a.fga\n', issues: ["1:1 `schema` must be the string '1.2'"] },
    { name: 'a number as schema', text: 'schema: 1.2\ncontents:\n  - a.fga\n', issues: ['1:9 `schema` must be'] },
    { name: 'another schema', text: "schema: '1.1'\ncontents:\n  - a.fga\n", issues: ['1:9 `schema` must be'] },
    { name: 'no contents', text: "schema: '1.2'\n", issues: ['1:1 `contents` must list'] },
    { name: 'no files', text: "schema: '1.2'\ncontents: []\n", issues: ['2:11 `contents` must list'] },
    {
      name: 'a climbing path',
      text: "schema: '1.2'\ncontents:\n  - a/../../b.fga\n",
      issues: ['3:5 a module file must be below'],
    },
    {
      name: 'an encoded climbing path',
      text: "schema: '1.2'\ncontents:\n  - '%2E%2e%2Fb.fga'\n",
      issues: ['3:5 a module file must be below'],
    },
    {
      name: 'a climbing path with backslashes',
      text: "schema: '1.2'\ncontents:\n  - ..\\b.fga\n",
      issues: ['3:5 a module file must be below'],
    },
    { name: 'absolute paths', text: "schema: '1.2'\ncontents:\n  - /b.fga\n  - C:\\b.fga\n", issues: ['3:5', '4:5'] },
    {
      name: 'another ending',
      text: "schema: '1.2'\ncontents:\n  - b.yaml\n  - 5\n",
      issues: ['3:5 the name of a module file', '4:5 a module file is named'],
    },
    { name: 'broken YAML', text: "schema: '1.2\n", issues: ['2:1'] },
    { name: 'huge', text: ' '.repeat(70_000), issues: ['1:1 fga.mod is limited'] },
  ];
  it.each(bad)('is refused: $name', ({ text, issues }) => {
    const found = issuesOf(() => parseModFile(text));
    expect(found).toHaveLength(issues.length);
    for (const [index, issue] of issues.entries()) expect(found[index]?.startsWith(issue)).toBe(true);
  });
});
