import type { z } from 'zod';
import type { FieldError } from '../problems/problem.ts';
import { meantField } from './known-names.ts';

const textMax = 200;

/**
 * The faults that zod found, as they are answered: paths of this service, the first fault of each, so many at most.
 * @param schema what was to fit: it says which field an unknown one was probably meant to be
 */
export function fieldErrors(
  error: z.core.$ZodError,
  part: 'body' | 'query' | 'path',
  countMax: number,
  schema: z.ZodType,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    for (const found of fromIssue(issue, schema)) {
      if (errors.length === countMax) return errors;
      const path = pathText(part, found.path);
      if (!errors.some((known) => known.path === path)) errors.push({ path, message: cut(found.message) });
    }
  }
  return errors;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function fromIssue(issue: z.core.$ZodIssue, schema: z.ZodType, above: readonly PropertyKey[] = []): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const known = (key: string): string | undefined => meantField(schema, [...above, ...issue.path], key);
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownText(known(key)) }));
  }
  if (issue.code === 'invalid_union') return fromUnion(issue, schema, above);
  return [{ path: issue.path, message: issue.message }];
}

/** What says that a value is something else altogether. */
const otherTypes: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

/** Of the alternatives the one that got furthest says best what was meant; else the only one of the value's own type. */
function fromUnion(issue: z.core.$ZodIssueInvalidUnion, schema: z.ZodType, above: readonly PropertyKey[]): Fault[] {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
  const deepest = issue.errors.toSorted((left, right) => depth(right) - depth(left))[0];
  const ofType = issue.errors.filter((issues) => issues.every(({ code }) => !otherTypes.has(code)));
  const meant = deepest !== undefined && depth(deepest) > 0 ? deepest : ofType.length === 1 ? ofType[0] : undefined;
  if (meant === undefined) return [{ path: issue.path, message: issue.message }];
  const faults = meant.flatMap((each) => fromIssue(each, schema, [...above, ...issue.path]));
  return faults.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function unknownText(meant: string | undefined): string {
  return meant === undefined ? 'is not known here' : `is not known here: did you mean ${meant}?`;
}

/** `checks[3].object`; `query.limit`; `path.orgId`. */
export function pathText(part: 'body' | 'query' | 'path', path: readonly PropertyKey[]): string {
  let text = part === 'body' ? '' : part;
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return cut(text);
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}
