import { MODEL_LIMITS } from '../limits.ts';
import { list, record, text } from '../plain-json.ts';
import { rewriteText } from './rewrite-text.ts';
import { fault, named } from './words.ts';

/** A model as text, and where each of its lines comes from. */
export interface WrittenModel {
  readonly dsl: string;
  /** By line, the path in the JSON: `type_definitions[2].relations.viewer`. */
  readonly paths: readonly string[];
}

/**
 * The text of a model that comes as OpenFGA's JSON (`schema_version`, `type_definitions`, `conditions`), so that it is read,
 * kept and shown as any other. What the text says is judged when it is read.
 *
 * Throws `invalid_model` with `details.path` where the JSON is malformed, or says what the language cannot: that a list of
 * direct subjects is subtracted.
 */
export function languageOf(json: unknown): WrittenModel {
  const root = record(json, '');
  const lines = new Lines();
  lines.add('schema_version', 'model', `  schema ${schemaOf(root.schema_version)}`);
  for (const [index, item] of list(root.type_definitions ?? [], 'type_definitions').entries()) {
    addType(lines, item, `type_definitions[${index}]`);
  }
  for (const [name, condition] of Object.entries(record(root.conditions ?? {}, 'conditions'))) {
    addCondition(lines, name, condition, `conditions.${name}`);
  }
  return { dsl: `${lines.texts.join('\n')}\n`, paths: lines.paths };
}

class Lines {
  readonly texts: string[] = [];
  readonly paths: string[] = [];

  add(path: string, ...texts: readonly string[]): void {
    for (const line of texts.flatMap((each) => each.split('\n'))) {
      this.texts.push(line);
      this.paths.push(path);
    }
  }
}

function schemaOf(version: unknown): string {
  if (version === '1.1' || version === '1.2') return version;
  throw fault('schema_version', 'must be 1.1 or 1.2');
}

function addType(lines: Lines, json: unknown, path: string): void {
  const { type, relations, metadata } = record(json, path);
  const name = named('type', type, `${path}.type`);
  lines.add(path, `type ${name}`);
  const rewrites = Object.entries(record(relations ?? {}, `${path}.relations`));
  if (rewrites.length === 0) return;
  const known = record(record(metadata ?? {}, `${path}.metadata`).relations ?? {}, `${path}.metadata.relations`);
  lines.add(path, '  relations');
  for (const [relation, rewrite] of rewrites) {
    const relationPath = `${path}.relations.${relation}`;
    const at = `${path}.metadata.relations.${relation}`;
    const { directly_related_user_types: subjects } = record(known[relation] ?? {}, at);
    const listed = list(subjects ?? [], `${at}.directly_related_user_types`).map((subject, index) =>
      subjectOf(subject, `${at}.directly_related_user_types[${index}]`),
    );
    const written = rewriteText(rewrite, relationPath, `[${listed.join(', ')}]`);
    lines.add(relationPath, `    define ${named('relation', relation, relationPath)}: ${written}`);
  }
}

function subjectOf(json: unknown, path: string): string {
  const { type, relation, wildcard, condition } = record(json, path);
  const name = named('type', type, `${path}.type`);
  const isWildcard = wildcard !== undefined && wildcard !== null;
  const suffix = isWildcard ? ':*' : isSaid(relation) ? `#${named('relation', relation, `${path}.relation`)}` : '';
  return `${name}${suffix}${isSaid(condition) ? ` with ${named('condition', condition, `${path}.condition`)}` : ''}`;
}

/** What OpenFGA leaves empty it does not say. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function addCondition(lines: Lines, key: string, json: unknown, path: string): void {
  const { name = key, expression, parameters } = record(json, path);
  if (name !== key) throw fault(`${path}.name`, `must be ${key}, as its key is`);
  const declared = Object.entries(record(parameters ?? {}, `${path}.parameters`)).map(
    ([parameter, type]) =>
      `${named('parameter', parameter, `${path}.parameters.${parameter}`)}: ${parameterType(type, `${path}.parameters.${parameter}`)}`,
  );
  lines.add(path, `condition ${named('condition', key, path)}(${declared.join(', ')}) {`);
  lines.add(`${path}.expression`, ...text(expression, `${path}.expression`).trim().split(/\r?\n/));
  lines.add(path, '}');
}

const SCALARS = /^(any|bool|string|int|uint|double|duration|timestamp|ipaddress)$/;

function parameterType(json: unknown, path: string, depth = 0): string {
  const { type_name, generic_types } = record(json, path);
  const name = text(type_name, `${path}.type_name`).replace('TYPE_NAME_', '').toLowerCase();
  if (SCALARS.test(name)) return name;
  if ((name !== 'list' && name !== 'map') || depth > MODEL_LIMITS.parameterNesting) {
    throw fault(`${path}.type_name`, 'is no type of a parameter');
  }
  const [inner] = list(generic_types ?? [], `${path}.generic_types`);
  return `${name}<${inner === undefined ? 'any' : parameterType(inner, `${path}.generic_types[0]`, depth + 1)}>`;
}
