import { modelIssues } from './check/validate.ts';
import { combine } from './dsl/combine.ts';
import { type Draft, readText } from './dsl/read-text.ts';
import { issueAt, NOWHERE, throwIssues } from './issues.ts';
import { MODEL_LIMITS } from './limits.ts';
import { mergeWithIssues, type SharedType, sharedTypes } from './merge.ts';
import type { Model, ModelIssue, ModelSource } from './model.ts';

export interface ParseOptions {
  /** A model that the source is merged into, see `mergeModels`. The source may use its types without declaring them. */
  readonly base?: Model;
}

/**
 * Reads a model in the OpenFGA language, schema 1.1 or 1.2 (openfga.dev, "Configuration Language"), and validates it:
 * with `base`, the result of the merge as a whole.
 *
 * Throws `invalid_model` with `details.issues: ModelIssue[]`, each with its line and column in the source.
 */
export function parseModel(source: ModelSource, options: ParseOptions = {}): Model {
  return parseShared(source, options).model;
}

/** The same, and what the source shares with the base. */
export function parseShared(
  source: ModelSource,
  { base }: ParseOptions = {},
): { readonly model: Model; readonly shared: readonly SharedType[] } {
  const modular = 'modules' in source;
  throwIssues(sizeIssues(source));
  const texts: readonly { name?: string; contents: string }[] = modular ? source.modules : [{ contents: source.dsl }];
  const results = texts.map(({ name, contents }) => readText(contents, name));
  throwIssues(results.flatMap((result) => ('issues' in result ? result.issues : [])));
  const drafts = results.flatMap((result): Draft[] => ('draft' in result ? [result.draft] : []));
  const own = combine(drafts, modular, (name) => base?.types.has(name) === true);
  throwIssues(own.issues);
  if (base === undefined) {
    throwIssues(modelIssues(own.model, own.positions));
    return { model: own.model, shared: [] };
  }
  const merged = mergeWithIssues(base, own.model, own.positions);
  throwIssues(merged.issues);
  throwIssues(modelIssues(merged.model, own.positions));
  return { model: merged.model, shared: sharedTypes(base, own.model, own.positions) };
}

function sizeIssues(source: ModelSource): ModelIssue[] {
  if ('dsl' in source) return tooLong(source.dsl.length) ? [issueAt(NOWHERE, lengthMessage)] : [];
  const { modules } = source;
  if (modules.length === 0) return [issueAt(NOWHERE, 'a model needs at least one module')];
  if (modules.length > MODEL_LIMITS.modules) {
    return [issueAt(NOWHERE, `a model is limited to ${MODEL_LIMITS.modules} modules`)];
  }
  const names = new Set<string>();
  const issues: ModelIssue[] = [];
  let length = 0;
  for (const { name, contents } of modules) {
    length += contents.length;
    if (names.has(name)) issues.push(issueAt({ ...NOWHERE, file: name }, 'two modules have this name'));
    names.add(name);
  }
  return tooLong(length) ? [issueAt(NOWHERE, lengthMessage)] : issues;
}

const lengthMessage = `a model is limited to ${MODEL_LIMITS.textLength} characters`;

function tooLong(length: number): boolean {
  return length > MODEL_LIMITS.textLength;
}
