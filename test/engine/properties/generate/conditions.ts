import type {
  CompiledCondition,
  ConditionDefinition,
  ConditionResult,
  Context,
  ParameterType,
} from '../../../../engine/condition/condition.ts';

type Values = { readonly x: number; readonly y: boolean };

/** The conditions of generated models, each with its meaning in plain JavaScript, independent of CEL. */
const CONDITIONS: Record<
  string,
  { parameters: readonly (keyof Values)[]; cel: string; holds: (v: Values) => boolean }
> = {
  small: { parameters: ['x'], cel: 'x < 5', holds: ({ x }) => x < 5 },
  open: { parameters: ['y'], cel: 'y', holds: ({ y }) => y },
  both: { parameters: ['x', 'y'], cel: 'y || x >= 5', holds: ({ x, y }) => y || x >= 5 },
};

const TYPES: Record<keyof Values, ParameterType> = { x: { kind: 'int' }, y: { kind: 'bool' } };

export const conditionNames = Object.keys(CONDITIONS);

export function conditionDefinition(name: string): ConditionDefinition {
  const { parameters, cel } = known(name);
  return { name, parameters: new Map(parameters.map((parameter) => [parameter, TYPES[parameter]])), expression: cel };
}

/** What `compileCondition` should make of the definition. */
export function plainCondition(name: string): CompiledCondition {
  const { parameters, holds } = known(name);
  const evaluate = (stored: Context | undefined, supplied: Context | undefined): ConditionResult => {
    const values = { ...supplied, ...stored };
    const names = parameters.filter((parameter) => !(parameter in values));
    if (names.length > 0) return { kind: 'missing', names };
    // Generated contexts give x as a number and y as a boolean.
    return { kind: holds(values as unknown as Values) ? 'true' : 'false' };
  };
  return { name, parameters: conditionDefinition(name).parameters, evaluate };
}

function known(name: string) {
  const condition = CONDITIONS[name];
  if (condition === undefined) throw new Error(`no condition ${name}`);
  return condition;
}
