import type { ConditionDefinition, ParameterType, ScalarParameter } from '../condition/condition.ts';
import { MODEL_LIMITS } from './limits.ts';
import type { DirectSubject, Model, RelationDefinition, Rewrite, TypeDefinition } from './model.ts';
import { list, malformed, record, text } from './plain-json.ts';

/**
 * The JSON form of a model: lists instead of maps, so that the order of definitions survives and no name can collide
 * with one of JavaScript. Rewrites and subjects stand as they are. `modelFromJson` reads it back unchanged.
 */
export function modelToJson(model: Model): unknown {
  return {
    schemaVersion: model.schemaVersion,
    types: [...model.types.values()].map(({ name, relations }) => ({ name, relations: [...relations.values()] })),
    conditions: [...model.conditions.values()].map(({ name, parameters, expression }) => ({
      name,
      parameters: [...parameters].map(([parameter, type]) => ({ name: parameter, type })),
      expression,
    })),
  };
}

/**
 * Reads the JSON form. Only its shape is checked: what the names mean is `validateModel`'s to say, which a model from
 * an untrusted hand must pass. Throws `invalid_model` with `details.path`.
 */
export function modelFromJson(json: unknown): Model {
  const root = record(json, '');
  const schemaVersion = root.schemaVersion;
  if (schemaVersion !== '1.1' && schemaVersion !== '1.2') throw malformed('schemaVersion');
  return {
    schemaVersion,
    types: named(root.types, 'types', readType),
    conditions: named(root.conditions, 'conditions', readCondition),
  };
}

function readType(json: unknown, path: string): TypeDefinition {
  const { name, relations } = record(json, path);
  return { name: text(name, `${path}.name`), relations: named(relations, `${path}.relations`, readRelation) };
}

function readRelation(json: unknown, path: string): RelationDefinition {
  const { name, rewrite, directSubjects } = record(json, path);
  return {
    name: text(name, `${path}.name`),
    rewrite: readRewrite(rewrite, `${path}.rewrite`, 0),
    directSubjects: list(directSubjects, `${path}.directSubjects`).map((subject, index) =>
      readSubject(subject, `${path}.directSubjects[${index}]`),
    ),
  };
}

function readSubject(json: unknown, path: string): DirectSubject {
  const { type, relation, wildcard, condition } = record(json, path);
  if (wildcard !== undefined && wildcard !== true) throw malformed(`${path}.wildcard`);
  return {
    type: text(type, `${path}.type`),
    ...(relation === undefined ? {} : { relation: text(relation, `${path}.relation`) }),
    ...(wildcard === undefined ? {} : { wildcard }),
    ...(condition === undefined ? {} : { condition: text(condition, `${path}.condition`) }),
  };
}

function readRewrite(json: unknown, path: string, depth: number): Rewrite {
  if (depth > MODEL_LIMITS.nesting) throw malformed(path);
  const node = record(json, path);
  switch (node.kind) {
    case 'direct':
      return { kind: 'direct' };
    case 'computed':
      return { kind: 'computed', relation: text(node.relation, `${path}.relation`) };
    case 'from': {
      const { parents } = node;
      if (parents !== 'any' && parents !== 'all' && parents !== 'every_tuple') throw malformed(`${path}.parents`);
      const tupleset = text(node.tupleset, `${path}.tupleset`);
      return { kind: 'from', tupleset, relation: text(node.relation, `${path}.relation`), parents };
    }
    case 'union':
    case 'intersection': {
      const children = list(node.children, `${path}.children`).map((child, index) =>
        readRewrite(child, `${path}.children[${index}]`, depth + 1),
      );
      if (children.length === 0) throw malformed(`${path}.children`);
      return { kind: node.kind, children };
    }
    case 'exclusion': {
      const base = readRewrite(node.base, `${path}.base`, depth + 1);
      return { kind: 'exclusion', base, subtract: readRewrite(node.subtract, `${path}.subtract`, depth + 1) };
    }
    default:
      throw malformed(`${path}.kind`);
  }
}

function readCondition(json: unknown, path: string): ConditionDefinition {
  const { name, parameters, expression } = record(json, path);
  const declared = named(parameters, `${path}.parameters`, (parameter, where) => {
    const { name: parameterName, type } = record(parameter, where);
    return { name: text(parameterName, `${where}.name`), type: readParameter(type, `${where}.type`, 0) };
  });
  return {
    name: text(name, `${path}.name`),
    parameters: new Map([...declared.values()].map((parameter) => [parameter.name, parameter.type])),
    expression: text(expression, `${path}.expression`),
  };
}

const SCALARS: ReadonlySet<string> = new Set<ScalarParameter>([
  ...(['any', 'bool', 'string', 'int', 'uint', 'double'] as const),
  ...(['duration', 'timestamp', 'ipaddress'] as const),
]);

function readParameter(json: unknown, path: string, depth: number): ParameterType {
  const { kind, of } = record(json, path);
  if (depth > MODEL_LIMITS.parameterNesting) throw malformed(path);
  if (kind === 'list' || kind === 'map') return { kind, of: readParameter(of, `${path}.of`, depth + 1) };
  if (typeof kind !== 'string' || !SCALARS.has(kind)) throw malformed(`${path}.kind`);
  return { kind: kind as ScalarParameter };
}

/** A list of named definitions as a map. No name may come twice. */
function named<T extends { readonly name: string }>(
  json: unknown,
  path: string,
  read: (item: unknown, path: string) => T,
): Map<string, T> {
  const found = new Map<string, T>();
  for (const [index, item] of list(json, path).entries()) {
    const definition = read(item, `${path}[${index}]`);
    if (found.has(definition.name)) throw malformed(`${path}[${index}].name`);
    found.set(definition.name, definition);
  }
  return found;
}
