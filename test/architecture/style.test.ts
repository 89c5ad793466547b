import { describe, expect, it } from 'vitest';
import { longFiles } from './long-files.ts';
import { readTree, repositoryRoot, type SourceFile } from './source-tree.ts';
import {
  anyType,
  crowdedFolder,
  defaultExport,
  emptyName,
  machinePath,
  notKebabCase,
  type StyleRule,
  tooLong,
  unfinished,
  unguardedWork,
} from './style-rules.ts';

const code = /\.(?:tsx?|mjs)$/;
const text = /\.(?:tsx?|mjs|json|md|ya?ml|fga|css|html)$|^Dockerfile$|^run$/;

const product = readTree(repositoryRoot, ['engine', 'src'], code);
const everything = readTree(repositoryRoot, ['engine', 'src', 'bench', 'test', 'scripts'], code);
const readable = readTree(repositoryRoot, ['.'], text);

const file = (path: string, content = ''): SourceFile => ({ path, text: content });
const lines = (count: number): string => 'a;\n'.repeat(count);
const files = (count: number): SourceFile[] => Array.from({ length: count }, (_, index) => file(`src/a/b${index}.ts`));

interface RuleCase {
  readonly name: string;
  readonly rule: StyleRule;
  readonly tree: readonly SourceFile[];
  readonly breaks: readonly SourceFile[][];
  readonly keeps: readonly SourceFile[][];
}

const rules: readonly RuleCase[] = [
  {
    name: 'no file is over 300 lines without a reason',
    rule: (tree) => tooLong(tree, tree === everything ? longFiles : {}),
    tree: everything,
    breaks: [[file('src/a.ts', lines(301))]],
    keeps: [[file('src/a.ts', lines(300))]],
  },
  {
    name: 'no folder holds over 12 files',
    rule: crowdedFolder,
    tree: product,
    breaks: [files(13)],
    keeps: [[...files(12), file('src/c.ts')]],
  },
  {
    name: 'names say what is inside',
    rule: emptyName,
    tree: everything,
    breaks: [
      [file('src/utils.ts')],
      [file('src/string-util.ts')],
      [file('src/helpers/a.ts')],
      [file('src/common.ts')],
      [file('src/misc/a.ts')],
      [file('test/helper.test.ts')],
    ],
    keeps: [[file('src/utility-bill.ts')], [file('src/uncommon.ts')]],
  },
  {
    name: 'names are in kebab-case',
    rule: notKebabCase,
    tree: everything,
    breaks: [[file('src/aB.ts')], [file('src/a_b.ts')], [file('src/A/b.ts')]],
    keeps: [[file('src/a-b/c2.test.ts')]],
  },
  {
    name: 'nothing is exported by default',
    rule: defaultExport,
    tree: product,
    breaks: [[file('src/a.ts', 'export default 1;')], [file('src/a.ts', 'export { a as default };')]],
    keeps: [[file('src/a.ts', 'export const fallback = 1;')]],
  },
  {
    name: 'nothing has the type any',
    rule: anyType,
    tree: everything.filter(({ path }) => !path.startsWith('test/architecture/')),
    breaks: [
      [file('src/a.ts', 'const a = b as any;')],
      [file('src/a.ts', 'function a(b: any): void {}')],
      [file('src/a.ts', 'type A = Record<string, any>;')],
      [file('src/a.ts', 'let a: any[];')],
      [file('src/a.ts', 'let a: string | any;')],
    ],
    keeps: [[file('src/a.ts', "// of any, or none\nconst a: string = 'any'; many(as, anyOne);")]],
  },
  {
    name: 'nothing is marked as unfinished',
    rule: unfinished,
    tree: readable,
    breaks: [[file('src/a.ts', `// ${'TO'}${'DO'}: more`)], [file('README.md', `${'FIX'}${'ME'}`)]],
    keeps: [[file('src/a.ts', 'const todos = [];')]],
  },
  {
    name: 'nothing names a path of one machine',
    rule: machinePath,
    tree: readable,
    breaks: [
      [file('a.md', `see /${'home'}/me/a.ts`)],
      [file('a.ts', `'/${'tmp'}/a'`)],
      [file('a.ts', `"/${'root'}/a"`)],
    ],
    keeps: [[file('a.ts', "'/Users/{id}' + 'https://a.example/home/b' + 'src/work/a.ts'")]],
  },
  {
    name: 'no timer and no message runs anything without the guard of background work',
    rule: unguardedWork,
    tree: product,
    breaks: [
      [file('src/a.ts', 'setInterval(sweep, 1000);')],
      [file('src/a.ts', 'this.#timer = setTimeout(() => this.#send(), 10);')],
      [file('src/a.ts', 'setImmediate(() => void this.#write());')],
      [file('src/a.ts', "port.on('message', async ({ kind }) => {")],
    ],
    keeps: [
      [file('src/platform/background/background.ts', 'timer = setTimeout(turn, 10);')],
      [file('src/a.ts', 'await new Promise((resolve) => setTimeout(resolve, pollMs));')],
      [file('src/a.ts', "timer = setTimeout(() => reject(new OutboundError('timeout')), 10);")],
      [file('src/a.ts', "setImmediate(background.guarded('connections', refuse));")],
      [file('src/a.ts', "port.on('message', (message) => this.#returned(message));")],
    ],
  },
];

describe('style', () => {
  it.each(rules)('$name', ({ rule, tree }) => {
    expect(tree.length).toBeGreaterThan(0);
    expect(rule(tree)).toEqual([]);
  });

  describe.each(rules)('the rule that $name', ({ rule, breaks, keeps }) => {
    it.each(breaks)('is broken by %o', (...tree) => expect(rule(tree)).toHaveLength(1));
    it.each(keeps)('is kept by %o', (...tree) => expect(rule(tree)).toEqual([]));
  });

  it('drops an entry of the long files that is no longer needed', () => {
    const reasons = { 'src/a.ts': 'it is one table' };
    expect(tooLong([file('src/a.ts', lines(301))], reasons)).toEqual([]);
    expect(tooLong([file('src/a.ts', lines(10))], reasons)).toHaveLength(1);
    expect(tooLong([], reasons)).toHaveLength(1);
  });
});
