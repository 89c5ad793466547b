import type { SortKey } from '../../../../kernel/lists/index.ts';
import type { ScimResource } from '../../documents/scim-resource.ts';
import { scimError } from '../../errors/scim-errors.ts';
import { type AttributePath, comparedAt, type Located, locate, pathText } from '../../schema/attribute-path.ts';
import { groupType } from '../../schema/group-type.ts';
import type { Attribute, ResourceType } from '../../schema/resource-type.ts';
import { groupColumns } from '../group-source.ts';
import { userColumns } from '../user-source.ts';

/** Of longer texts the beginning decides. It is part of cursors, too. */
const KEY_MAX = 200;

/** How resources are put in order by an attribute. */
export type SortOrder =
  /** As lists keep it, by its name; `''` is the order of ids. */
  | { readonly column: string }
  /** By what has to be read of each resource. */
  | { readonly column: undefined; readonly attribute: string; readonly keyOf: (resource: ScimResource) => SortKey };

/** Multi-valued attributes are sorted by their primary value (RFC 7644, 3.4.2.3). */
const meant: Readonly<Record<string, string>> = { 'emails.value': 'emails', id: '' };

/** The order that an attribute gives; `undefined` where it gives none. */
export function sortOrderOf(type: ResourceType, sortBy: string): SortOrder | undefined {
  const found = locate(type, sortBy);
  if (found === undefined || !isSortable(type, found)) return undefined;
  const path = pathText(found.path);
  const column = meant[path] ?? path;
  const { sorts } = type.name === 'User' ? userColumns : groupColumns;
  if (column === '' || Object.hasOwn(sorts, column)) return { column };
  const { path: read, attribute } = comparedAt(found);
  if (attribute.type === 'complex') return undefined;
  return { column: undefined, attribute: read.attribute, keyOf: (resource) => keyIn(resource, read, attribute) };
}

/** A group can have a hundred thousand members; and what is never shown is not told by an order either. */
function isSortable(type: ResourceType, { attribute, path }: Located): boolean {
  return attribute.returned !== 'never' && !(type === groupType && path.attribute === 'members');
}

/** Of several values the primary one counts, else the first. */
function keyIn(
  resource: ScimResource,
  { urn, attribute, subAttribute }: AttributePath,
  { caseExact }: Attribute,
): SortKey {
  const owner = urn === undefined ? resource : (resource[urn] as ScimResource | undefined);
  const value = owner?.[attribute];
  const values = (Array.isArray(value) ? value : [value]) as (ScimResource | undefined)[];
  const chosen = values.find((each) => each?.primary === true) ?? values[0];
  const key: unknown = subAttribute === undefined ? chosen : chosen?.[subAttribute];
  if (typeof key === 'boolean') return Number(key);
  if (typeof key !== 'string') return undefined;
  return (caseExact ? key : key.toLowerCase()).slice(0, KEY_MAX);
}

/** @throws ProblemError `invalidPath` where resources have no order by this attribute */
export function requireSortable(types: readonly ResourceType[], sortBy: string): void {
  if (types.some((type) => sortOrderOf(type, sortBy) !== undefined)) return;
  throw scimError('invalidPath', `sortBy: sorting by ${JSON.stringify(sortBy)} is not supported.`);
}
