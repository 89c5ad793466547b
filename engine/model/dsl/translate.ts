import type { ConditionDefinition, ParameterType, ScalarParameter } from '../../condition/condition.ts';
import type { DirectSubject, RelationDefinition, Rewrite, TypeDefinition } from '../model.ts';
import type { ConditionOutline } from './outline.ts';

/** The OpenFGA JSON of a model, as far as the parser writes it. */
export interface RawModel {
  readonly schema_version?: string;
  readonly type_definitions?: readonly RawType[];
  readonly conditions?: Readonly<Record<string, RawCondition>>;
}

interface RawType {
  readonly type: string;
  readonly relations?: Readonly<Record<string, RawRewrite>>;
  readonly metadata?: { readonly relations?: Readonly<Record<string, RawMetadata>> } | null;
}

interface RawMetadata {
  readonly directly_related_user_types?: readonly RawSubject[];
}

interface RawSubject {
  readonly type: string;
  readonly relation?: string;
  readonly wildcard?: object;
  readonly condition?: string;
}

interface RawRewrite {
  readonly this?: object;
  readonly computedUserset?: { readonly relation: string };
  readonly tupleToUserset?: {
    readonly tupleset: { readonly relation: string };
    readonly computedUserset: { readonly relation: string };
  };
  readonly union?: { readonly child: readonly RawRewrite[] };
  readonly intersection?: { readonly child: readonly RawRewrite[] };
  readonly difference?: { readonly base: RawRewrite; readonly subtract: RawRewrite };
}

interface RawCondition {
  readonly parameters?: Readonly<Record<string, RawParameter>>;
}

interface RawParameter {
  readonly type_name: string;
  readonly generic_types?: readonly RawParameter[];
}

export function translateType(raw: RawType): TypeDefinition {
  const relations = new Map<string, RelationDefinition>();
  for (const [name, rewrite] of Object.entries(raw.relations ?? {})) {
    const subjects = raw.metadata?.relations?.[name]?.directly_related_user_types ?? [];
    relations.set(name, { name, rewrite: translateRewrite(rewrite), directSubjects: subjects.map(translateSubject) });
  }
  return { name: raw.type, relations };
}

/** The expression comes from the outline: the parser was not given it. */
export function translateCondition(outline: ConditionOutline, raw: RawCondition): ConditionDefinition {
  const parameters = Object.entries(raw.parameters ?? {}).map(
    ([name, type]) => [name, translateParameter(type)] as const,
  );
  return { name: outline.name, parameters: new Map(parameters), expression: outline.expression.trim() };
}

function translateSubject(raw: RawSubject): DirectSubject {
  return {
    type: raw.type,
    ...(raw.relation === undefined ? {} : { relation: raw.relation }),
    ...(raw.wildcard === undefined ? {} : { wildcard: true }),
    ...(raw.condition === undefined ? {} : { condition: raw.condition }),
  };
}

function translateRewrite(raw: RawRewrite): Rewrite {
  if (raw.computedUserset !== undefined) return { kind: 'computed', relation: raw.computedUserset.relation };
  if (raw.tupleToUserset !== undefined) {
    const { tupleset, computedUserset } = raw.tupleToUserset;
    return { kind: 'from', tupleset: tupleset.relation, relation: computedUserset.relation, parents: 'any' };
  }
  if (raw.union !== undefined) return { kind: 'union', children: raw.union.child.map(translateRewrite) };
  if (raw.intersection !== undefined) {
    return { kind: 'intersection', children: raw.intersection.child.map(translateRewrite) };
  }
  if (raw.difference !== undefined) {
    const { base, subtract } = raw.difference;
    return { kind: 'exclusion', base: translateRewrite(base), subtract: translateRewrite(subtract) };
  }
  return { kind: 'direct' };
}

function translateParameter(raw: RawParameter): ParameterType {
  const name = raw.type_name.replace('TYPE_NAME_', '').toLowerCase();
  const [inner] = raw.generic_types ?? [];
  if (name === 'list' || name === 'map') {
    return { kind: name, of: inner === undefined ? { kind: 'any' } : translateParameter(inner) };
  }
  // The grammar admits no other name than those of scalars here.
  return { kind: name as ScalarParameter };
}
