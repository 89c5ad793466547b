import { parseSync } from 'rolldown/utils';

/** One careless change to a source text. */
export interface Mutant {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** What stands in the place of the text from `start` to `end`. */
  readonly text: string;
  /** Names of the functions and methods around it. */
  readonly within: readonly string[];
}

/** A node of the ESTree form, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

type Change = Pick<Mutant, 'kind' | 'text'> & { readonly at?: Node };
type Operator = (node: Node, read: (part: Node) => string) => readonly Change[];

const COMPARISONS = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
]);
const METHODS = new Map([
  ['every', 'some'],
  ['some', 'every'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Numbers from here on are times and sizes, of which one more or less means nothing. */
const LARGE = 1000;

/** By the type of a node, what somebody could write there by mistake. */
const operators: Readonly<Record<string, Operator>> = {
  IfStatement: (node, read) => {
    const test = node.test as Node;
    const negated = { kind: 'negated', text: `!(${read(test)})`, at: test };
    return isLeave(node.consequent as Node) && !node.alternate ? [negated, removed('guard removed')] : [negated];
  },
  ConditionalExpression: (node, read) => {
    const test = node.test as Node;
    return [{ kind: 'negated', text: `!(${read(test)})`, at: test }];
  },
  UnaryExpression: (node, read) =>
    node.operator === '!' ? [{ kind: '! dropped', text: `(${read(node.argument as Node)})` }] : [],
  LogicalExpression: (node, read) => {
    const [left, right] = [read(node.left as Node), read(node.right as Node)];
    if (node.operator === '??') return [{ kind: '?? dropped', text: `(${left})` }];
    const other = node.operator === '&&' ? '||' : '&&';
    return [
      { kind: `${node.operator} for ${other}`, text: `((${left}) ${other} (${right}))` },
      { kind: 'right side dropped', text: `(${left})` },
      { kind: 'left side dropped', text: `(${right})` },
    ];
  },
  BinaryExpression: (node, read) => {
    const [left, right] = [node.left as Node, node.right as Node];
    const swapped = (operator: string): Change => ({
      kind: `${node.operator} for ${operator}`,
      text: `(${read(left)} ${operator} ${read(right)})`,
    });
    const comparison = COMPARISONS.get(String(node.operator));
    if (comparison !== undefined) return [swapped(comparison)];
    const isSum = (node.operator === '+' || node.operator === '-') && ![left, right].some(isText);
    return isSum ? [swapped(node.operator === '+' ? '-' : '+')] : [];
  },
  CallExpression: (node) => {
    const callee = node.callee as Node;
    const property = callee.property as Node | undefined;
    const other = METHODS.get(String(property?.name));
    if (callee.type !== 'MemberExpression' || property === undefined || other === undefined) return [];
    return [{ kind: `${String(property.name)} for ${other}`, text: other, at: property }];
  },
  Literal: ({ value }) => {
    if (typeof value === 'boolean') return [{ kind: 'flipped', text: String(!value) }];
    if (typeof value !== 'number') return [];
    return [{ kind: 'another number', text: String(value < LARGE ? value + 1 : Math.floor(value / 2)) }];
  },
  ArrayExpression: ({ elements }) => {
    const dependencies = (elements as (Node | null)[]).filter((part) => part !== null);
    if (dependencies.length < 2) return [];
    return dependencies.map((part) => ({
      kind: 'element dropped',
      text: '...[]',
      at: part,
    }));
  },
  ExpressionStatement: (node, read) => {
    const expression = node.expression as Node;
    const dropped = removed('statement removed');
    if (expression.type !== 'AwaitExpression') return [dropped];
    return [dropped, { kind: 'await dropped', text: `void ${read(expression.argument as Node)};` }];
  },
  ThrowStatement: () => [removed('throw removed')],
};

/** Every change that the operators make, in the order of the text. Types, imports and exports are left alone. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  const sizes = cacheSizes(source);
  const read = (part: Node): string => source.slice(part.start, part.end);
  const within: string[] = [];
  const visit = (node: Node): void => {
    if (isSkipped(node) || isOneOf(sizes, node)) return;
    const name = nameOf(node);
    if (name !== undefined) within.push(name);
    for (const { kind, text, at = node } of operators[node.type]?.(node, read) ?? []) {
      mutants.push({ kind, text, start: at.start, end: at.end, within: [...within] });
    }
    for (const value of Object.values(node)) for (const part of [value].flat()) if (isNode(part)) visit(part);
    if (name !== undefined) within.pop();
  };
  visit(program as unknown as Node);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

export function mutate(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end);
}

function removed(kind: string): Change {
  return { kind, text: ';' };
}

/** Names of the constants that say how much a cache holds: another size changes the speed alone. */
function cacheSizes(source: string): ReadonlySet<string> {
  const caches = source.matchAll(/new BoundedMap(?:<.*>)?\((\w+)\)/g);
  return new Set([...caches].map(([, name]) => name ?? ''));
}

function isOneOf(names: ReadonlySet<string>, { type, id }: Node): boolean {
  return type === 'VariableDeclarator' && names.has(String((id as Node).name));
}

/** Of a function or method. */
function nameOf(node: Node): string | undefined {
  const named = node.type === 'FunctionDeclaration' ? node.id : node.type === 'MethodDefinition' ? node.key : undefined;
  return isNode(named) ? String((named as Node).name) : undefined;
}

/** Does it end what goes on here, so that the `if` around it is a guard? */
function isLeave(node: Node): boolean {
  if (node.type === 'BlockStatement') return (node.body as Node[]).some(isLeave);
  return ['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'].includes(node.type);
}

function isText(node: Node): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left as Node) || isText(node.right as Node);
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

/** Types and imports. */
function isSkipped(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  const isExpression = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(node.type);
  return node.type.startsWith('TS') && !isExpression;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}
