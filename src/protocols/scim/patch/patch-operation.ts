import type { Filter } from '../filter/filter.ts';
import type { AttributePath } from '../schema/attribute-path.ts';

/** Where an operation works (RFC 7644, 3.5.2, figure 7), by canonical names. */
export interface PatchPath extends AttributePath {
  /** Which values of a multi-valued attribute. */
  readonly filter?: Filter;
}

/**
 * One operation with canonical names and values. `value` is missing where an attribute is emptied. A `remove` with a list
 * of values removes those.
 */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  readonly path: PatchPath;
  readonly value?: unknown;
}

/** Most operations of one request, before those without a path are taken apart. */
export const operationsMax = 1000;
