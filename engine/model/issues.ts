import { EngineError } from '../errors.ts';
import { MODEL_LIMITS } from './limits.ts';
import type { ModelIssue } from './model.ts';

/** Where something stands in the text of a model. Lines and columns count from 1. */
export type Position = Omit<ModelIssue, 'message'>;

/** What stands in no text (the JSON form, a base model) is blamed on the beginning. */
export const NOWHERE: Position = { line: 1, column: 1 };

export function issueAt(position: Position, message: string): ModelIssue {
  return { message, ...position };
}

/** Throws `invalid_model` with `details.issues` in the order of the text, unless there are none. */
export function throwIssues(issues: readonly ModelIssue[]): void {
  const sorted = [...issues].sort(
    (left, right) => compare(left.file ?? '', right.file ?? '') || left.line - right.line || left.column - right.column,
  );
  const [first] = sorted;
  if (first === undefined) return;
  const { file, line, column } = first;
  throw invalidModel(`${file === undefined ? '' : `${file}, `}line ${line}, column ${column}`, sorted);
}

/** What is wrong with a model: the first fault and where it is, and how many others there are. */
export function invalidModel(where: string, issues: readonly Pick<ModelIssue, 'message' | 'file'>[]): EngineError {
  const others = issues.length < 2 ? '' : ` (and ${issues.length - 1} more)`;
  return new EngineError('invalid_model', `${where}: ${issues[0]?.message}${others}`, {
    issues: issues.slice(0, MODEL_LIMITS.issues),
  });
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
