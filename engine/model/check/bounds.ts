import type { ConditionDefinition, ParameterType } from '../../condition/condition.ts';
import { issueAt, NOWHERE } from '../issues.ts';
import { MODEL_LIMITS } from '../limits.ts';
import type { Model, ModelIssue, RelationDefinition, TypeDefinition } from '../model.ts';
import type { Positions } from '../positions.ts';
import { operandsOf } from '../rewrite.ts';

/** What is too large. Nothing else looks at a model before this has. */
export function boundIssues(model: Model, positions: Positions): ModelIssue[] {
  let relations = 0;
  let links = 0;
  for (const type of model.types.values()) {
    relations += type.relations.size;
    for (const relation of type.relations.values()) links += linksOf(type, relation);
  }
  const totals = [
    over(model.types.size, MODEL_LIMITS.types, 'a model', 'types'),
    over(relations, MODEL_LIMITS.relations, 'a model', 'relations'),
    over(links, MODEL_LIMITS.links, 'a model', 'links between relations'),
    over(model.conditions.size, MODEL_LIMITS.conditions, 'a model', 'conditions'),
  ].filter((message) => message !== undefined);
  if (totals.length > 0) return totals.map((message) => issueAt(NOWHERE, message));
  return [
    ...[...model.types.values()].flatMap((type) => typeBounds(type, positions)),
    ...[...model.conditions.values()].flatMap((condition) => conditionBounds(condition, positions)),
  ];
}

/** Everything that a relation may have to be looked up at: `x from parent` counts once for each type of parent. */
function linksOf(type: TypeDefinition, { rewrite, directSubjects }: RelationDefinition): number {
  let links = directSubjects.length;
  for (const operand of operandsOf(rewrite)) {
    links += operand.kind === 'from' ? (type.relations.get(operand.tupleset)?.directSubjects.length ?? 1) : 1;
  }
  return links;
}

function typeBounds(type: TypeDefinition, positions: Positions): ModelIssue[] {
  const message = over(type.relations.size, MODEL_LIMITS.relationsPerType, 'a type', 'relations');
  if (message !== undefined) return [issueAt(positions.type(type.name), message)];
  return [...type.relations.values()].flatMap((relation) =>
    relationBounds(relation).map((text) => issueAt(positions.relation(type.name, relation.name), text)),
  );
}

function relationBounds({ rewrite, directSubjects }: RelationDefinition): string[] {
  const operands = operandsOf(rewrite).length;
  return [
    over(directSubjects.length, MODEL_LIMITS.subjectsPerRelation, 'a relation', 'direct subjects'),
    over(operands, MODEL_LIMITS.operandsPerRelation, 'a relation', 'operands'),
  ].filter((message) => message !== undefined);
}

function conditionBounds({ name, parameters }: ConditionDefinition, positions: Positions): ModelIssue[] {
  const message = over(parameters.size, MODEL_LIMITS.parametersPerCondition, 'a condition', 'parameters');
  if (message !== undefined) return [issueAt(positions.condition(name), message)];
  return [...parameters]
    .filter(([, type]) => nestingOf(type) > MODEL_LIMITS.parameterNesting)
    .map(([parameter]) => issueAt(positions.parameter(name, parameter), 'the type of a parameter nests too deeply'));
}

function nestingOf(type: ParameterType): number {
  let depth = 0;
  for (let inner = type; inner.kind === 'list' || inner.kind === 'map'; inner = inner.of) depth += 1;
  return depth;
}

function over(count: number, limit: number, what: string, parts: string): string | undefined {
  return count > limit ? `${what} is limited to ${limit} ${parts}` : undefined;
}
