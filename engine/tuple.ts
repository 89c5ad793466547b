import { EngineError } from './errors.ts';

/** A condition bound to one tuple; its context outranks the request's. */
export interface TupleCondition {
  readonly name: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

/**
 * One stored relationship. `object` is `type:id`; `subject` is `type:id`, a userset `type:id#relation` or a wildcard
 * `type:*`. `expiresAt` is in milliseconds since the epoch; the tuple counts while the clock is below it.
 */
export interface Tuple {
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
  readonly condition?: TupleCondition;
  readonly expiresAt?: number;
}

export interface ObjectRef {
  readonly type: string;
  readonly id: string;
}

export interface SubjectRef extends ObjectRef {
  /** The empty string for an object, `*` for a wildcard (its id is then `*` as well), a relation for a userset. */
  readonly relation: string;
}

export const ID_BYTES_MAX = 256;
const NAME = /^[^\s:#@*]{1,254}$/u;
const encoder = new TextEncoder();

/** Splits `type:id` at the first colon. `where` names the field in the error. */
export function parseObject(text: string, where = 'object'): ObjectRef {
  const colon = text.indexOf(':');
  if (colon < 1) throw invalid(where, 'must be type:id', text);
  const type = text.slice(0, colon);
  const id = text.slice(colon + 1);
  if (!NAME.test(type)) throw invalid(where, 'has a malformed type', text);
  requireId(id, where, text);
  if (id === '*') throw invalid(where, 'cannot be a wildcard', text);
  return { type, id };
}

/** Reads a subject: `type:id`, `type:id#relation` or `type:*`. */
export function parseSubject(text: string, where = 'subject'): SubjectRef {
  const colon = text.indexOf(':');
  if (colon < 1) throw invalid(where, 'must be type:id, type:id#relation or type:*', text);
  const type = text.slice(0, colon);
  if (!NAME.test(type)) throw invalid(where, 'has a malformed type', text);
  const rest = text.slice(colon + 1);
  if (rest === '*') return { type, id: '*', relation: '*' };
  const hash = rest.lastIndexOf('#');
  const id = hash < 0 ? rest : rest.slice(0, hash);
  const relation = hash < 0 ? '' : rest.slice(hash + 1);
  requireId(id, where, text);
  if (id === '*') throw invalid(where, 'cannot name a relation of a wildcard', text);
  if (hash >= 0) requireRelation(relation, where);
  return { type, id, relation };
}

export function requireRelation(relation: string, where = 'relation'): void {
  if (!NAME.test(relation)) throw invalid(where, 'has a malformed relation', relation);
}

/** Reads `object#relation@subject`. The relation ends at the first `@` that follows the first `#`. */
export function parseTuple(text: string): Tuple {
  const hash = text.indexOf('#');
  const at = text.indexOf('@', hash + 1);
  if (hash < 0 || at < 0) throw invalid('tuple', 'must be object#relation@subject', text);
  return { object: text.slice(0, hash), relation: text.slice(hash + 1, at), subject: text.slice(at + 1) };
}

export function formatTuple(tuple: Tuple): string {
  return `${tuple.object}#${tuple.relation}@${tuple.subject}`;
}

function requireId(id: string, where: string, text: string): void {
  if (id.length === 0) throw invalid(where, 'has an empty id', text);
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    if (code <= 0x20 || code === 0x23 || code === 0x7f || (code >= 0x80 && code <= 0x9f)) {
      throw invalid(where, 'has an id with white space, # or a control character', text);
    }
    if (code > 0x7f) return requireWideId(id, where, text);
  }
  if (id.length > ID_BYTES_MAX) throw invalid(where, `has an id over ${ID_BYTES_MAX} bytes`, text);
}

/** Two different lone surrogates become the same UTF-8 bytes, so that ids which are not well-formed are refused. */
function requireWideId(id: string, where: string, text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  if (/[\s#\u0000-\u001f\u007f-\u009f]/u.test(id)) {
    throw invalid(where, 'has an id with white space, # or a control character', text);
  }
  if (/\p{Surrogate}/u.test(id)) throw invalid(where, 'has an id that is not well-formed Unicode', text);
  if (encoder.encode(id).length > ID_BYTES_MAX) throw invalid(where, `has an id over ${ID_BYTES_MAX} bytes`, text);
}

function invalid(where: string, rule: string, text: string): EngineError {
  return new EngineError('invalid_tuple', `${where} ${rule}`, { path: where, value: text.slice(0, 80) });
}
