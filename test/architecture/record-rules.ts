import type { SourceFile } from './source-tree.ts';

/** The room that alone makes changes and preconditions of records. */
const owner = 'src/kernel/records/';
const literal = /\bop: '(?:put|delete|append)_record'|\brequire: 'record(?:_version|_absent|s_at_most)'/;

/** Files that write records without their kind need an entry; an entry that is no longer needed is a breach too. */
export function recordLiterals(files: readonly SourceFile[], pending: readonly string[]): string[] {
  const found = new Set(files.filter(({ text }) => literal.test(text)).map(({ path }) => path));
  const breaches = [...found].filter((path) => !path.startsWith(owner) && !pending.includes(path));
  const needless = pending.filter((path) => !found.has(path));
  return [
    ...breaches.map((path) => `${path}: a change or precondition of a record without its kind`),
    ...needless.map((path) => `${path}: needs no entry among those without a kind`),
  ];
}

const definition = /\b(?<!function )defineRecord(?:<[^(]*>)?\(\s*(?:\{\s*collection: '([^']+)')?/g;

/** A kind of record names its collection in its first line, stands in the registry, and shares its collection with none. */
export function recordKinds(files: readonly SourceFile[], registered: readonly string[]): string[] {
  const known = new Set<string>();
  const breaches: string[] = [];
  for (const { path, text } of files) {
    for (const [, collection] of text.matchAll(definition)) {
      if (collection === undefined) breaches.push(`${path}: a kind of record that does not begin with its collection`);
      else if (known.has(collection)) breaches.push(`${path}: a second kind of record for ${collection}`);
      else if (!registered.includes(collection)) breaches.push(`${path}: ${collection} is not in the registry`);
      if (collection !== undefined) known.add(collection);
    }
  }
  const twice = registered.filter((collection, place) => registered.indexOf(collection) !== place);
  return [...breaches, ...twice.map((collection) => `the registry has ${collection} twice`)];
}
