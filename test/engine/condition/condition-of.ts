import { type CompiledCondition, type ConditionLimits, compileCondition } from '../../../engine/condition/index.ts';
import type { ConditionDefinition, ParameterType, ScalarParameter } from '../../../engine/model/model.ts';

/** `int`, `list<string>`, `map<any>`: a parameter type as a model writes it. */
export function typeOf(text: string): ParameterType {
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
