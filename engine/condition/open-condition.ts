import { BoundedMap } from '../bounded-map.ts';
import { EngineError } from '../errors.ts';
import type { CompiledCondition, ConditionDefinition, ConditionResult, Context, ParameterType } from './condition.ts';
import { Fault } from './language/syntax.ts';

/** What the expression of a tuple can name, each as the question's context has it. */
const attributeMap: ParameterType = { kind: 'map', of: { kind: 'any' } };
const VARIABLES: ReadonlyMap<string, ParameterType> = new Map<string, ParameterType>([
  ['subject', attributeMap],
  ['resource', attributeMap],
  ['environment', attributeMap],
  ['now', { kind: 'timestamp' }],
]);

/** Bounds of an expression that comes with a tuple: there can be as many of them as there are tuples. */
const EXPRESSION_LIMITS = { expressionLength: 4096, nodes: 1024, depth: 64 } as const;

/** Expressions that a thread keeps compiled. */
const KEPT_MAX = 512;

const OPEN = /^\s*holds\(\s*([A-Za-z_]\w*)\s*\)\s*$/;

type Compile = (definition: ConditionDefinition, limits: typeof EXPRESSION_LIMITS) => CompiledCondition;

/**
 * A condition whose expression is `holds(p)`, where `p` is its one parameter, a string: the expression stands in each
 * tuple's own context, and never in that of a question. It is CEL over `subject`, `resource` and `environment`, maps of
 * attributes, and `now`; only what it names must be there. An attribute that is absent is named as missing, instead of
 * failing the evaluation.
 *
 * Undefined where the condition has an expression of its own.
 */
export function openCondition(
  definition: ConditionDefinition,
  compile: Compile,
): CompiledCondition | Fault | undefined {
  const carrier = OPEN.exec(definition.expression)?.[1];
  if (carrier === undefined) return undefined;
  const { name, parameters } = definition;
  if (parameters.size !== 1 || parameters.get(carrier)?.kind !== 'string') {
    return new Fault(`\`holds\` takes the condition's only parameter, which must be a string`, 0);
  }
  const expressions = new Expressions(name, compile);
  return {
    name,
    parameters,
    evaluate(stored, supplied): ConditionResult {
      const expression = stored?.[carrier];
      if (typeof expression !== 'string') return failed(name, carrier, 'must be in the context of the tuple');
      try {
        return expressions.get(expression).evaluate(undefined, supplied);
      } catch (error) {
        if (error instanceof EngineError) return { kind: 'failed', error };
        throw error;
      }
    },
    checkStored(context: Context): EngineError | undefined {
      const expression = context[carrier];
      if (typeof expression !== 'string') return failed(name, carrier, 'must be an expression').error;
      try {
        expressions.get(expression);
        return undefined;
      } catch (error) {
        if (error instanceof EngineError) return error;
        throw error;
      }
    },
  };
}

/** The expressions met last, compiled. */
class Expressions {
  readonly #condition: string;
  readonly #compile: Compile;
  readonly #kept = new BoundedMap<string, CompiledCondition>(KEPT_MAX);

  constructor(condition: string, compile: Compile) {
    this.#condition = condition;
    this.#compile = compile;
  }

  /** @throws EngineError `invalid_context` with `details.issues` */
  get(expression: string): CompiledCondition {
    const known = this.#kept.get(expression);
    if (known !== undefined) return known;
    const compiled = this.#compiled(expression);
    this.#kept.set(expression, compiled);
    return compiled;
  }

  #compiled(expression: string): CompiledCondition {
    const parameters = new Map([...VARIABLES].filter(([name]) => new RegExp(`\\b${name}\\b`).test(expression)));
    try {
      return this.#compile({ name: this.#condition, parameters, expression }, EXPRESSION_LIMITS);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      throw new EngineError('invalid_context', error.message, { ...error.details });
    }
  }
}

function failed(condition: string, parameter: string, rule: string) {
  const message = `condition ${condition}: ${parameter} ${rule}`;
  const error = new EngineError('invalid_context', message, { condition, parameter, path: parameter, rule });
  return { kind: 'failed', error } as const;
}
