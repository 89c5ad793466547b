import type { Position } from '../issues.ts';
import type { Token } from './scan.ts';

/** Where the parts of one relation stand. */
export interface RelationOutline {
  readonly name: string;
  readonly at: Position;
  /** The entries of its `[…]`, in order. */
  readonly subjects: readonly Position[];
  /** Its operands as the text has them, from left to right: `[…]`, a relation, or `relation from tupleset`. */
  readonly operands: readonly { readonly at: Position; readonly tupleset?: Position }[];
}

export interface TypeOutline {
  readonly name: string;
  readonly at: Position;
  readonly extends: boolean;
  readonly relations: readonly RelationOutline[];
}

export interface ConditionOutline {
  readonly name: string;
  readonly at: Position;
  readonly parameters: ReadonlyMap<string, Position>;
  /** The expression as written, and where it begins. */
  readonly expression: string;
  readonly body: Position;
}

/** The positions of everything that a text defines, in the order of the text, which is the parser's order too. */
export interface Outline {
  readonly types: readonly TypeOutline[];
  readonly conditions: readonly ConditionOutline[];
  /** Where the version of the language stands; a module has none. */
  readonly version?: Position;
}

const OPERATORS = new Set(['or', 'and']);

/** Finds the definitions among the tokens of a text that the parser has accepted. */
export function outline(tokens: readonly Token[], file?: string): Outline {
  const types: (TypeOutline & { relations: RelationOutline[] })[] = [];
  const conditions: ConditionOutline[] = [];
  let version: Position | undefined;
  for (const definition of definitions(tokens)) {
    const [keyword, name] = definition;
    if (keyword === undefined || name === undefined) continue;
    if (keyword.text === 'model') version ??= versionOf(definition, file);
    else if (keyword.text === 'type' || keyword.text === 'extend') {
      const named = keyword.text === 'type' ? name : (definition[2] ?? name);
      types.push({ name: named.text, at: positionOf(named, file), extends: keyword.text === 'extend', relations: [] });
    } else if (keyword.text === 'define') types.at(-1)?.relations.push(relationOf(definition, name, file));
    else if (keyword.text === 'condition') conditions.push(conditionOf(definition, name, file));
  }
  return { types, conditions, ...(version === undefined ? {} : { version }) };
}

const KEYWORDS = new Set(['type', 'extend', 'define', 'condition', 'relations', 'model', 'module']);

/** A definition begins where a line does, with its keyword, and not inside `[…]` or `(…)`. */
function definitions(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (token.text === '[' || token.text === '(') depth += 1;
    if (token.text === ']' || token.text === ')') depth -= 1;
    if (depth === 0 && token.opensLine && KEYWORDS.has(token.text)) found.push([token]);
    else found.at(-1)?.push(token);
  }
  return found;
}

/** `model`, `schema`, and the version. */
function versionOf(tokens: readonly Token[], file: string | undefined): Position | undefined {
  const version = tokens[tokens.findIndex(({ text }) => text === 'schema') + 1];
  return version === undefined ? undefined : positionOf(version, file);
}

function relationOf(tokens: readonly Token[], name: Token, file: string | undefined): RelationOutline {
  const subjects: Position[] = [];
  const operands: { at: Position; tupleset?: Position }[] = [];
  let inList = false;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (index < 3) continue;
    const at = positionOf(token, file);
    if (token.text === ']') inList = false;
    else if (token.text === '[') {
      inList = true;
      operands.push({ at });
    } else if (inList) {
      if (before?.text === '[' || before?.text === ',') subjects.push(at);
    } else if (before?.text === 'from') {
      const operand = operands.at(-1);
      if (operand !== undefined) operand.tupleset = at;
    } else if (isOperand(token, before, tokens[index + 1])) operands.push({ at });
  }
  return { name: name.text, at: positionOf(name, file), subjects, operands };
}

function isOperand(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (token.kind !== 'word' || OPERATORS.has(token.text) || token.text === 'from') return false;
  if (token.text === 'but' && after?.text === 'not') return false;
  return !(token.text === 'not' && before?.text === 'but');
}

function conditionOf(tokens: readonly Token[], name: Token, file: string | undefined): ConditionOutline {
  const parameters = new Map<string, Position>();
  let body: Token | undefined;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]?.text;
    if (token.kind === 'word' && tokens[index + 1]?.text === ':' && (before === '(' || before === ',')) {
      parameters.set(token.text, positionOf(token, file));
    }
    if (token.kind === 'body') body ??= token;
  }
  return {
    name: name.text,
    at: positionOf(name, file),
    parameters,
    expression: body?.text ?? '',
    body: positionOf(body ?? name, file),
  };
}

function positionOf(token: Token, file: string | undefined): Position {
  const position = { line: token.line, column: token.column };
  return file === undefined ? position : { ...position, file };
}
