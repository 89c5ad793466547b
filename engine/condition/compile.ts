import { EngineError } from '../errors.ts';
import type { CompiledCondition, ConditionDefinition, ConditionResult, Context, ParameterType } from './condition.ts';
import { type Converter, converterFor, Refusal } from './convert.ts';
import { buildProgram, type Evaluate } from './evaluate/build.ts';
import { AbsentKey } from './evaluate/failures.ts';
import { isName, parse } from './language/parse.ts';
import { childrenOf, Fault, type SyntaxNode } from './language/syntax.ts';
import { CONDITION_LIMITS, type ConditionLimits } from './limits.ts';
import { Meter } from './meter.ts';
import { openCondition } from './open-condition.ts';
import { ConstantPatterns } from './patterns/constant-patterns.ts';
import { checkTypes } from './types/check.ts';
import { listOf, mapOf, scalar, type Type, typeText } from './types/type.ts';
import { TYPE_VALUES } from './values/type-value.ts';

const TRUE: ConditionResult = { kind: 'true' };
const FALSE: ConditionResult = { kind: 'false' };

/**
 * Parses a condition's expression and checks its types against the declared parameters. The expression must be a
 * `bool` for certain: one of type `any` is refused, as OpenFGA refuses it.
 *
 * Throws `invalid_model` with `details.condition`, `details.reason`, `details.issues` (one `ModelIssue`, whose line and
 * column count from the start of the expression) and, where its name is at fault, `details.parameter`.
 */
export function compileCondition(
  definition: ConditionDefinition,
  limits: Partial<ConditionLimits> = {},
): CompiledCondition {
  return compileMeasured(definition, limits).condition;
}

/** `compileCondition`, and the instructions of its constant patterns, for who has to bound them over many conditions. */
export function compileMeasured(
  definition: ConditionDefinition,
  limits: Partial<ConditionLimits> = {},
): { readonly condition: CompiledCondition; readonly patternSize: number } {
  const bounds = { ...CONDITION_LIMITS, ...limits };
  const open = openCondition(definition, (carried, own) => compile(carried, { ...bounds, ...own }, true).condition);
  if (open instanceof Fault) throw compileError(definition, open);
  return open === undefined ? compile(definition, bounds, false) : { condition: open, patternSize: 0 };
}

/** Where absent keys are missing, an attribute that a map lacks is no failure but missing context. */
function compile(
  definition: ConditionDefinition,
  bounds: ConditionLimits,
  absentIsMissing: boolean,
): { readonly condition: CompiledCondition; readonly patternSize: number } {
  const meter = new Meter(bounds.cost);
  const constants = new ConstantPatterns(bounds);
  try {
    const program = compileProgram(definition, meter, constants, bounds);
    const converters = [...definition.parameters].map(([name, type]) => ({ name, convert: converterFor(type) }));
    const condition: CompiledCondition = {
      name: definition.name,
      parameters: definition.parameters,
      evaluate(stored, supplied) {
        const values = readParameters(definition.name, converters, stored, supplied);
        return 'kind' in values ? values : run(definition.name, program, meter, values.values, absentIsMissing);
      },
    };
    return { condition, patternSize: constants.size };
  } catch (error) {
    throw compileError(definition, error);
  }
}

/**
 * Checks the context that is to be stored with a tuple: only declared names, each value of its declared type. Names
 * may be missing, because the request can supply them. Returns the error instead of throwing it.
 */
export function checkStoredContext(
  definition: Pick<CompiledCondition, 'name' | 'parameters' | 'checkStored'>,
  context: Context,
): EngineError | undefined {
  for (const [name, value] of Object.entries(context)) {
    const type = definition.parameters.get(name);
    if (type === undefined) return contextError(definition.name, name, new Refusal('is not a parameter'));
    const converted = converterFor(type)(value);
    if (converted instanceof Refusal) return contextError(definition.name, name, converted);
  }
  return definition.checkStored?.(context);
}

function compileProgram(
  { expression, parameters }: ConditionDefinition,
  meter: Meter,
  constants: ConstantPatterns,
  limits: ConditionLimits,
): Evaluate {
  for (const name of parameters.keys()) {
    if (!isFreeName(name)) throw new Fault(`\`${name}\` cannot be the name of a parameter`, 0, name);
  }
  if (expression.length > limits.expressionLength) {
    throw new Fault(`the expression is limited to ${limits.expressionLength} characters`, 0);
  }
  const root = parse(expression, limits.depth);
  requireBounded(root, limits);
  const variables = new Map([...parameters].map(([name, type]) => [name, checkedType(type)]));
  const typeOf = checkTypes(root, variables);
  const type = typeOf(root);
  if (type.kind !== 'bool') throw new Fault(`the expression must be a bool, and is ${typeText(type)}`, 0);
  return buildProgram(root, [...parameters.keys()], { typeOf, meter, constants });
}

/** Whether a parameter can have this name: an identifier that CEL has not taken. */
function isFreeName(name: string): boolean {
  return isName(name) && !TYPE_VALUES.has(name);
}

function checkedType(type: ParameterType): Type {
  if (type.kind === 'list') return listOf(checkedType(type.of));
  if (type.kind === 'map') return mapOf(scalar('string'), checkedType(type.of));
  return scalar(type.kind === 'any' ? 'dyn' : type.kind);
}

/** Before anything recurses into the tree, whose nodes are walked with a list here, not the stack. */
function requireBounded(root: SyntaxNode, limits: ConditionLimits): void {
  const open: { node: SyntaxNode; depth: number }[] = [{ node: root, depth: 1 }];
  let nodes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    nodes += 1;
    if (depth > limits.depth) throw new Fault(`the expression is limited to a nesting of ${limits.depth}`, node.start);
    if (nodes > limits.nodes) throw new Fault(`the expression is limited to ${limits.nodes} parts`, node.start);
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
}

function readParameters(
  condition: string,
  parameters: readonly { readonly name: string; readonly convert: Converter }[],
  stored: Context | undefined,
  supplied: Context | undefined,
): { readonly values: unknown[] } | ConditionResult {
  const values: unknown[] = [];
  let missing: string[] | undefined;
  for (const { name, convert } of parameters) {
    const source = stored !== undefined && Object.hasOwn(stored, name) ? stored : supplied;
    if (source === undefined || !Object.hasOwn(source, name)) {
      missing ??= [];
      missing.push(name);
      continue;
    }
    const value = convert(source[name]);
    if (value instanceof Refusal) return { kind: 'failed', error: contextError(condition, name, value) };
    values.push(value);
  }
  return missing === undefined ? { values } : { kind: 'missing', names: missing };
}

function run(
  condition: string,
  program: Evaluate,
  meter: Meter,
  values: unknown[],
  absentIsMissing: boolean,
): ConditionResult {
  meter.reset();
  try {
    const value = program(values);
    if (!meter.spent) return value === true ? TRUE : FALSE;
  } catch (error) {
    if (!meter.spent) {
      if (absentIsMissing && error instanceof AbsentKey && error.path !== undefined) {
        return { kind: 'missing', names: [error.path] };
      }
      return { kind: 'failed', error: runtimeError(condition, error) };
    }
  }
  const message = `condition ${condition} passed its bound of work`;
  return { kind: 'failed', error: new EngineError('condition_too_costly', message, { condition }) };
}

function contextError(condition: string, parameter: string, refusal: Refusal): EngineError {
  const path = parameter + refusal.path;
  const message = `condition ${condition}: ${path} ${refusal.rule}`;
  return new EngineError('invalid_context', message, { condition, parameter, path, rule: refusal.rule });
}

function runtimeError(condition: string, error: unknown): EngineError {
  const reason = reasonOf(error);
  return new EngineError('condition_failed', `condition ${condition}: ${reason}`, { condition, reason });
}

function compileError(definition: ConditionDefinition, error: unknown): EngineError {
  const { name, expression } = definition;
  const overflow = error instanceof RangeError;
  const reason = overflow ? 'the expression nests too deeply' : reasonOf(error);
  const message = `condition ${name}: ${reason}`;
  const issues = [{ message, ...positionOf(expression, overflow ? 0 : offsetOf(error)) }];
  const parameter = error instanceof Fault ? error.parameter : undefined;
  const about = parameter === undefined ? {} : { parameter };
  return new EngineError('invalid_model', message, { condition: name, reason, issues, ...about });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the expression failed';
}

function offsetOf(error: unknown): number {
  return error instanceof Fault ? error.offset : 0;
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
