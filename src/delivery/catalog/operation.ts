import type { Endpoint } from '../../http/index.ts';

/** A method and a path, without what tells one family of addresses from the other: `POST /admin/users`. */
export type Operation = `${Endpoint['method']} /${string}`;

const prefixes = [
  [/^\/(?:t\/\{tenant\}|orgs\/\{orgId\})\/api\/v1\//, '/'],
  [/^\/(?:t\/\{tenant\}\/scim\/v2|orgs\/\{orgId\}\/scim2\.0)\//, '/scim/'],
  [/^\/orgs\/\{orgId\}\//, '/'],
] as const;

export function operationOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Operation {
  const prefix = prefixes.find(([pattern]) => pattern.test(path));
  const short = prefix === undefined ? path : path.replace(prefix[0], prefix[1]);
  return `${method} ${short as `/${string}`}`;
}
