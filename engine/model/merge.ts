import { isDeepStrictEqual } from 'node:util';
import type { ConditionDefinition } from '../condition/condition.ts';
import { modelIssues } from './check/validate.ts';
import { issueAt, type Position, throwIssues } from './issues.ts';
import type { Model, ModelIssue, RelationDefinition, TypeDefinition } from './model.ts';
import { Positions } from './positions.ts';
import { acceptsDirect } from './rewrite.ts';
import { subjectText } from './subject-text.ts';

/** A relation that a model and its base both define. Direct subjects are as the language writes them. */
export interface SharedRelation extends Position {
  readonly name: string;
  /** Those of the base that the model left out: they were added. */
  readonly added: readonly string[];
  /** Those of the model that the base does not have. */
  readonly own: readonly string[];
}

/** A type that a model and its base both define, with its index in the model. */
export interface SharedType extends Position {
  readonly name: string;
  /** Relations of the base that the model left out: they were added. */
  readonly added: readonly string[];
  readonly relations: readonly SharedRelation[];
}

interface Merge {
  readonly model: Model;
  readonly issues: readonly ModelIssue[];
}

/**
 * Merges a model into a base: the types and conditions of both. A type that both have keeps the base's relations and
 * gains the own ones. A relation that both have is taken from the own model, so that it can restrict what the base
 * leaves open (`[user] but not banned`), and the base's direct subjects are added to its direct list, because tuples
 * of those forms are stored there.
 *
 * Throws `invalid_model` with `details.issues` where such a relation accepts no direct subject, where both define a
 * condition differently, and where the result is not a valid model.
 */
export function mergeModels(base: Model, own: Model): Model {
  const positions = new Positions();
  const { model, issues } = mergeWithIssues(base, own, positions);
  throwIssues(issues);
  throwIssues(modelIssues(model, positions));
  return model;
}

/** The merge alone: the result still has to be validated. `positions` are those of the own model. */
export function mergeWithIssues(base: Model, own: Model, positions: Positions): Merge {
  const issues: ModelIssue[] = [];
  const types = new Map(base.types);
  for (const type of own.types.values()) {
    const known = base.types.get(type.name);
    types.set(type.name, known === undefined ? type : mergeTypes(known, type, positions, issues));
  }
  const conditions = new Map(base.conditions);
  for (const condition of own.conditions.values()) {
    const known = base.conditions.get(condition.name);
    if (known === undefined) conditions.set(condition.name, condition);
    else if (!sameCondition(known, condition)) {
      const message = `the condition \`${condition.name}\` is defined differently by the base model`;
      issues.push(issueAt(positions.condition(condition.name), message));
    }
  }
  const schemaVersion = base.schemaVersion === '1.2' || own.schemaVersion === '1.2' ? '1.2' : '1.1';
  return { model: { schemaVersion, types, conditions }, issues };
}

function mergeTypes(
  base: TypeDefinition,
  own: TypeDefinition,
  positions: Positions,
  issues: ModelIssue[],
): TypeDefinition {
  const relations = new Map(base.relations);
  for (const relation of own.relations.values()) {
    const known = base.relations.get(relation.name);
    if (known !== undefined && known.directSubjects.length > 0 && !acceptsDirect(relation.rewrite)) {
      const stored = known.directSubjects.map(subjectText).join(', ');
      const message =
        `\`${relation.name}\` of \`${own.name}\` must accept direct subjects, ` +
        `because the base model stores ${stored} there: add a list such as [${stored}]`;
      issues.push(issueAt(positions.relation(own.name, relation.name), message));
    }
    relations.set(relation.name, known === undefined ? relation : mergeRelations(known, relation));
  }
  return { name: own.name, relations };
}

function mergeRelations(base: RelationDefinition, own: RelationDefinition): RelationDefinition {
  const known = new Set(own.directSubjects.map(subjectText));
  const added = base.directSubjects.filter((subject) => !known.has(subjectText(subject)));
  return { ...own, directSubjects: [...own.directSubjects, ...added] };
}

/** What two models share, for who wants to know what a merge has added to his. */
export function sharedTypes(base: Model, own: Model, positions: Positions): SharedType[] {
  return [...own.types.values()].flatMap((type) => {
    const known = base.types.get(type.name);
    if (known === undefined) return [];
    const added = [...known.relations.keys()].filter((name) => !type.relations.has(name));
    const relations = [...known.relations.values()].flatMap((relation): SharedRelation[] => {
      const declared = type.relations.get(relation.name);
      if (declared === undefined) return [];
      const at = positions.relation(type.name, relation.name);
      return [{ name: relation.name, ...at, added: lacking(relation, declared), own: lacking(declared, relation) }];
    });
    return [{ name: type.name, ...positions.type(type.name), added, relations }];
  });
}

/** The direct subjects of the first that the second does not list. */
function lacking(first: RelationDefinition, second: RelationDefinition): string[] {
  const known = new Set(second.directSubjects.map(subjectText));
  return first.directSubjects.map(subjectText).filter((subject) => !known.has(subject));
}

function sameCondition(left: ConditionDefinition, right: ConditionDefinition): boolean {
  return left.expression === right.expression && isDeepStrictEqual(left.parameters, right.parameters);
}
