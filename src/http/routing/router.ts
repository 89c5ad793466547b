import { BoundedMap } from '#engine';
import { decodePercent } from '../input/parse-query.ts';
import { type ErrorRenderer, renderProblem } from '../problems/problem-renderer.ts';
import type { Endpoint, Method } from './endpoint.ts';
import { parsePath } from './path-pattern.ts';

/** An endpoint at its path, with what the application prepares for it. */
export interface Route<T> {
  readonly endpoint: Endpoint;
  readonly names: readonly string[];
  readonly prepared: T;
}

export type Match<T> =
  | { readonly kind: 'found'; readonly route: Route<T>; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'not_found' }
  /** `allow` is the header's value; the others are as they are of the path's endpoints. */
  | {
      readonly kind: 'method_not_allowed' | 'options';
      readonly allow: string;
      readonly cors: boolean;
      readonly renderer: ErrorRenderer;
    }
  /** An escape in a parameter cannot be decoded, or decodes to a control character. */
  | { readonly kind: 'malformed' };

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  readonly routes: Map<string, Route<T>>;
  /**
   * By method, by all that follows on one parameter here, from its slash on, where that is literal. It names the endpoint
   * whatever stands in the parameter's place, so that the paths of many organizations are as few as those of one.
   */
  readonly tails: Map<string, Map<string, Route<T>>>;
}

const newNode = <T>(): Node<T> => ({
  literals: new Map(),
  parameter: undefined,
  routes: new Map(),
  tails: new Map(),
});

/** Longer paths have no endpoint, and a bound keeps the search for one linear. */
const segmentsMax = 24;

/**
 * Paths whose endpoint is remembered. Services ask the same few paths over and over, and one look-up of the whole path
 * costs a fifth of walking its segments. Endpoints never change, so what is remembered is never wrong.
 */
const recentMax = 1_000;

/** Finds endpoints by method and path. Built once; in each segment a literal is tried before a parameter. */
export class Router<T> {
  readonly #root: Node<T> = newNode();
  readonly #recent = new Map<string, BoundedMap<string, Match<T>>>();
  #lastMethod = '';
  #lastPath = '';
  #last: Match<T> = notFound;
  /** How the last path began and ended that was found by its tail. */
  #lastStart = '';
  #lastTail = '';
  #tailMethod = '';
  #tailRoute: Route<T> | undefined = undefined;

  /** @throws RangeError where two endpoints have the same method and path */
  constructor(endpoints: readonly Endpoint[], prepare: (endpoint: Endpoint) => T) {
    for (const endpoint of endpoints) this.#add(endpoint, prepare(endpoint));
  }

  match(method: string, path: string): Match<T> {
    // to compare with the last one takes less than to hash a text that has just been made
    if (path === this.#lastPath && method === this.#lastMethod) return this.#last;
    const match = this.#byTail(method, path) ?? this.#recall(method, path);
    if (match.kind !== 'found') return match;
    this.#lastPath = path;
    this.#lastMethod = method;
    this.#last = match;
    return match;
  }

  /** `/literal/parameter/…`, where no literal may stand in the parameter's place. */
  #byTail(method: string, path: string): Match<T> | undefined {
    const slash = path.indexOf('/', 1);
    const end = slash < 0 ? slash : path.indexOf('/', slash + 1);
    if (end <= slash + 1) return undefined;
    const route = this.#isLastTail(method, path, slash, end)
      ? this.#tailRoute
      : this.#routeOfTail(method, path, slash, end);
    if (route === undefined) return undefined;
    const value = decodeSegment(path.slice(slash + 1, end));
    if (value === undefined) return malformed;
    return { kind: 'found', route, params: paramOf(route.names[0] as string, value) };
  }

  /** Services ask at the same endpoint of many organizations. To compare takes less than to hash what was just made. */
  #isLastTail(method: string, path: string, slash: number, end: number): boolean {
    const start = this.#lastStart;
    const tail = this.#lastTail;
    if (start.length !== slash || tail.length !== path.length - end || method !== this.#tailMethod) return false;
    return path.startsWith(start) && path.endsWith(tail);
  }

  #routeOfTail(method: string, path: string, slash: number, end: number): Route<T> | undefined {
    const node = this.#root.literals.get(path.slice(1, slash));
    if (node === undefined || node.literals.size > 0) return undefined;
    const tail = path.slice(end);
    const route = node.tails.get(method)?.get(tail);
    if (route === undefined) return undefined;
    this.#lastStart = path.slice(0, slash);
    this.#lastTail = tail;
    this.#tailMethod = method;
    this.#tailRoute = route;
    return route;
  }

  #recall(method: string, path: string): Match<T> {
    let recent = this.#recent.get(method);
    const known = recent?.get(path);
    if (known !== undefined) return known;
    const match = this.#search(method, path);
    if (match.kind !== 'found') return match;
    if (recent === undefined) {
      recent = new BoundedMap(recentMax);
      this.#recent.set(method, recent);
    }
    recent.set(path, match);
    return match;
  }

  #search(method: string, path: string): Match<T> {
    const values: string[] = [];
    const node = path === '/' ? this.#root : find(this.#root, path, 1, values);
    if (node === undefined || node.routes.size === 0) return notFound;
    const route = node.routes.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return otherMethod(node, method);
    if (route.names.length === 0) return { kind: 'found', route, params: noParams };
    const params: Record<string, string> = {};
    for (let i = 0; i < route.names.length; i++) {
      const value = decodeSegment(values[i] as string);
      if (value === undefined) return malformed;
      params[route.names[i] as string] = value;
    }
    return { kind: 'found', route, params: Object.freeze(params) };
  }

  #add(endpoint: Endpoint, prepared: T): void {
    const { segments, names } = parsePath(endpoint.path);
    let node = this.#root;
    for (const segment of segments) {
      let next = segment === undefined ? node.parameter : node.literals.get(segment);
      if (next === undefined) {
        next = newNode();
        if (segment === undefined) node.parameter = next;
        else node.literals.set(segment, next);
      }
      node = next;
    }
    if (node.routes.has(endpoint.method))
      throw new RangeError(`two endpoints answer ${endpoint.method} ${endpoint.path}`);
    const route = { endpoint, names, prepared };
    node.routes.set(endpoint.method, route);
    this.#addTail(segments, route);
  }

  #addTail(segments: readonly (string | undefined)[], route: Route<T>): void {
    const [first, parameter, ...rest] = segments;
    if (first === undefined || parameter !== undefined || rest.length === 0 || rest.includes(undefined)) return;
    const { tails } = this.#root.literals.get(first) as Node<T>; // added a moment ago
    const { method } = route.endpoint;
    const known = tails.get(method) ?? new Map<string, Route<T>>();
    tails.set(method, known.set(`/${rest.join('/')}`, route));
  }
}

const notFound = { kind: 'not_found' } as const;
const malformed = { kind: 'malformed' } as const;
const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** The node of the rest of the path from `start`; `values` gets what stands in place of parameters. */
function find<T>(node: Node<T>, path: string, start: number, values: string[]): Node<T> | undefined {
  let at: Node<T> = node;
  let from = start;
  for (let count = 0; count < segmentsMax; count++) {
    const slash = path.indexOf('/', from);
    const segment = slash < 0 ? path.slice(from) : path.slice(from, slash);
    const literal = at.literals.get(segment);
    const { parameter } = at;
    if (literal !== undefined && parameter !== undefined) {
      // both may lead on: the literal goes first, and where it leads nowhere, the parameter does
      const kept = values.length;
      const found = slash < 0 ? literal : find(literal, path, slash + 1, values);
      if (found !== undefined && found.routes.size > 0) return found;
      values.length = kept;
      values.push(segment);
      return slash < 0 ? parameter : find(parameter, path, slash + 1, values);
    }
    if (literal === undefined) {
      if (parameter === undefined || segment === '') return undefined;
      values.push(segment);
    }
    at = (literal ?? parameter) as Node<T>;
    if (slash < 0) return at;
    from = slash + 1;
  }
  return undefined;
}

const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function otherMethod<T>(node: Node<T>, method: string): Match<T> {
  const known: string[] = methodOrder.filter((name) => node.routes.has(name));
  if (known.includes('GET')) known.splice(1, 0, 'HEAD');
  const endpoints = [...node.routes.values()].map(({ endpoint }) => endpoint);
  return {
    kind: method === 'OPTIONS' ? 'options' : 'method_not_allowed',
    allow: [...known, 'OPTIONS'].join(', '),
    cors: endpoints.some(({ cors }) => cors),
    renderer: endpoints[0]?.renderer ?? renderProblem,
  };
}

const PERCENT = 0x25;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a parameter
const control = /[\x00-\x1f\x7f]/;

/** An object with a name that stands in the code takes a fraction of the time of one whose name is computed. */
function paramOf(name: string, value: string): Readonly<Record<string, string>> {
  return name === 'tenant' ? { tenant: value } : { [name]: value };
}

function decodeSegment(segment: string): string | undefined {
  if (isPlain(segment)) return segment;
  // a raw character that belongs into an escape: two readers may decode it differently
  if (!/^[\x21-\x7e]*$/.test(segment)) return undefined;
  const decoded = decodePercent(segment);
  return decoded === undefined || control.test(decoded) ? undefined : decoded;
}

/** Visible ASCII without escapes. */
function isPlain(segment: string): boolean {
  for (let at = 0; at < segment.length; at++) {
    const code = segment.charCodeAt(at);
    if (code < 0x21 || code > 0x7e || code === PERCENT) return false;
  }
  return true;
}
