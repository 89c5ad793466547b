import type { ConditionDefinition } from '../../../../engine/condition/condition.ts';
import type { DirectSubject, Model, RelationDefinition, Rewrite } from '../../../../engine/model/model.ts';

/** A model as its text in the OpenFGA language. A relation has `direct` once at most, in its leftmost place. */
export function printModel(model: Model): string {
  const lines = ['model', `  schema ${model.schemaVersion}`];
  for (const type of model.types.values()) {
    lines.push(`type ${type.name}`);
    if (type.relations.size > 0) lines.push('  relations');
    for (const relation of type.relations.values()) {
      lines.push(`    define ${relation.name}: ${printRewrite(relation.rewrite, relation)}`);
    }
  }
  for (const condition of model.conditions.values()) lines.push(printCondition(condition));
  return `${lines.join('\n')}\n`;
}

function printRewrite(rewrite: Rewrite, relation: RelationDefinition): string {
  const operand = (child: Rewrite) => {
    const text = printRewrite(child, relation);
    return 'children' in child || child.kind === 'exclusion' ? `(${text})` : text;
  };
  switch (rewrite.kind) {
    case 'direct':
      return `[${relation.directSubjects.map(printDirect).join(', ')}]`;
    case 'computed':
      return rewrite.relation;
    case 'from':
      return `${rewrite.relation} from ${rewrite.tupleset}`;
    case 'union':
      return rewrite.children.map(operand).join(' or ');
    case 'intersection':
      return rewrite.children.map(operand).join(' and ');
    case 'exclusion':
      return `${operand(rewrite.base)} but not ${operand(rewrite.subtract)}`;
  }
}

export function printDirect({ type, relation, wildcard, condition }: DirectSubject): string {
  const subject = wildcard ? `${type}:*` : relation === undefined ? type : `${type}#${relation}`;
  return condition === undefined ? subject : `${subject} with ${condition}`;
}

function printCondition({ name, parameters, expression }: ConditionDefinition): string {
  const declared = [...parameters].map(([parameter, type]) => `${parameter}: ${type.kind}`).join(', ');
  return `condition ${name}(${declared}) {\n  ${expression}\n}`;
}
