import type { Method } from '../routing/endpoint.ts';

/** Paths that begin alike, and what the names of their operations begin with: none where it is the empty string. */
export interface PathFamily {
  readonly base: string;
  readonly prefix: string;
  /** Operations are named as if this stood in place of the base; nothing where omitted. */
  readonly as?: string;
}

const verbs: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** Entries of these lists are assigned below something else: they are added and removed, not created and deleted. */
const assigned = new Set(['users', 'members', 'roles', 'groups', 'permissions']);
const assignmentVerbs: Readonly<Record<Method, string>> = { ...verbs, POST: 'add', PUT: 'set', DELETE: 'remove' };

/** Segments that say nothing about what an operation does. */
const silent = new Set(['admin', 'api', 'v1', '.well-known']);

/**
 * What clients call an operation: `listUsers`, `getUser`, `blockUser`, and `orgListUsers` in a family with a prefix. It
 * follows from method and path by a rule, so that it stays as it is. `GET /users` lists, `POST /users/{id}/block`
 * blocks, `POST /users/{id}/roles` adds.
 *
 * @param names those that do not follow the rule, by `POST /users/{}/roles`, without the base of the family
 */
export function operationName(
  { method, path }: { readonly method: Method; readonly path: string },
  families: readonly PathFamily[],
  names: Readonly<Record<string, string>>,
): string {
  const family = families.find(({ base }) => path === base || path.startsWith(`${base}/`));
  const rest = family === undefined ? path : (family.as ?? '') + path.slice(family.base.length);
  const name = names[operationKey(method, rest)] ?? derivedName(method, rest);
  const prefix = family?.prefix ?? '';
  return prefix === '' ? name : prefix + capital(name);
}

/** `POST /users/{}/roles`: the same whatever the parameters are called. */
function operationKey(method: Method, path: string): string {
  return `${method} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`;
}

function derivedName(method: Method, path: string): string {
  const segments = path
    // `settings/general` are the general settings
    .replace(/(^|\/)settings\/([^/{]+)/, '$1$2-settings')
    .split('/')
    .filter((segment) => segment !== '' && !silent.has(segment));
  const literals = segments.filter((segment) => !segment.startsWith('{'));
  const last = literals.at(-1) ?? '';
  const isAssigned = literals.length > 1 && assigned.has(last);
  const verb = (isAssigned ? assignmentVerbs : verbs)[method];
  const owners = literals.slice(0, -1).map((literal) => pascal(singular(literal)));
  if (segments.at(-1)?.startsWith('{')) return verb + owners.join('') + pascal(singular(last));
  const isPlural = singular(last) !== last;
  if (method === 'GET') return (isPlural ? 'list' : 'get') + owners.join('') + pascal(last);
  if (method === 'POST' && !isPlural) {
    // `rotate-key` below an agent rotates the key of an agent
    const [action = '', ...object] = last.split('-');
    return camel(action) + owners.join('') + object.map(capital).join('');
  }
  return verb + owners.join('') + pascal(method === 'POST' ? singular(last) : last);
}

/** `policies` is of `policy`, `keys` of `key`, `status` of itself. */
export function singular(word: string): string {
  if (/(?:ss|us|is|^sms|settings|stats|jwks|metrics|docs)$/.test(word)) return word;
  if (word.endsWith('ies')) return word.replace(/ies$/, 'y');
  return word.replace(/(?<=x|ch|sh|ss)es$|s$/, '');
}

export function pascal(word: string): string {
  return word
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('');
}

function camel(word: string): string {
  const text = pascal(word);
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
