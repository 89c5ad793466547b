import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

/**
 * What an answer says of a fault, in the words of this service; `undefined` leaves it to the schema's library. A schema
 * that brings words of its own keeps them.
 */
export function issueText(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${article(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${oneOf(issue.values)}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : alternatives(issue.errors);
    case 'too_big':
      return `must ${bound(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'too_small':
      return issue.minimum === 1 && countable.has(issue.origin)
        ? 'must not be empty'
        : `must ${bound(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2030-01-31T08:00:00Z' : undefined;
    default:
      return undefined;
  }
}

/** The values of a query are texts: a list is a parameter that came several times. */
export function queryIssueText(issue: RawIssue): string | undefined {
  return issue.code === 'invalid_type' && Array.isArray(issue.input) ? 'must be given once' : issueText(issue);
}

const names: Readonly<Record<string, string>> = {
  int: 'a whole number',
  record: 'an object',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function article(expected: string): string {
  return names[expected] ?? `a ${expected}`;
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(', ')}`;
}

/** What is counted, and not measured. */
const countable: ReadonlyMap<string, string> = new Map([
  ['string', 'character'],
  ['array', 'item'],
]);

function bound(origin: string, direction: string, limit: number): string {
  const counted = countable.get(origin);
  if (counted === undefined) return `be ${direction} ${limit}`;
  return `have ${direction} ${limit} ${counted}${limit === 1 ? '' : 's'}`;
}

/** Where every alternative is a plain one: what would have been accepted. */
function alternatives(errors: readonly (readonly { readonly message: string }[])[]): string {
  const prefix = 'must be ';
  const texts = errors.flatMap((issues) => issues.map(({ message }) => message));
  const plain = texts.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length));
  return plain.length === 0 ? 'fits none of the accepted forms' : `${prefix}${[...new Set(plain)].join(' or ')}`;
}
