/** One import of a source file: what it names, and the line on which it does. */
export interface ImportStatement {
  readonly specifier: string;
  readonly line: number;
}

/** `import … from 'x'`, `export … from 'x'` and `import 'x'`; the formatter puts each at the beginning of a line. */
const statement = /^(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])([^'"\n]+)\1|^import\s*(['"])([^'"\n]+)\3/gm;
/** `import('x')`, also as a type, and `require('x')`, anywhere in a line. */
const call = /\b(?:import|require)\(\s*(['"`])([^'"`\n]+)\1/g;
/** A line of a comment. Comments that follow code on the same line hold no import. */
const comment = /^\s*(?:\/\/|\/?\*)/;

/**
 * Reads the imports of formatted TypeScript by its text: the tools that would read its syntax tree do not read files
 * of TypeScript 7 yet. Specifiers that are computed at run time are not seen.
 */
export function readImports(text: string): ImportStatement[] {
  const imports: ImportStatement[] = [];
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  for (const match of text.matchAll(statement)) {
    imports.push({ specifier: match[2] ?? match[4] ?? '', line: lineAt(match.index) });
  }
  text.split('\n').forEach((content, index) => {
    if (comment.test(content)) return;
    for (const match of content.matchAll(call)) imports.push({ specifier: match[2] ?? '', line: index + 1 });
  });
  return imports.sort((one, other) => one.line - other.line);
}
