import { equal, isMember } from './equality.ts';
import { FUNCTIONS, type FunctionEntry, METHODS, sizeOf } from './functions.ts';
import type { Meter } from './meter.ts';
import type { ConstantPatterns } from './patterns/constant-patterns.ts';
import { PatternCache } from './patterns/pattern.ts';
import { type CheckedType, type Comprehension, childrenOf, type Handle, type SyntaxNode } from './syntax.ts';
import { addTimes, subtractTimes } from './values/time-arithmetic.ts';

/** Makes an error with its message and stack costs some 20 µs, and quantifiers swallow one for each item. */
const ERROR_COST = 1000;
const SCALARS = new Set(['int', 'uint', 'double', 'bool', 'null']);
const patterns = new PatternCache();

type Binary = (left: unknown, right: unknown, node: SyntaxNode, evaluator: unknown) => unknown;

/**
 * Makes a checked syntax tree safe to evaluate: every iteration and every operation whose cost grows with its
 * operands spends from the meter, and functions whose own implementation is unsafe or inexact get another one. The
 * library has no hook for this; the handlers that its checker left on the nodes are replaced. Returns the number of
 * nodes that one evaluation visits outside of comprehensions. Throws where a constant pattern is malformed.
 */
export function instrument(node: SyntaxNode, meter: Meter, constants: ConstantPatterns): number {
  if (node.meta.alternate !== undefined) return instrument(node.meta.alternate, meter, constants);
  if (node.meta.macro !== undefined) return 1;
  if (node.op === 'comprehension') return instrumentComprehension(node, meter, constants);
  let visited = 1;
  for (const child of childrenOf(node)) visited += instrument(child, meter, constants);
  if (node.op === 'call') instrumentCall(node, false, meter, constants);
  else if (node.op === 'rcall') instrumentCall(node, true, meter, constants);
  else instrumentOperator(node, meter);
  return visited;
}

function instrumentComprehension(node: SyntaxNode, meter: Meter, constants: ConstantPatterns): number {
  const { iterable, init, step } = node.args as Comprehension;
  const outside = instrument(iterable, meter, constants) + instrument(init, meter, constants);
  const price = instrument(step, meter, constants);
  const run = step.meta.evaluate;
  step.setMeta('evaluate', (evaluator, self, context) => {
    meter.spend(price);
    try {
      return run(evaluator, self, context);
    } catch (error) {
      meter.spend(ERROR_COST);
      throw error;
    }
  });
  const handle = node.handle as ((items: unknown, ...rest: never[]) => unknown) | undefined;
  if (handle === undefined) throw new TypeError('a comprehension has not been checked');
  node.handle = ((items: unknown, ...rest: never[]) => {
    // The keys of a map are copied before the first iteration.
    if (!Array.isArray(items)) meter.spend(sizeOf(items));
    return handle(items, ...rest);
  }) as Handle;
  return outside + 1;
}

function instrumentCall(node: SyntaxNode, method: boolean, meter: Meter, constants: ConstantPatterns): void {
  const name = (node.args as [string])[0];
  const entry = (method ? METHODS : FUNCTIONS).get(name);
  const inner = node.handle as ((args: unknown[], ...rest: unknown[]) => unknown) | undefined;
  if (entry === undefined || inner === undefined) throw new TypeError(`the call of ${name} has not been checked`);
  const run = name === 'matches' ? matcher(node, meter, constants) : entry.run;
  if (run === undefined && entry.cost === undefined) return;
  const cost = costOf(entry);
  node.handle = ((args: unknown[], ...rest: unknown[]) => {
    meter.spend(cost(args));
    return run === undefined ? inner(args, ...rest) : run(args);
  }) as Handle;
}

function costOf(entry: FunctionEntry): (args: readonly unknown[]) => number {
  return entry.cost ?? (() => 0);
}

function instrumentOperator(node: SyntaxNode, meter: Meter): void {
  const inner = node.handle as Binary | undefined;
  const replacement = inner !== undefined && Array.isArray(node.args) ? operator(node, inner, meter) : undefined;
  if (replacement !== undefined) node.handle = replacement as Handle;
}

function operator(node: SyntaxNode, inner: Binary, meter: Meter): Binary | undefined {
  const [left, right] = node.args as [SyntaxNode, SyntaxNode];
  switch (node.op) {
    case '==':
      return isScalar(left.checkedType) && isScalar(right.checkedType) ? undefined : (a, b) => equal(a, b, meter);
    case '!=':
      return isScalar(left.checkedType) && isScalar(right.checkedType) ? undefined : (a, b) => !equal(a, b, meter);
    case 'in':
      return (a, b) => isMember(a, b, meter);
    case '+':
      if (isScalar(left.checkedType)) return undefined;
      return (a, b, self, evaluator) => {
        meter.spend((sizeOf(a) + sizeOf(b)) >> 3);
        return addTimes(a, b) ?? inner(a, b, self, evaluator);
      };
    case '-':
      if (isScalar(left.checkedType)) return undefined;
      return (a, b, self, evaluator) => subtractTimes(a, b) ?? inner(a, b, self, evaluator);
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (isScalar(left.checkedType) && isScalar(right.checkedType)) return undefined;
      return (a, b, self, evaluator) => {
        meter.spend(Math.min(sizeOf(a), sizeOf(b)) >> 6);
        return inner(a, b, self, evaluator);
      };
    default:
      return undefined;
  }
}

function isScalar(type: CheckedType | undefined): boolean {
  return type !== undefined && SCALARS.has(type.name);
}

/** `text.matches(pattern)` over RE2. A constant pattern is compiled here, any other when it is met, from a cache. */
function matcher(node: SyntaxNode, meter: Meter, constants: ConstantPatterns): (args: readonly unknown[]) => boolean {
  const operands = childrenOf(node);
  const source = operands[1];
  if (source?.op === 'value') {
    const pattern = constants.compile(String(source.args), source.start);
    return ([text]) => {
      requireText(text);
      meter.spend(matchCost(text.length, pattern.size));
      return pattern.test(text);
    };
  }
  return ([text, expression]) => {
    requireText(text);
    requireText(expression);
    constants.requireShort(expression);
    const pattern = patterns.get(expression, (size) => meter.spend(ERROR_COST + size * 20));
    meter.spend(matchCost(text.length, pattern.size));
    return pattern.test(text);
  };
}

/** Measured at worst: 4 ns for a character and an instruction. */
function matchCost(length: number, size: number): number {
  return 10 + Math.ceil((length * size) / 6);
}

function requireText(value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new Error('matches() needs a string and a pattern');
}
