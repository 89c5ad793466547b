import type { ConditionDefinition, ParameterType, ScalarParameter } from '../../../engine/condition/condition.ts';
import { type CompiledCondition, type ConditionLimits, compileCondition } from '../../../engine/condition/index.ts';

/** `int`, `list<string>`: a parameter type as a model writes it; `attributes` is a map of whatever JSON holds. */
export function typeOf(text: string): ParameterType {
  if (text === 'attributes') return { kind: 'map', of: { kind: 'any' } };
  const container = /^(list|map)<(.+)>$/.exec(text);
  if (container === null) return { kind: text as ScalarParameter };
  return { kind: container[1] as 'list' | 'map', of: typeOf(container[2] ?? '') };
}

export function definitionOf(expression: string, parameters: Readonly<Record<string, string>>): ConditionDefinition {
  const types = Object.entries(parameters).map(([name, type]) => [name, typeOf(type)] as const);
  return { name: 'rule', expression, parameters: new Map(types) };
}

export function conditionOf(
  expression: string,
  parameters: Readonly<Record<string, string>>,
  limits?: Partial<ConditionLimits>,
): CompiledCondition {
  return compileCondition(definitionOf(expression, parameters), limits);
}
