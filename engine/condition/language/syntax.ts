/** A compile error, with its offset in the expression's text. */
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

export type FoldKind = 'all' | 'exists' | 'exists_one' | 'map' | 'filter';

/** Offsets count from the start of the expression; that of an operator is that of its left side. */
interface WithStart {
  readonly start: number;
}

export interface Constant extends WithStart {
  readonly op: 'constant';
  readonly value: unknown;
}

export interface Identifier extends WithStart {
  readonly op: 'identifier';
  readonly name: string;
}

/** `operand.field`, or `has(operand.field)`. */
export interface Select extends WithStart {
  readonly op: 'select' | 'has';
  readonly operand: SyntaxNode;
  readonly field: string;
}

/** A function, a method of its target, or an operator, whose name is its sign (`+`, `?:`, `[]`). */
export interface Call extends WithStart {
  readonly op: 'call';
  readonly name: string;
  readonly target: SyntaxNode | undefined;
  readonly args: readonly SyntaxNode[];
}

export interface ListLiteral extends WithStart {
  readonly op: 'list';
  readonly items: readonly SyntaxNode[];
}

export interface MapLiteral extends WithStart {
  readonly op: 'map';
  readonly entries: readonly (readonly [key: SyntaxNode, value: SyntaxNode])[];
}

/** What a macro over the items of a list or the keys of a map is. */
export interface Fold extends WithStart {
  readonly op: 'fold';
  readonly kind: FoldKind;
  readonly range: SyntaxNode;
  readonly variable: string;
  /** Of `map` with three arguments alone. */
  readonly condition: SyntaxNode | undefined;
  readonly body: SyntaxNode;
}

export type SyntaxNode = Constant | Identifier | Select | Call | ListLiteral | MapLiteral | Fold;

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.op) {
    case 'constant':
    case 'identifier':
      return [];
    case 'select':
    case 'has':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.items;
    case 'map':
      return node.entries.flat();
    case 'fold':
      return node.condition === undefined ? [node.range, node.body] : [node.range, node.condition, node.body];
  }
}

/** The name of what an expression reads, as it would be written: `subject.address.city`. */
export function pathOf(node: SyntaxNode): string | undefined {
  if (node.op === 'identifier') return node.name;
  if (node.op === 'select') {
    const path = pathOf(node.operand);
    return path === undefined ? undefined : `${path}.${node.field}`;
  }
  if (node.op !== 'call' || node.name !== '[]') return undefined;
  const [from, key] = node.args;
  const path = from === undefined ? undefined : pathOf(from);
  return path === undefined || key?.op !== 'constant' ? path : `${path}.${String(key.value)}`;
}

/** A name with dots, where a node can be read as one: `google.protobuf.Timestamp`. */
export function qualifiedName(node: SyntaxNode): string | undefined {
  if (node.op === 'identifier') return node.name;
  if (node.op !== 'select') return undefined;
  const before = qualifiedName(node.operand);
  return before === undefined ? undefined : `${before}.${node.field}`;
}
