import {
  EngineError,
  invalidModel,
  languageOf,
  type Model,
  type ModelIssue,
  type ModelSource,
  modelFromJson,
  type PreparedModel,
  type Store,
} from '#engine';
import type { SentModel } from '../zanzibar/model-body.ts';
import { clockWarning, type ModelWarning, modelWarnings } from '../zanzibar/model-warnings.ts';

/** A model that was read, as it will be kept. */
export interface ReadModel extends Omit<PreparedModel, 'shared'> {
  readonly source: ModelSource;
  readonly warnings: readonly ModelWarning[];
}

/**
 * Parses a model of an organization, merged with the system model. A condition's parameter `now` is the server's clock
 * in every question, so that it must be a time.
 * @throws EngineError `invalid_model`
 */
export function prepareModel(store: Store, sent: SentModel, base: Model): ReadModel {
  if (!('type_definitions' in sent)) return prepare(store, sent, base, pathInText);
  const { dsl, paths } = languageOf(sent);
  const pathOf = ({ line }: { readonly line: number }): string => paths[line - 1] ?? 'type_definitions';
  try {
    return prepare(store, { dsl }, base, pathOf);
  } catch (error) {
    throw inJson(error, pathOf);
  }
}

function pathInText({ file = 'dsl', line, column }: Omit<ModelIssue, 'message'>): string {
  return `${file}:${line}:${column}`;
}

function prepare(
  store: Store,
  source: ModelSource,
  base: Model,
  pathOf: (at: Omit<ModelIssue, 'message'>) => string,
): ReadModel {
  const { shared, ...prepared } = store.prepareModel(source, { base });
  const warnings = modelWarnings(shared, pathOf);
  for (const { name, parameters } of modelFromJson(prepared.json).conditions.values()) {
    const now = parameters.get('now');
    const position = now === undefined ? undefined : conditionPosition(source, name);
    if (position === undefined) continue;
    if (now?.kind === 'timestamp') {
      warnings.push(clockWarning(name, pathOf(position)));
      continue;
    }
    const message = `the parameter \`now\` of the condition \`${name}\` is the server's clock and must be a timestamp`;
    throw new EngineError('invalid_model', message, { issues: [{ message, ...position }] });
  }
  return { ...prepared, source, warnings };
}

/** Where a condition is defined; undefined for one of the system. */
function conditionPosition(source: ModelSource, name: string): Omit<ModelIssue, 'message'> | undefined {
  const texts = 'dsl' in source ? [{ contents: source.dsl }] : source.modules;
  for (const { contents, ...file } of texts) {
    const literal = name.replaceAll(/\W/g, '\\$&');
    const before = new RegExp(`^([ \\t]*condition[ \\t]+)${literal}[ \\t]*\\(`, 'm').exec(contents);
    if (before === null) continue;
    const line = contents.slice(0, before.index).split('\n').length;
    const column = (before[1] ?? '').length + 1;
    return { line, column, ...('name' in file ? { file: file.name } : {}) };
  }
  return undefined;
}

/** Lines and columns are those of a text that the caller has not seen: what is told is the path in the JSON. */
function inJson(error: unknown, pathOf: (at: { readonly line: number }) => string): unknown {
  if (!(error instanceof EngineError) || !Array.isArray(error.details.issues)) return error;
  const issues = (error.details.issues as readonly ModelIssue[]).map(({ message, line }) => ({
    message,
    file: pathOf({ line }),
  }));
  return invalidModel(issues[0]?.file ?? '', issues);
}
