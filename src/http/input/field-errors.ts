import type { z } from 'zod';
import type { FieldError } from '../problems/problem.ts';

const textMax = 200;

/** The faults that zod found, as they are answered: paths of this service, the first fault of each, so many at most. */
export function fieldErrors(error: z.core.$ZodError, place: 'body' | 'query' | 'path', countMax: number): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    for (const found of fromIssue(issue)) {
      if (errors.length === countMax) return errors;
      const path = pathText(place, found.path);
      if (!errors.some((known) => known.path === path)) errors.push({ path, message: cut(found.message) });
    }
  }
  return errors;
}

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function fromIssue(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not known here' }));
  }
  if (issue.code === 'invalid_union') return fromUnion(issue);
  return [{ path: issue.path, message: issue.message }];
}

/** Of the alternatives the one that got furthest says best what was meant. */
function fromUnion(issue: z.core.$ZodIssueInvalidUnion): Fault[] {
  const depth = (issues: readonly z.core.$ZodIssue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
  const deepest = issue.errors.toSorted((left, right) => depth(right) - depth(left))[0];
  if (deepest === undefined || depth(deepest) === 0) return [{ path: issue.path, message: issue.message }];
  return deepest.flatMap(fromIssue).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

/** `checks[3].object`; `query.limit`; `path.orgId`. */
function pathText(place: 'body' | 'query' | 'path', path: readonly PropertyKey[]): string {
  let text = place === 'body' ? '' : place;
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return cut(text);
}

function cut(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}
