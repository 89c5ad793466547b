import type { SourceFile } from './source-tree.ts';

/** Rooms that make versions: the engine and the kernel. */
const owners = ['engine/', 'src/kernel/'];
const guess = /\bversion\b(?:\s*\?\?\s*0\s*\))?\s*\+\s*1\b/;
/** `roleView(store, entry)`, `view.of(store, entry, family)`. */
const view = /\b(?:view\.of|(?:\w+V|v)iew)\(/;

/**
 * What is answered is read after the commit. Files that guess the version that a record will have, or make a view inside
 * a transaction, need an entry; an entry that is no longer needed is a breach too.
 */
export function predictedViews(files: readonly SourceFile[], allowed: Readonly<Record<string, string>>): string[] {
  const found = new Map<string, string>();
  for (const { path, text } of files) {
    const isOwner = owners.some((owner) => path.startsWith(owner));
    if (!isOwner && guess.test(text)) found.set(path, 'guesses the version that a record will have');
    else if (transactionsIn(text).some((block) => view.test(block))) found.set(path, 'makes a view in a transaction');
  }
  const breaches = [...found].filter(([path]) => allowed[path] === undefined);
  const needless = Object.keys(allowed).filter((path) => !found.has(path));
  return [
    ...breaches.map(([path, what]) => `${path}: ${what}`),
    ...needless.map((path) => `${path}: needs no entry among those that predict`),
  ];
}

/** Functions that have a transaction: `(transaction, …) =>`, and those at the top of a file that are given one. */
function transactionsIn(text: string): string[] {
  const arrows = text.matchAll(/\(transaction\b[^()]*\)(?:: [^=]+)? =>/g);
  const declared = text.matchAll(/^(?:export )?(?:async )?function \w+[^{]*\btransaction: [\s\S]*?^\}/gm);
  const named = text.matchAll(/^(?:export )?(?:async )?function \w+[^;]*?: \w*Transaction\b[\s\S]*?^\}/gm);
  return [
    ...[...arrows].map((arrow) => expressionAt(text, arrow.index + arrow[0].length)),
    ...[...declared, ...named].map(([block]) => block),
  ];
}

/** Up to what ends it: a bracket that was open before, a comma or a semicolon. */
function expressionAt(text: string, start: number): string {
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    const character = text.charAt(place);
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    if (depth < 0 || (depth === 0 && ',;'.includes(character))) return text.slice(start, place);
  }
  return text.slice(start);
}
