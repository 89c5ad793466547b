import { isDeepStrictEqual } from 'node:util';
import type { Endpoint } from '../../src/http/index.ts';

/**
 * Bodies on which an endpoint's hand-written validator and its schema differ. The validator may leave a body to the
 * schema, but what it takes, the schema must take as the very same value.
 */
export function fastDisagreements(endpoint: Endpoint, bodies: readonly unknown[]): string[] {
  if (endpoint.fast === undefined || endpoint.body === undefined) throw new Error('the endpoint has no fast validator');
  const { fast, body: schema } = endpoint;
  return bodies.flatMap((body) => {
    const taken = fast(body);
    if (taken === undefined) return [];
    const checked = schema.safeParse(body);
    if (checked.success && isDeepStrictEqual(checked.data, taken)) return [];
    return [`${JSON.stringify(body)}: the validator takes what the schema ${checked.success ? 'changes' : 'refuses'}`];
  });
}

/** How many of the bodies the validator takes: a table on which it takes none proves nothing. */
export function fastTakes(endpoint: Endpoint, bodies: readonly unknown[]): number {
  return bodies.filter((body) => endpoint.fast?.(body) !== undefined).length;
}
