import type { ConditionOutline, Outline, RelationOutline } from './dsl/outline.ts';
import { NOWHERE, type Position } from './issues.ts';

/**
 * Where the parts of a model stand in the texts it was read from. What no text defines (the JSON form, a base model)
 * is nowhere. Indices count the direct subjects of a relation and the operands of its rewrite from left to right.
 */
export class Positions {
  readonly #types = new Map<string, Position>();
  readonly #relations = new Map<string, RelationOutline>();
  readonly #conditions = new Map<string, ConditionOutline>();

  add({ types, conditions }: Outline): void {
    for (const type of types) {
      if (!this.#types.has(type.name)) this.#types.set(type.name, type.at);
      for (const relation of type.relations) {
        const key = keyOf(type.name, relation.name);
        if (!this.#relations.has(key)) this.#relations.set(key, relation);
      }
    }
    for (const condition of conditions) {
      if (!this.#conditions.has(condition.name)) this.#conditions.set(condition.name, condition);
    }
  }

  type(type: string): Position {
    return this.#types.get(type) ?? NOWHERE;
  }

  relation(type: string, relation: string): Position {
    return this.#relations.get(keyOf(type, relation))?.at ?? this.type(type);
  }

  subject(type: string, relation: string, index: number): Position {
    return this.#relations.get(keyOf(type, relation))?.subjects[index] ?? this.relation(type, relation);
  }

  operand(type: string, relation: string, index: number): Position {
    return this.#relations.get(keyOf(type, relation))?.operands[index]?.at ?? this.relation(type, relation);
  }

  tupleset(type: string, relation: string, index: number): Position {
    const operand = this.#relations.get(keyOf(type, relation))?.operands[index];
    return operand?.tupleset ?? this.operand(type, relation, index);
  }

  condition(condition: string): Position {
    return this.#conditions.get(condition)?.at ?? NOWHERE;
  }

  parameter(condition: string, parameter: string): Position {
    return this.#conditions.get(condition)?.parameters.get(parameter) ?? this.condition(condition);
  }

  /** The position of a line and column of a condition's expression, which begins after the blanks of its body. */
  inExpression(condition: string, line: number, column: number): Position {
    const found = this.#conditions.get(condition);
    if (found === undefined) return NOWHERE;
    const { body, expression } = found;
    const skipped = expression.slice(0, expression.length - expression.trimStart().length).split('\n');
    const start = skipped.length === 1 ? body.column + expression.length - expression.trimStart().length : 0;
    const firstColumn = skipped.length === 1 ? start : (skipped.at(-1)?.length ?? 0) + 1;
    return {
      ...body,
      line: body.line + skipped.length - 1 + line - 1,
      column: line === 1 ? firstColumn + column - 1 : column,
    };
  }
}

function keyOf(type: string, relation: string): string {
  return `${type}#${relation}`;
}
