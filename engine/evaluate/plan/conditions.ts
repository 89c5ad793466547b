import type { CompiledCondition } from '../../condition/condition.ts';
import { compileCondition } from '../../condition/index.ts';
import type { Model } from '../../model/model.ts';
import type { Plan } from './plan.ts';
import type { PlanParts } from './plan-parts.ts';

const NO_CONDITIONS: Plan['conditions'] = new Map();

/** Compiled conditions, shared by models with the same ones: nearly all have those of the system alone. */
export function conditionsOf(model: Model, parts: PlanParts): Plan['conditions'] {
  const definitions = [...model.conditions.values()];
  if (definitions.length === 0) return NO_CONDITIONS;
  const texts = definitions.map(({ name, parameters, expression }) =>
    JSON.stringify([name, [...parameters], expression]),
  );
  return parts.shared(`conditions ${texts.join()}`, () => {
    const compiled = new Map<string, CompiledCondition>();
    for (const [index, definition] of definitions.entries()) {
      const make = (): CompiledCondition => compileCondition(definition);
      compiled.set(definition.name, parts.shared(`condition ${texts[index]}`, make));
    }
    return compiled;
  });
}
