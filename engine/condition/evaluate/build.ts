import { type Call, type Fold, pathOf, qualifiedName, type SyntaxNode } from '../language/syntax.ts';
import type { Meter } from '../meter.ts';
import type { ConstantPatterns } from '../patterns/constant-patterns.ts';
import { isTypeName, type TypeOf } from '../types/check.ts';
import { TYPE_VALUES } from '../values/type-value.ts';
import { fieldOf, hasField, itemOf, mapLiteral } from './access.ts';
import { buildFold } from './fold.ts';
import { FUNCTIONS } from './functions.ts';
import { matcher } from './matcher.ts';
import { binaryOf, choiceOf, logicalOf, unaryOf } from './operators.ts';

/** The variables of one evaluation: parameters first, then those of macros. */
export type Frame = unknown[];
export type Evaluate = (frame: Frame) => unknown;

/** What a program is made with. */
export interface Workshop {
  readonly typeOf: TypeOf;
  readonly meter: Meter;
  readonly constants: ConstantPatterns;
}

/**
 * A checked expression as closures over a frame. Types that are known need no test when it runs; every iteration and
 * every operation whose cost grows with its operands is paid for. Throws a `Fault` where a constant pattern is malformed.
 */
export function buildProgram(root: SyntaxNode, variables: readonly string[], workshop: Workshop): Evaluate {
  const builder = new Builder(workshop, variables.length);
  return builder.build(root, new Map(variables.map((name, slot) => [name, slot])));
}

type Scope = ReadonlyMap<string, number>;

class Builder {
  readonly #workshop: Workshop;
  #slots: number;

  constructor(workshop: Workshop, slots: number) {
    this.#workshop = workshop;
    this.#slots = slots;
  }

  build(node: SyntaxNode, scope: Scope): Evaluate {
    switch (node.op) {
      case 'constant': {
        const { value } = node;
        return () => value;
      }
      case 'identifier': {
        const slot = scope.get(node.name);
        const type = TYPE_VALUES.get(node.name);
        return slot === undefined ? () => type : (frame) => frame[slot];
      }
      case 'select':
      case 'has':
        return this.#field(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'list': {
        const items = node.items.map((item) => this.build(item, scope));
        return (frame) => items.map((item) => item(frame));
      }
      case 'map': {
        const entries = node.entries.map(([key, value]) => [this.build(key, scope), this.build(value, scope)] as const);
        return (frame) => mapLiteral(entries.map(([key, value]) => [key(frame), value(frame)] as const));
      }
      case 'fold':
        return this.#fold(node, scope);
    }
  }

  #field(node: SyntaxNode & { op: 'select' | 'has' }, scope: Scope): Evaluate {
    const name = node.op === 'select' ? qualifiedName(node) : undefined;
    if (name !== undefined && isTypeName(name, scope)) {
      const type = TYPE_VALUES.get(name);
      return () => type;
    }
    const operand = this.build(node.operand, scope);
    const { field } = node;
    if (node.op === 'has') return (frame) => hasField(operand(frame), field);
    const path = pathOf(node);
    return (frame) => fieldOf(operand(frame), field, path);
  }

  #call(node: Call, scope: Scope): Evaluate {
    const { meter, constants } = this.#workshop;
    const operands = node.target === undefined ? node.args : [node.target, ...node.args];
    const built = operands.map((operand) => this.build(operand, scope));
    const [first, second, third] = built as [Evaluate, Evaluate, Evaluate];
    const { name } = node;
    if (name === '?:') return choiceOf(first, second, third);
    if (name === '&&' || name === '||') return logicalOf(name, first, second);
    if (name === '[]') {
      const path = pathOf(node);
      return (frame) => itemOf(first(frame), second(frame), path);
    }
    const unary = unaryOf(name, first);
    if (unary !== undefined) return unary;
    const binary = binaryOf(name, first, second, meter);
    if (binary !== undefined) return binary;
    if (name === 'matches') {
      const run = matcher(operands[1], meter, constants);
      return (frame) => run(first(frame), second(frame));
    }
    return this.#function(name, built);
  }

  #function(name: string, operands: readonly Evaluate[]): Evaluate {
    const entry = FUNCTIONS.get(name);
    if (entry === undefined) throw new TypeError(`the function ${name} has no implementation`);
    const { run, cost } = entry;
    const { meter } = this.#workshop;
    return (frame) => {
      const args = operands.map((operand) => operand(frame));
      if (cost !== undefined) meter.spend(cost(args));
      return run(args);
    };
  }

  #fold({ kind, range, variable, condition, body }: Fold, scope: Scope): Evaluate {
    const { meter, typeOf } = this.#workshop;
    const over = this.build(range, scope);
    const slot = this.#slots++;
    const inner = new Map(scope).set(variable, slot);
    const type = typeOf(range);
    const parts = {
      kind,
      range: over,
      hasUintKeys: type.kind === 'map' && type.of[0].kind === 'uint',
      slot,
      condition: condition === undefined ? undefined : this.build(condition, inner),
      body: this.build(body, inner),
      price: priceOf(body) + (condition === undefined ? 1 : 1 + priceOf(condition)),
    };
    return buildFold(parts, meter);
  }
}

/** Nodes that one evaluation visits, but for the iterations of macros, which are paid one by one. */
function priceOf(node: SyntaxNode): number {
  switch (node.op) {
    case 'fold':
      return 1 + priceOf(node.range);
    case 'call':
      return (node.target === undefined ? 1 : 1 + priceOf(node.target)) + sum(node.args);
    case 'list':
      return 1 + sum(node.items);
    case 'map':
      return 1 + sum(node.entries.flat());
    case 'select':
    case 'has':
      return 1 + priceOf(node.operand);
    default:
      return 1;
  }
}

function sum(nodes: readonly SyntaxNode[]): number {
  let price = 0;
  for (const node of nodes) price += priceOf(node);
  return price;
}
