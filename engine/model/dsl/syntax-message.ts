import type { Position } from '../issues.ts';
import type { Token } from './scan.ts';

/** What is wrong with a text that the parser cannot read, in the words of this language and not of its parser. */
export interface SyntaxFault {
  readonly at: Position;
  readonly message: string;
}

const SHOWN_MAX = 60;
const parameterTypes = 'any, bool, string, int, uint, double, duration, timestamp, ipaddress, list<…> and map<…>';

/** @param stopped where the parser could not go on */
export function syntaxFault(tokens: readonly Token[], stopped: Position): SyntaxFault {
  const [first] = tokens;
  if (first === undefined) return { at: { line: 1, column: 1 }, message: 'a model begins with "model"' };
  if (first.text !== 'model' && first.text !== 'module') {
    return { at: first, message: `a model begins with "model", and not with ${quoted(first)}` };
  }
  const index = tokens.findIndex(
    ({ line, column }) => line > stopped.line || (line === stopped.line && column >= stopped.column),
  );
  const end = index < 0 ? tokens.length : index;
  const found = tokens[end];
  const message = messageOf(tokens.slice(0, end), found);
  return { at: found === undefined || found.opensLine ? stopped : found, message };
}

/** @param read what the parser took, at least the first word where it took any */
function messageOf(read: readonly Token[], found: Token | undefined): string {
  const before = read.at(-1);
  return (
    headFault(read, found) ??
    (read.at(lastOpening(read))?.text === 'condition' ? conditionFault(before, found) : undefined) ??
    (read.at(lastOpening(read))?.text === 'define' ? definitionFault(read, found) : undefined) ??
    otherFault(before, found)
  );
}

/** The index of the last word that opens a line. */
function lastOpening(read: readonly Token[]): number {
  return read.findLastIndex(({ opensLine, kind }) => opensLine && kind === 'word');
}

function headFault(read: readonly Token[], found: Token | undefined): string | undefined {
  const before = read.at(-1);
  if (before?.text === 'model' && read.length === 1) return 'after "model" comes a line with "schema 1.1"';
  if (before?.text === 'module' && read.length === 1) return '"module" needs a name';
  if (before?.text === 'schema' && before.opensLine) return '"schema" needs a version, such as "schema 1.1"';
  if (before?.opensLine !== true && !(before?.text === 'type' && read.at(-2)?.text === 'extend')) return undefined;
  if (before?.text === 'extend') return 'after "extend" comes "type"';
  if (before?.text === 'type' && found?.line !== before.line) return '"type" needs a name';
  return undefined;
}

function conditionFault(before: Token | undefined, found: Token | undefined): string {
  if (before?.text === ':' && found?.kind === 'word') {
    return `${quoted(found)} is no type of a parameter: there are ${parameterTypes}`;
  }
  return `${unexpected(found)}: a condition is written as condition NAME(PARAMETER: TYPE) { EXPRESSION }`;
}

/** What must follow where the line ends after one of these words. */
const needs: Readonly<Record<string, string>> = {
  and: 'a relation or a list of types',
  from: 'the name of a relation',
  not: 'a relation or a list of types',
  or: 'a relation or a list of types',
  with: 'the name of a condition',
};

function definitionFault(read: readonly Token[], found: Token | undefined): string | undefined {
  const line = read.slice(lastOpening(read));
  const [, name, colon] = line;
  const last = line.at(-1);
  if (name === undefined) return '"define" needs the name of a relation';
  if (colon === undefined) return `":" is missing after ${quoted(name)}`;
  const isCut = found === undefined || found.opensLine;
  if (last?.text === '[' && found?.text === ']') return 'the list of types is empty: name one, such as [user]';
  if (isCut && last === colon) return `${quoted(name)} needs a definition, such as [user]`;
  if (last?.text === ':' && last !== colon) return `after ${quoted(line.at(-2))} and ":" comes "*"`;
  if (isCut || found.text === ']' || found.text === ')') {
    const needed = needs[last?.text ?? ''];
    if (needed !== undefined) return `${quoted(last)} needs ${needed} after it`;
  }
  if (isCut && count(line, '[') > count(line, ']')) return '"[" is not closed';
  if (isCut && count(line, '(') > count(line, ')')) return '"(" is not closed';
  if (found?.text === 'and' || found?.text === 'or' || found?.text === 'but') return mixed(line, found);
  return undefined;
}

function mixed(line: readonly Token[], { text }: Token): string {
  const other = line.findLast(({ text: each }) => ['and', 'or', 'but'].includes(each))?.text;
  if (other !== undefined) return `"${text}" and "${other}" cannot stand side by side: use parentheses`;
  return text === 'but' ? 'after "but" come "not" and a relation' : `unexpected "${text}"`;
}

function count(line: readonly Token[], mark: string): number {
  return line.filter(({ text }) => text === mark).length;
}

function otherFault(before: Token | undefined, found: Token | undefined): string {
  if (found === undefined) return `the model ends too early, after ${quoted(before)}`;
  if (found.text === 'relation' && found.opensLine) return 'unexpected "relation": the word is "relations"';
  if (!found.opensLine) return `unexpected ${quoted(found)} after ${quoted(before)}`;
  return `unexpected ${quoted(found)}: a line begins with "type", "relations", "define" or "condition"`;
}

function unexpected(found: Token | undefined): string {
  return found === undefined ? 'the model ends too early' : `unexpected ${quoted(found)}`;
}

function quoted(token: Token | undefined): string {
  const text = token?.text ?? '';
  return `"${text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}"`;
}
