import type { ParseResult } from '@marcbachmann/cel-js';

/** A compile error and the place in the expression's text that it is about. */
export class Fault extends Error {
  readonly offset: number;
  /** Set where it is about the declaration of a parameter instead. */
  readonly parameter: string | undefined;

  constructor(message: string, offset: number, parameter?: string) {
    super(message);
    this.offset = offset;
    this.parameter = parameter;
  }
}

/** The library's evaluator, as far as it is touched here. */
export interface Evaluator {
  debugType(value: unknown): unknown;
  debugTypeDeep(value: unknown): unknown;
}

export interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly hasDynType: boolean;
}

/** How a node computes its value from its operands. Their order differs: see `instrument`. */
export type Handle = (first: never, second: never, third: never, fourth: never) => unknown;

/** What a comprehension (`all`, `exists`, `exists_one`, `map`, `filter`) was expanded to. */
export interface Comprehension {
  readonly iterable: SyntaxNode;
  readonly init: SyntaxNode;
  readonly step: SyntaxNode;
}

/**
 * A node of the syntax tree as the library makes it at run time. Its declared type leaves out what the checker adds
 * (`checkedType`, `handle`) and what macros become (`meta`), which is what metering needs to reach.
 */
export interface SyntaxNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly checkedType?: CheckedType;
  handle?: Handle;
  readonly meta: {
    readonly alternate?: SyntaxNode;
    readonly macro?: object;
    evaluate: (evaluator: Evaluator, node: SyntaxNode, context: unknown) => unknown;
  };
  setMeta(key: 'evaluate', value: SyntaxNode['meta']['evaluate']): SyntaxNode;
}

export function syntaxOf(parsed: ParseResult): SyntaxNode {
  // The declared type is a view of the same object; see above.
  return parsed.ast as unknown as SyntaxNode;
}

/** The nodes directly below one, as written: macros not expanded. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const args = node.args;
  switch (node.op) {
    case 'value':
    case 'id':
    case 'accuValue':
    case 'accuInc':
      return [];
    case 'call':
      return (args as [string, SyntaxNode[]])[1];
    case 'rcall': {
      const [, receiver, rest] = args as [string, SyntaxNode, SyntaxNode[]];
      return [receiver, ...rest];
    }
    case '.':
    case '.?':
      return [(args as [SyntaxNode, string])[0]];
    case 'map':
      return (args as [SyntaxNode, SyntaxNode][]).flat();
    case 'comprehension': {
      const { iterable, init, step } = args as Comprehension;
      return [iterable, init, step];
    }
    default:
      return Array.isArray(args) ? (args as SyntaxNode[]) : [args as SyntaxNode];
  }
}

/** The name of what an expression reads, as it would be written: `subject.address.city`. */
export function pathOf(node: SyntaxNode): string | undefined {
  if (node.op === 'id') return String(node.args);
  if (node.op !== '.' && node.op !== '[]') return undefined;
  const [from, key] = node.args as [SyntaxNode, string | SyntaxNode];
  const path = pathOf(from);
  const name = typeof key === 'string' ? key : key.op === 'value' ? String(key.args) : undefined;
  return path === undefined || name === undefined ? path : `${path}.${name}`;
}

/** What was not there, where an evaluation failed because a map lacks a key. */
export function absentKey(error: unknown): string | undefined {
  if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'no_such_key') return undefined;
  const node: unknown = Reflect.get(error, 'node');
  return typeof node === 'object' && node !== null ? pathOf(node as SyntaxNode) : undefined;
}
