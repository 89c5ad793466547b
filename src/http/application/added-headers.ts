import type { Endpoint } from '../routing/endpoint.ts';
import { FixedHeaders } from '../transport/header-block.ts';

/** What lets scripts of every origin read an answer. */
export const readableByAll = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, x-request-id',
} as const;

/**
 * Headers that an endpoint adds to each of its answers: CORS where any origin may read them, and the announcement of its
 * end. `*` and never a reflected origin, so that no browser sends cookies along.
 */
export function addedHeaders(endpoint: Endpoint): FixedHeaders | undefined {
  const headers: Record<string, string> = {};
  if (endpoint.cors) Object.assign(headers, readableByAll);
  if (endpoint.deprecated !== undefined) {
    headers.deprecation = `@${Math.floor(endpoint.deprecated.since.getTime() / 1_000)}`;
    headers.sunset = endpoint.deprecated.sunset.toUTCString();
  }
  return Object.keys(headers).length === 0 ? undefined : new FixedHeaders(headers);
}

export function preflightHeaders(allow: string): Readonly<Record<string, string>> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'authorization, content-type, dpop',
    'access-control-max-age': '600',
  };
}
