import { basename, dirname, join } from 'node:path';
import { EngineError, type ModelIssue, type ModelSource, parseModFile } from '#engine';
import { CliError } from '../cli-error.ts';
import { readStoreFile, readText, type StoreFile } from './store-file.ts';

/** A model file: `.fga` (the language), `fga.mod` (a list of modules), or a store file that has or names one. */
export async function readModel(path: string): Promise<ModelSource> {
  const name = basename(path);
  if (name.endsWith('.mod')) return readModules(path);
  if (/\.ya?ml$/.test(name)) return modelOf(await readStoreFile(path), path);
  if (name.endsWith('.json')) {
    throw new CliError(`${path}: models are read in the OpenFGA language; convert it with "fga model transform"`);
  }
  return { dsl: await readText(path) };
}

/** The model of a store file. Files that it names are relative to it. */
export async function modelOf(file: StoreFile, path: string): Promise<ModelSource> {
  if (file.model !== undefined && file.model_file !== undefined) {
    throw new CliError(`${path}: has both model and model_file`);
  }
  if (file.model !== undefined) return { dsl: file.model };
  if (file.model_file !== undefined) return readModel(join(dirname(path), file.model_file));
  throw new CliError(`${path}: has neither model nor model_file`);
}

async function readModules(path: string): Promise<ModelSource> {
  const text = await readText(path);
  const { contents } = located(path, () => parseModFile(text));
  const modules = await Promise.all(
    contents.map(async (name) => ({ name, contents: await readText(join(dirname(path), name)) })),
  );
  return { modules };
}

/** Runs what may throw `invalid_model`, and turns its first issue into a line with its position. */
export function located<T>(path: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    const issues = modelIssues(error);
    if (issues === undefined) throw error;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more: see "relata model validate")` : '';
    throw new CliError(`${issueText(path, issues[0] as ModelIssue)}${more}`);
  }
}

/** The issues of an `invalid_model`; undefined for any other error. */
export function modelIssues(error: unknown): readonly ModelIssue[] | undefined {
  if (!(error instanceof EngineError) || error.code !== 'invalid_model') return undefined;
  const { issues } = error.details as { issues?: readonly ModelIssue[] };
  return issues === undefined || issues.length === 0 ? [{ message: error.message, line: 1, column: 1 }] : issues;
}

/** `file:line:column: message`, as compilers write it. A module's own file comes first where it has one. */
export function issueText(path: string, { message, line, column, file }: ModelIssue): string {
  return `${file === undefined ? path : join(dirname(path), file)}:${line}:${column}: ${message}`;
}
