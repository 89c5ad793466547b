import type { EngineError } from '../../errors.ts';
import { type NameKind, nameFault } from '../check/names.ts';
import { invalidModel } from '../issues.ts';
import { text } from '../plain-json.ts';

const PARAMETER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What the language can write. */
const WORD = /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/;

/** A name that the language can write. Throws `invalid_model`. */
export function named(kind: NameKind | 'parameter', json: unknown, path: string): string {
  const name = text(json, path);
  if (kind === 'parameter') {
    if (PARAMETER.test(name)) return name;
    throw fault(path, `${name.slice(0, 80)} cannot name a parameter`);
  }
  const reason = nameFault(kind, name) ?? (WORD.test(name) ? undefined : `\`${name}\` cannot name a ${kind}`);
  if (reason !== undefined) throw fault(path, reason);
  return name;
}

/** What is wrong at a path of the JSON. */
export function fault(path: string, reason: string): EngineError {
  return invalidModel(path, [{ message: reason, file: path }]);
}
