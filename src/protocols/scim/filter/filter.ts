import type { AttributePath } from '../schema/attribute-path.ts';

/** A filter (RFC 7644, 3.4.2.2) with canonical names and with values of the attributes' types. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | Comparison
  | ValuePath;

/** `emails co "x"` compares `emails.value`: the path always leads to something simple. */
export interface Comparison {
  readonly kind: 'compare';
  readonly path: AttributePath;
  readonly operator: Operator;
  readonly value: string | number | boolean;
}

/** `emails[type eq "work"]`: all of the filter holds for one and the same value. Its paths begin at that value. */
export interface ValuePath {
  readonly kind: 'values';
  readonly path: AttributePath;
  readonly filter: Filter;
}

/** A filter that is not made of others. */
type Term = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>;

/** All that a filter asks for, however it is joined. */
export function termsIn(filter: Filter): readonly Term[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.flatMap(termsIn);
    case 'not':
      return termsIn(filter.term);
    default:
      return [filter];
  }
}

export type Operator = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** Bounds of what is read. They are far beyond what clients send, and keep reading and matching short. */
export const filterBounds = { characters: 4096, depth: 32, terms: 256 } as const;
