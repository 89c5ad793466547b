import type { ConditionDefinition } from '../../condition/condition.ts';
import { issueAt, NOWHERE, type Position } from '../issues.ts';
import type { Model, ModelIssue, RelationDefinition, TypeDefinition } from '../model.ts';
import { Positions } from '../positions.ts';
import type { TypeOutline } from './outline.ts';
import type { Draft } from './read-text.ts';

export interface Combined {
  readonly model: Model;
  readonly positions: Positions;
  readonly issues: readonly ModelIssue[];
}

/**
 * Puts the texts of one model together: one text, or modules, whose `extend type` add relations to a type of another
 * module, or of the base model that `isBaseType` knows.
 */
export function combine(drafts: readonly Draft[], modular: boolean, isBaseType: (name: string) => boolean): Combined {
  const issues: ModelIssue[] = [];
  const positions = new Positions();
  const types = new Map<string, { readonly name: string; readonly relations: Map<string, RelationDefinition> }>();
  const conditions = new Map<string, ConditionDefinition>();
  for (const draft of drafts) positions.add(draft.outline);
  const parts = drafts.flatMap((draft) => typesOf(draft));
  for (const { type, outlined } of parts.filter((part) => !part.outlined.extends)) {
    if (types.has(type.name)) issues.push(issueAt(outlined.at, `the type \`${type.name}\` is defined twice`));
    else types.set(type.name, { name: type.name, relations: new Map(type.relations) });
  }
  for (const { type, outlined } of parts.filter((part) => part.outlined.extends)) {
    const target = types.get(type.name);
    if (target !== undefined) extend(target, type, outlined, issues);
    else if (isBaseType(type.name)) types.set(type.name, { name: type.name, relations: new Map(type.relations) });
    else issues.push(issueAt(outlined.at, `\`${type.name}\` cannot be extended: no module defines it`));
  }
  for (const { condition, at } of drafts.flatMap(conditionsOf)) {
    if (conditions.has(condition.name))
      issues.push(issueAt(at, `the condition \`${condition.name}\` is defined twice`));
    else conditions.set(condition.name, condition);
  }
  const schemaVersion = modular ? '1.2' : versionOf(drafts, issues);
  return {
    model: { schemaVersion, types, conditions },
    positions,
    issues: [...issues, ...headerIssues(drafts, modular)],
  };
}

function extend(
  target: { readonly relations: Map<string, RelationDefinition> },
  type: TypeDefinition,
  outlined: TypeOutline,
  issues: ModelIssue[],
): void {
  for (const relation of type.relations.values()) {
    const at = outlined.relations.find((candidate) => candidate.name === relation.name)?.at ?? outlined.at;
    if (target.relations.has(relation.name)) {
      issues.push(issueAt(at, `the type \`${type.name}\` already has the relation \`${relation.name}\``));
    } else target.relations.set(relation.name, relation);
  }
}

function typesOf(draft: Draft): { type: TypeDefinition; outlined: TypeOutline }[] {
  return draft.types.map((type, index) => {
    const outlined = draft.outline.types[index];
    // The outline and the parser read the same text; should they ever differ, a position is lost and nothing else.
    return { type, outlined: outlined ?? { name: type.name, at: NOWHERE, extends: false, relations: [] } };
  });
}

function conditionsOf(draft: Draft): { condition: ConditionDefinition; at: Position }[] {
  return draft.conditions.map((condition, index) => ({
    condition,
    at: draft.outline.conditions[index]?.at ?? NOWHERE,
  }));
}

function versionOf(drafts: readonly Draft[], issues: ModelIssue[]): '1.1' | '1.2' {
  const [first] = drafts;
  const version = first?.schemaVersion;
  if (version === '1.1' || version === '1.2') return version;
  const at = first?.outline.version ?? NOWHERE;
  if (version !== undefined) issues.push(issueAt(at, `schema ${version} is not supported; write 1.1 or 1.2`));
  return '1.1';
}

function headerIssues(drafts: readonly Draft[], modular: boolean): ModelIssue[] {
  return drafts
    .filter((draft) => (draft.schemaVersion === undefined) !== modular)
    .map(({ file }) => {
      const position = file === undefined ? NOWHERE : { ...NOWHERE, file };
      return issueAt(
        position,
        modular ? 'a module begins with `module` and its name' : 'a model begins with `model` and its schema',
      );
    });
}
