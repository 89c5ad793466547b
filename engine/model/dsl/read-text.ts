import type { ConditionDefinition } from '../../condition/condition.ts';
import { issueAt, type Position } from '../issues.ts';
import type { ModelIssue, TypeDefinition } from '../model.ts';
import { guard } from './guard.ts';
import { languageParser } from './language-parser.ts';
import { type Outline, outline } from './outline.ts';
import { type Scan, scan } from './scan.ts';
import { syntaxFault } from './syntax-message.ts';
import { type RawModel, translateCondition, translateType } from './translate.ts';

/** What one text or module defines, before anything has looked at what its names mean. */
export interface Draft {
  /** Absent where the text is a module. */
  readonly schemaVersion?: string;
  readonly file?: string;
  /** One for each `type` and `extend type`, in the order of `outline.types`. */
  readonly types: readonly TypeDefinition[];
  readonly conditions: readonly ConditionDefinition[];
  readonly outline: Outline;
}

export type ReadResult = { readonly draft: Draft } | { readonly issues: readonly ModelIssue[] };

/** Parses one text. `file` goes into the positions of its issues. */
export function readText(text: string, file?: string): ReadResult {
  const scanned = scan(text);
  const refused = guard(scanned.tokens);
  if (refused.length > 0) return { issues: refused.map((issue) => inFile(issue, file)) };
  let raw: RawModel;
  try {
    // The declared result is a type of a package that is not installed; RawModel is what the parser builds.
    raw = languageParser().transformer.transformDSLToJSONObject(scanned.plainText) as RawModel;
  } catch (error) {
    return { issues: syntaxIssues(error, scanned).map((issue) => inFile(issue, file)) };
  }
  return { draft: draftOf(raw, outline(scanned.tokens, file), file) };
}

function draftOf(raw: RawModel, found: Outline, file: string | undefined): Draft {
  const rawConditions = new Map(Object.entries(raw.conditions ?? {}));
  return {
    ...(raw.schema_version === undefined ? {} : { schemaVersion: raw.schema_version }),
    ...(file === undefined ? {} : { file }),
    types: (raw.type_definitions ?? []).map(translateType),
    conditions: found.conditions.map((condition) =>
      translateCondition(condition, rawConditions.get(condition.name) ?? {}),
    ),
    outline: found,
  };
}

/**
 * The first fault: what the parser says after it rests on a guess. It counts lines and columns from 0, in the text that
 * it was given.
 */
function syntaxIssues(error: unknown, scanned: Scan): ModelIssue[] {
  if (!(error instanceof languageParser().errors.DSLSyntaxError)) {
    return [issueAt({ line: 1, column: 1 }, 'the model cannot be parsed')];
  }
  const [first] = error.errors;
  const stopped: Position = {
    line: scanned.lines[first?.line?.start ?? 0] ?? scanned.lines.at(-1) ?? 1,
    column: (first?.column?.start ?? 0) + 1,
  };
  const { at, message } = syntaxFault(scanned.tokens, stopped);
  return [issueAt(at, message)];
}

function inFile(issue: ModelIssue, file: string | undefined): ModelIssue {
  return file === undefined ? issue : { ...issue, file };
}
