import { INT_MAX } from '../values/uint.ts';
import { INT_MIN_MAGNITUDE } from './literals.ts';
import { expandMacro } from './macros.ts';
import { scan, type Token } from './scan.ts';
import { Fault, type SyntaxNode } from './syntax.ts';

const RESERVED = new Set([
  ...['as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package'],
  ...['namespace', 'return', 'var', 'void', 'while', '__proto__', 'prototype'],
]);

/** Words that are no names anywhere. */
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Can a variable have this name? */
export function isName(text: string): boolean {
  return NAME.test(text) && !RESERVED.has(text) && !WORDS.has(text) && text !== 'in';
}

/** Binary operators from the loosest to the tightest, each level from left to right. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['||']),
  new Set(['&&']),
  new Set(['==', '!=', '<', '<=', '>', '>=', 'in']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

/** Parses an expression, macros expanded. Throws a `Fault`. Brackets, and signs in a row, nest at most `depth` deep. */
export function parse(text: string, depth: number): SyntaxNode {
  return new Parser(scan(text), depth).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #depth: number;
  #at = 0;
  #open = 0;

  constructor(tokens: readonly Token[], depth: number) {
    this.#tokens = tokens;
    this.#depth = depth;
  }

  parse(): SyntaxNode {
    const node = this.#expression();
    if (this.#token.kind !== 'end') throw this.#unexpected();
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#at] as Token; // the last one is never passed
  }

  #expression(): SyntaxNode {
    this.#open += 1;
    this.#requireShallow(this.#open);
    const condition = this.#binary(0);
    const node = this.#take('?') ? this.#choice(condition) : condition;
    this.#open -= 1;
    return node;
  }

  #choice(condition: SyntaxNode): SyntaxNode {
    const then = this.#binary(0);
    this.#expect(':');
    const otherwise = this.#expression();
    return operator('?:', [condition, then, otherwise]);
  }

  #binary(level: number): SyntaxNode {
    const signs = LEVELS[level];
    if (signs === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    while (this.#token.kind !== 'value' && signs.has(this.#token.text)) {
      const { text } = this.#advance();
      left = operator(text, [left, this.#binary(level + 1)]);
    }
    return left;
  }

  /** Signs in a row cancel each other out in pairs, as in cel-go. */
  #unary(): SyntaxNode {
    const { text: sign, start } = this.#token;
    if (this.#token.kind !== 'sign' || (sign !== '-' && sign !== '!')) return this.#member(this.#primary());
    let count = 0;
    while (this.#take(sign)) this.#requireShallow(++count);
    const isNegated = count % 2 === 1;
    const { kind, value } = this.#tokens[this.#at] as Token; // another one than above
    if (sign === '-' && kind === 'value' && isNegated && (typeof value === 'bigint' || typeof value === 'number')) {
      this.#at += 1;
      return this.#member({ op: 'constant', value: -value, start });
    }
    const operand = sign === '!' && this.#isNegativeNumber() ? this.#unary() : this.#member(this.#primary());
    if (!isNegated) return operand;
    return { op: 'call', name: sign === '-' ? 'negate' : '!', target: undefined, args: [operand], start };
  }

  /** The one place where a sign follows another: `!-1`, which the grammar takes for a literal. */
  #isNegativeNumber(): boolean {
    const { kind, text } = this.#token;
    const next = this.#tokens[this.#at + 1];
    return kind === 'sign' && text === '-' && (typeof next?.value === 'bigint' || typeof next?.value === 'number');
  }

  #member(primary: SyntaxNode): SyntaxNode {
    let node = primary;
    for (;;) {
      if (this.#take('.')) node = this.#selected(node);
      else if (this.#take('[')) {
        node = operator('[]', [node, this.#expression()]);
        this.#expect(']');
      } else return node;
    }
  }

  #selected(operand: SyntaxNode): SyntaxNode {
    const token = this.#token;
    if (token.kind === 'field') {
      this.#at += 1;
      return { op: 'select', operand, field: token.text.slice(1, -1), start: operand.start };
    }
    if (token.kind !== 'name' || WORDS.has(token.text) || token.text === 'in') throw this.#unexpected();
    this.#at += 1;
    const { start } = operand;
    if (!this.#take('(')) return { op: 'select', operand, field: token.text, start };
    return this.#called(token.text, operand, start);
  }

  #called(name: string, target: SyntaxNode | undefined, start: number): SyntaxNode {
    const args = this.#list(')', false);
    return expandMacro({ name, target, args, start }) ?? { op: 'call', name, target, args, start };
  }

  #primary(): SyntaxNode {
    const token = this.#token;
    if (token.kind === 'end') throw this.#unexpected();
    this.#at += 1;
    const { text, start } = token;
    if (token.kind === 'value') return { op: 'constant', value: this.#inRange(token), start };
    if (token.kind === 'name') return this.#named(text, start);
    switch (text) {
      case '(': {
        const node = this.#expression();
        this.#expect(')');
        return node;
      }
      case '[':
        return { op: 'list', items: this.#list(']', true), start };
      case '{':
        return { op: 'map', entries: this.#entries(), start };
      // a leading dot asks for the outermost name, and all names are
      case '.':
        if (this.#token.kind === 'name') return this.#named(this.#advance().text, start);
    }
    this.#at -= 1;
    throw this.#unexpected();
  }

  #named(name: string, start: number): SyntaxNode {
    if (WORDS.has(name)) return { op: 'constant', value: WORDS.get(name), start };
    if (!isName(name)) throw new Fault(`Unexpected token: ${name} is a reserved word`, start);
    return this.#take('(') ? this.#called(name, undefined, start) : { op: 'identifier', name, start };
  }

  #inRange({ value, text, start }: Token): unknown {
    if (value === INT_MIN_MAGNITUDE) throw new Fault(`the number ${text} is larger than ${INT_MAX}`, start);
    return value;
  }

  #list(end: string, mayEndInComma: boolean): SyntaxNode[] {
    const items: SyntaxNode[] = [];
    if (this.#take(end)) return items;
    for (;;) {
      items.push(this.#expression());
      if (this.#take(end)) return items;
      this.#expect(',');
      if (mayEndInComma && this.#take(end)) return items;
    }
  }

  #entries(): [SyntaxNode, SyntaxNode][] {
    const entries: [SyntaxNode, SyntaxNode][] = [];
    while (!this.#take('}')) {
      const key = this.#expression();
      this.#expect(':');
      entries.push([key, this.#expression()]);
      if (this.#token.text !== '}' || this.#token.kind !== 'sign') this.#expect(',');
    }
    return entries;
  }

  #advance(): Token {
    const token = this.#token;
    this.#at += 1;
    return token;
  }

  #take(sign: string): boolean {
    if (this.#token.kind !== 'sign' || this.#token.text !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#unexpected(sign);
  }

  #unexpected(expected?: string): Fault {
    const { text, start } = this.#token;
    const hint = expected === undefined ? '' : `, expected ${expected}`;
    return new Fault(`Unexpected token: ${text.slice(0, 64)}${hint}`, start);
  }

  #requireShallow(depth: number): void {
    if (depth > this.#depth) {
      throw new Fault(`the expression is limited to a nesting of ${this.#depth}`, this.#token.start);
    }
  }
}

function operator(name: string, args: SyntaxNode[]): SyntaxNode {
  return { op: 'call', name, target: undefined, args, start: args[0]?.start ?? 0 };
}
