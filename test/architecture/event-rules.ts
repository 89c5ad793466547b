import type { SourceFile } from './source-tree.ts';

const definition = /\b(?<!function )defineEvent(?:<[^(]*>)?\(\s*(?:\{\s*type: '([^']+)')?/g;

/** A type of events names itself in its first line, stands in the registry, and no other has its name. */
export function eventTypes(files: readonly SourceFile[], registered: readonly string[]): string[] {
  const known = new Set<string>();
  const breaches: string[] = [];
  for (const { path, text } of files) {
    for (const [, type] of text.matchAll(definition)) {
      if (type === undefined) breaches.push(`${path}: a type of events that does not begin with its name`);
      else if (known.has(type)) breaches.push(`${path}: a second type of events ${type}`);
      else if (!registered.includes(type)) breaches.push(`${path}: ${type} is not in the registry`);
      if (type !== undefined) known.add(type);
    }
  }
  const twice = registered.filter((type, place) => registered.indexOf(type) !== place);
  return [...breaches, ...twice.map((type) => `the registry has ${type} twice`)];
}

/** Only the room of events makes one past its type, and puts one on record. */
const owner = 'src/kernel/events/';
const literal = /\bas (?:unknown as )?DomainEvent\b|\beventRecords\.(?:append|put)\(/;

export function eventLiterals(files: readonly SourceFile[]): string[] {
  const found = files.filter(({ path, text }) => !path.startsWith(owner) && literal.test(text));
  return found.map(({ path }) => `${path}: an event that no type of events made`);
}
