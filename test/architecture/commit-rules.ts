import type { SourceFile } from './source-tree.ts';

/** The file that alone hands commands to the engine. */
const owner = 'src/kernel/commits/commit.ts';
/** A command, whatever the engine makes one of by itself, and retries of one's own. */
const write =
  /\.submit\((?!\))|\.(?:create|open|delete)Store\(|\bstore\.write(?:Model|PreparedModel)?\(|(?<!function )\bsettleRaces\(/;

/** Files that write past the owner need an entry; an entry that is no longer needed is a breach too. */
export function writesPastCommit(files: readonly SourceFile[], allowed: Readonly<Record<string, string>>): string[] {
  const found = new Set(files.filter(({ path, text }) => path !== owner && write.test(text)).map(({ path }) => path));
  const breaches = [...found].filter((path) => allowed[path] === undefined);
  const needless = Object.keys(allowed).filter((path) => !found.has(path));
  return [
    ...breaches.map((path) => `${path}: writes to a store past ${owner}`),
    ...needless.map((path) => `${path}: needs no entry among those that write by themselves`),
  ];
}
