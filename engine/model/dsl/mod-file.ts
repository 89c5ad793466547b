import type { LineCounter, Node, YAMLMap } from 'yaml';
import { issueAt, NOWHERE, type Position, throwIssues } from '../issues.ts';
import { MODEL_LIMITS } from '../limits.ts';
import type { ModelIssue } from '../model.ts';
import { yamlParser } from './language-parser.ts';

/** What an `fga.mod` file says: the schema, and the module files relative to it, in order. */
export interface ModFile {
  readonly schema: '1.2';
  readonly contents: readonly string[];
}

const TEXT_MAX = 65_536;

/**
 * Reads the text of an `fga.mod` file (openfga.dev, "Modular Models"). The names are those of files below its folder:
 * absolute ones and ones that climb are refused, also where their separators are percent-encoded.
 *
 * Throws `invalid_model` with `details.issues`.
 */
export function parseModFile(text: string): ModFile {
  if (text.length > TEXT_MAX) throwIssues([issueAt(NOWHERE, `fga.mod is limited to ${TEXT_MAX} characters`)]);
  const { isMap, isScalar, isSeq, LineCounter: Lines, parseDocument } = yamlParser();
  const lines = new Lines();
  const document = parseDocument(text, { lineCounter: lines });
  const positionOf = (node: Node | null | undefined): Position => positionAt(lines, node?.range?.[0]);
  throwIssues(document.errors.map((error) => issueAt(positionAt(lines, error.pos[0]), firstLine(error.message))));
  const root = document.contents;
  if (!isMap(root)) {
    throwIssues([issueAt(NOWHERE, 'fga.mod needs the fields `schema` and `contents`')]);
    return { schema: '1.2', contents: [] };
  }
  const issues = schemaIssues(root, positionOf);
  const contents: string[] = [];
  const list = root.get('contents', true) as Node | undefined;
  if (isSeq(list) && list.items.length > 0 && list.items.length <= MODEL_LIMITS.modules) {
    for (const item of list.items as Node[]) {
      const name = isScalar(item) && typeof item.value === 'string' ? decode(item.value) : undefined;
      const fault = name === undefined ? 'a module file is named by a string' : fileFault(name);
      if (fault !== undefined) issues.push(issueAt(positionOf(item), fault));
      else if (name !== undefined) contents.push(name);
    }
  } else {
    issues.push(issueAt(positionOf(list), `\`contents\` must list 1 to ${MODEL_LIMITS.modules} module files`));
  }
  throwIssues(issues);
  return { schema: '1.2', contents };
}

function schemaIssues(root: YAMLMap, positionOf: (node: Node | undefined) => Position): ModelIssue[] {
  const schema = root.get('schema', true) as Node | undefined;
  if (yamlParser().isScalar(schema) && schema.value === '1.2') return [];
  return [issueAt(positionOf(schema), "`schema` must be the string '1.2'")];
}

function fileFault(name: string): string | undefined {
  if (!name.endsWith('.fga')) return 'the name of a module file ends in .fga';
  const steps = name.split(/[/\\]/);
  const climbs = steps.includes('..') || steps[0] === '' || /^[A-Za-z]:/.test(name);
  return climbs || name.includes('\0') ? 'a module file must be below the folder of fga.mod' : undefined;
}

function decode(name: string): string {
  return name.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\');
}

function positionAt(lines: LineCounter, offset: number | undefined): Position {
  if (offset === undefined) return NOWHERE;
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message;
}
