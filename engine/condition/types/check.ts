import { type Call, Fault, type Fold, qualifiedName, type Select, type SyntaxNode } from '../language/syntax.ts';
import { TYPE_VALUES } from '../values/type-value.ts';
import { Uint } from '../values/uint.ts';
import { DECLARATIONS, isOperator } from './declarations.ts';
import { BOOL, DYN, isSame, listOf, mapOf, scalar, type Type, typeText } from './type.ts';
import { Unifier } from './unify.ts';

export type TypeOf = (node: SyntaxNode) => Type;

/**
 * The types of an expression and of all its parts, by the rules of cel-go's checker. Throws a `Fault` where they do
 * not fit.
 */
export function checkTypes(root: SyntaxNode, variables: ReadonlyMap<string, Type>): TypeOf {
  const checker = new Checker();
  checker.check(root, variables);
  return (node) => checker.typeOf(node);
}

type Scope = ReadonlyMap<string, Type>;

class Checker {
  readonly #types = new Map<SyntaxNode, Type>();
  readonly #unifier = new Unifier();

  typeOf(node: SyntaxNode): Type {
    return this.#unifier.resolve(this.#types.get(node) ?? DYN, true);
  }

  check(node: SyntaxNode, scope: Scope): Type {
    const type = this.#check(node, scope);
    this.#types.set(node, type);
    return type;
  }

  #check(node: SyntaxNode, scope: Scope): Type {
    switch (node.op) {
      case 'constant':
        return typeOfConstant(node.value);
      case 'identifier':
        return namedType(node.name, scope) ?? unknownVariable(node.name, node.start);
      case 'select':
      case 'has':
        return this.#select(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'list':
        return listOf(this.#joined(node.items, scope));
      case 'map':
        return mapOf(
          this.#joined(
            node.entries.map(([key]) => key),
            scope,
          ),
          this.#joined(
            node.entries.map(([, value]) => value),
            scope,
          ),
        );
      case 'fold':
        return this.#fold(node, scope);
    }
  }

  #joined(nodes: readonly SyntaxNode[], scope: Scope): Type {
    let joined: Type | undefined;
    for (const node of nodes) joined = this.#unifier.join(joined, this.check(node, scope));
    return joined ?? this.#unifier.variable();
  }

  #select(node: Select, scope: Scope): Type {
    const name = node.op === 'select' ? qualifiedName(node) : undefined;
    if (name !== undefined && isTypeName(name, scope)) return scalar('type');
    const operand = this.#unifier.resolve(this.check(node.operand, scope));
    if (operand.kind !== 'map' && operand.kind !== 'dyn' && operand.kind !== 'variable') {
      throw new Fault(`a value of type ${typeText(operand)} has no fields`, node.start);
    }
    if (operand.kind === 'variable') this.#unifier.assign([DYN], [operand]);
    if (node.op === 'has') return BOOL;
    return operand.kind === 'map' ? operand.of[1] : DYN;
  }

  #call(node: Call, scope: Scope): Type {
    const { name, target, args, start } = node;
    const overloads = DECLARATIONS.get(name);
    if (overloads === undefined) throw new Fault(`unknown function \`${name}\``, start);
    const given = [...(target === undefined ? [] : [target]), ...args].map((each) => this.check(each, scope));
    let result: Type | undefined;
    for (const overload of overloads) {
      if (overload.isMethod !== (target !== undefined)) continue;
      const [own, ...parameters] = this.#unifier.renamed([overload.result, ...overload.parameters]) as [
        Type,
        ...Type[],
      ];
      if (!this.#unifier.assign(given, parameters)) continue;
      const answered = this.#unifier.resolve(own);
      result = result === undefined || isSame(result, answered) ? answered : DYN;
    }
    if (result !== undefined) return result;
    throw new Fault(
      noOverload(
        node,
        given.map((type) => typeText(this.#unifier.resolve(type))),
      ),
      start,
    );
  }

  #fold({ range, kind, variable, condition, body }: Fold, scope: Scope): Type {
    const over = this.#unifier.resolve(this.check(range, scope));
    const item = this.#itemOf(over, range.start);
    const inner = new Map(scope).set(variable, item);
    if (condition !== undefined) this.#requireBool(condition, inner);
    if (kind === 'map') return listOf(this.check(body, inner));
    this.#requireBool(body, inner);
    return kind === 'filter' ? listOf(item) : BOOL;
  }

  #itemOf(range: Type, start: number): Type {
    if (range.kind === 'list' || range.kind === 'map') return range.of[0];
    if (range.kind === 'dyn' || range.kind === 'variable') return DYN;
    throw new Fault(`a value of type ${typeText(range)} is neither a list nor a map`, start);
  }

  #requireBool(node: SyntaxNode, scope: Scope): void {
    const type = this.check(node, scope);
    if (this.#unifier.assign([type], [BOOL])) return;
    throw new Fault(`must be a bool, and is ${typeText(this.#unifier.resolve(type))}`, node.start);
  }
}

function typeOfConstant(value: unknown): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return scalar('int');
    case 'number':
      return scalar('double');
    case 'string':
      return scalar('string');
    default:
      return value === null ? scalar('null') : scalar(value instanceof Uint ? 'uint' : 'bytes');
  }
}

function namedType(name: string, scope: Scope): Type | undefined {
  return scope.get(name) ?? (TYPE_VALUES.has(name) ? scalar('type') : undefined);
}

/** A name with dots that is a type's, unless its first part is a variable. */
export function isTypeName(name: string, scope: { has(name: string): boolean }): boolean {
  return TYPE_VALUES.has(name) && !scope.has(name.split('.', 1)[0] ?? '');
}

function unknownVariable(name: string, start: number): never {
  throw new Fault(`Unknown variable: ${name.slice(0, 64)}`, start);
}

function noOverload({ name, target }: Call, given: readonly string[]): string {
  if (!isOperator(name)) {
    const [receiver, ...rest] = given;
    const call = target === undefined ? `${name}(${given.join(', ')})` : `${receiver}.${name}(${rest.join(', ')})`;
    return `found no matching overload for '${call}'`;
  }
  const [left = '', right = '', third = ''] = given;
  if (name === '?:') return `no such overload: ${left} ? ${right} : ${third}`;
  if (name === '[]') return `no such overload: ${left}[${right}]`;
  if (given.length === 1) return `no such overload: ${name === 'negate' ? '-' : name}${left}`;
  return `no such overload: ${left} ${name} ${right}`;
}
