import { nameFault } from '../check/names.ts';
import { issueAt } from '../issues.ts';
import { MODEL_LIMITS } from '../limits.ts';
import type { ModelIssue } from '../model.ts';
import type { Token } from './scan.ts';

const STRAYS_NAMED_MAX = 10;

/**
 * What the parser must not be given: texts that it takes very long over or overflows the stack on, and names that it
 * loses because it keeps them in plain objects. Linear in the number of tokens.
 */
export function guard(tokens: readonly Token[]): ModelIssue[] {
  const tooLarge = bounds(tokens);
  return tooLarge.length > 0 ? tooLarge : [...strays(tokens), ...names(tokens)];
}

function strays(tokens: readonly Token[]): ModelIssue[] {
  return tokens
    .filter((token) => token.kind === 'stray')
    .slice(0, STRAYS_NAMED_MAX)
    .map((token) => at(token, `unexpected character ${JSON.stringify(token.text)}`));
}

function bounds(tokens: readonly Token[]): ModelIssue[] {
  const last = tokens[MODEL_LIMITS.tokens];
  if (last !== undefined) return [at(last, `a model is limited to ${MODEL_LIMITS.tokens} words and marks`)];
  let depth = 0;
  let work = 0;
  for (const token of tokens) {
    if (token.kind === 'body' && token.text.length > MODEL_LIMITS.expressionLength) {
      return [at(token, `the expression of a condition is limited to ${MODEL_LIMITS.expressionLength} characters`)];
    }
    if (token.kind === 'word' && token.text.length > MODEL_LIMITS.wordLength) {
      return [at(token, `a name is limited to ${MODEL_LIMITS.wordLength} characters`)];
    }
    if (token.text === '(') depth += 1;
    // A definition that leaves parentheses open is a syntax error; it must not count against those that follow.
    else if (token.opensLine && token.text === 'define') depth = 0;
    else if (token.text === ')') depth = Math.max(0, depth - 1);
    work += depth;
    if (depth > MODEL_LIMITS.nesting) return [at(token, `parentheses nest at most ${MODEL_LIMITS.nesting} deep`)];
    if (work > MODEL_LIMITS.nestingWork) return [at(token, 'too much of the model stands in nested parentheses')];
  }
  return [];
}

function names(tokens: readonly Token[]): ModelIssue[] {
  return tokens.flatMap((token, index) => {
    const kind = token.kind === 'word' ? kindNamedBy(tokens[index - 1]) : undefined;
    const fault = kind === undefined ? undefined : nameFault(kind, token.text);
    return fault === undefined ? [] : [at(token, fault)];
  });
}

function kindNamedBy(before: Token | undefined): 'type' | 'relation' | 'condition' | undefined {
  if (before === undefined || before.kind !== 'word') return undefined;
  if (before.text === 'type') return 'type';
  if (before.text === 'define' && before.opensLine) return 'relation';
  return before.text === 'condition' && before.opensLine ? 'condition' : undefined;
}

function at(token: Token, message: string): ModelIssue {
  return issueAt({ line: token.line, column: token.column }, message);
}
