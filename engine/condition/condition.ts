import type { EngineError } from '../errors.ts';

/** A condition as a model declares it. */
export interface ConditionDefinition {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ParameterType>;
  /** CEL source text. */
  readonly expression: string;
}

export type ScalarParameter =
  | 'any'
  | 'bool'
  | 'string'
  | 'int'
  | 'uint'
  | 'double'
  | 'duration'
  | 'timestamp'
  | 'ipaddress';

export type ParameterType =
  | { readonly kind: ScalarParameter }
  | { readonly kind: 'list' | 'map'; readonly of: ParameterType };

/** Values as JSON gives them; conversion to the declared CEL types happens inside the condition. */
export type Context = Readonly<Record<string, unknown>>;

/**
 * - `missing`: declared parameters that neither context has. All are required, even where CEL could short-circuit.
 * - `failed`: a value does not convert to its declared type, evaluation failed, or it passed its cost bound.
 */
export type ConditionResult =
  | { readonly kind: 'true' }
  | { readonly kind: 'false' }
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly error: EngineError };

/** A condition that has been parsed and type-checked against its declared parameters. */
export interface CompiledCondition {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ParameterType>;
  /** `stored` is the tuple's own context and wins over `supplied`, name by name. Never throws. */
  evaluate(stored: Context | undefined, supplied: Context | undefined): ConditionResult;
  /** What is wrong with a context that is to be stored, beyond the types of its values. */
  checkStored?(context: Context): EngineError | undefined;
}
