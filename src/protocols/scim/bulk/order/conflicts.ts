import { isObject } from '../../documents/scim-resource.ts';
import type { BulkEndpoint } from '../bulk-operation.ts';
import { attributeOf, type ReadOperation } from '../read-bulk.ts';
import { eachText } from '../references.ts';

/** Attributes whose values one resource at most has, in lower case. */
const uniqueAttributes: Readonly<Record<BulkEndpoint, ReadonlySet<string>>> = {
  '/Users': new Set(['username', 'emails', 'externalid']),
  '/Groups': new Set(['displayname', 'externalid']),
};

/** The values of such attributes that a resource has before the request. */
export type NamesOf = (endpoint: BulkEndpoint, id: string) => readonly string[];

/** What the result of an operation can hang on, and what can hang on it. */
interface Touched {
  /** Resources and names that it may change. */
  readonly changed: ReadonlySet<string>;
  /** Resources that it names. */
  readonly named: ReadonlySet<string>;
}

/**
 * For each of some operations, given in the order of their turns, the turns before it whose results it may see. The
 * others run beside it, and all ends as if one had run after the other, as RFC 7644, 3.7, asks for.
 */
export function precedingTurns(operations: readonly ReadOperation[], namesOf: NamesOf): ReadonlySet<number>[] {
  const resources = new Set(operations.flatMap(resourcesOf));
  const names = new KnownNames(namesOf);
  const lastChanged = new Map<string, number>();
  const namedSince = new Map<string, number[]>();
  return operations.map((operation, turn) => {
    const { changed, named } = touchedBy(operation, resources, names);
    const preceding = new Set<number>();
    for (const resource of [...changed, ...named]) {
      const last = lastChanged.get(resource);
      if (last !== undefined) preceding.add(last);
    }
    for (const resource of changed) {
      for (const each of namedSince.get(resource) ?? []) preceding.add(each);
      lastChanged.set(resource, turn);
      namedSince.delete(resource);
    }
    for (const resource of named) {
      if (changed.has(resource)) continue;
      const since = namedSince.get(resource);
      if (since === undefined) namedSince.set(resource, [turn]);
      else since.push(turn);
    }
    return preceding;
  });
}

/** A resource that an operation is about: by its id, or by the text that stands for it. */
function resourcesOf({ id, idReference, bulkId, method }: ReadOperation): string[] {
  if (id !== undefined) return [id];
  if (idReference !== undefined) return [`bulkId:${idReference}`];
  return method === 'POST' && bulkId !== undefined ? [`bulkId:${bulkId}`] : [];
}

function touchedBy(operation: ReadOperation, resources: ReadonlySet<string>, names: KnownNames): Touched {
  const own = resourcesOf(operation);
  const named = new Set<string>();
  const note = (text: string): void => {
    if (resources.has(text)) named.add(`resource ${text}`);
  };
  eachText(operation.data, (text) => {
    note(text);
    // also in filters, such as `members[value eq "2819c223"]`
    if (text.includes('"')) text.split('"').forEach(note);
  });
  return {
    changed: new Set([...own.map((each) => `resource ${each}`), ...names.with(operation, own[0])]),
    named,
  };
}

/** The names that resources have, or may have had at some turn. */
class KnownNames {
  readonly #namesOf: NamesOf;
  readonly #byResource = new Map<string, Set<string>>();

  constructor(namesOf: NamesOf) {
    this.#namesOf = namesOf;
  }

  /** Those that an operation may give or take. */
  with({ endpoint, id, data }: ReadOperation, resource: string | undefined): Iterable<string> {
    if (endpoint === undefined) return [];
    const given = keysOf(endpoint, namesIn(endpoint, data));
    if (resource === undefined) return given;
    let known = this.#byResource.get(resource);
    if (known === undefined) {
      const before = id === undefined ? [] : this.#namesOf(endpoint, id);
      known = new Set(keysOf(endpoint, before));
      this.#byResource.set(resource, known);
    }
    for (const name of given) known.add(name);
    return known;
  }
}

/** Names are compared without regard to case; an empty one is none. */
function keysOf(endpoint: BulkEndpoint, names: readonly string[]): string[] {
  return names.filter((name) => name !== '').map((name) => `${endpoint} ${name.toLowerCase()}`);
}

/** The attribute that a name or a path begins with, without its schema. */
const firstAttribute = /^(?:urn:[^[\s]*:)?([a-z]+)/i;

/** The values of unique attributes in a resource or a PATCH. */
function namesIn(endpoint: BulkEndpoint, data: unknown): string[] {
  const names: string[] = [];
  for (const [path, value] of assignmentsIn(data)) {
    const attribute = firstAttribute.exec(path)?.[1]?.toLowerCase() ?? '';
    if (!uniqueAttributes[endpoint].has(attribute)) continue;
    eachText(value, (text, member) => {
      // an address is unique, and its type is not
      if (member === '' || member.toLowerCase() === 'value') names.push(text);
    });
  }
  return names;
}

/** What a resource or a PATCH says, by attribute or path. */
function assignmentsIn(data: unknown): (readonly [path: string, value: unknown])[] {
  if (!isObject(data)) return [];
  const operations = attributeOf(data, 'Operations');
  if (!Array.isArray(operations)) return Object.entries(data);
  return operations.filter(isObject).flatMap((each) => {
    const [path, value] = [attributeOf(each, 'path'), attributeOf(each, 'value')];
    if (typeof path === 'string') return [[path, value] as const];
    return isObject(value) ? Object.entries(value) : [];
  });
}
