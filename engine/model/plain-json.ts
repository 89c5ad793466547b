import { EngineError } from '../errors.ts';

/** Parts of a model that comes as JSON, each with its path from the root. They throw `invalid_model` with `details.path`. */
export function record(json: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(path);
  return json as Readonly<Record<string, unknown>>;
}

export function list(json: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(json)) throw malformed(path);
  return json;
}

export function text(json: unknown, path: string): string {
  if (typeof json !== 'string') throw malformed(path);
  return json;
}

export function malformed(path: string): EngineError {
  const where = path === '' ? 'it' : path;
  return new EngineError('invalid_model', `the JSON form of the model is malformed: ${where}`, { path });
}
