import { scimError } from '../../errors/scim-problems.ts';
import { locate, pathText } from '../../schema/attribute-path.ts';
import type { ResourceType } from '../../schema/resource-type.ts';
import { groupColumns } from './group-columns.ts';
import { userColumns } from './user-columns.ts';

/** Multi-valued attributes are sorted by their primary value (RFC 7644, 3.4.2.3). */
const meant: Readonly<Record<string, string>> = { 'emails.value': 'emails', id: '' };

/** The name of the order that an attribute gives, `''` for that of ids. */
export function sortKeyOf(type: ResourceType, sortBy: string): string | undefined {
  const found = locate(type, sortBy);
  if (found === undefined) return undefined;
  const path = pathText(found.path);
  const key = meant[path] ?? path;
  const { sorts } = type.name === 'User' ? userColumns : groupColumns;
  return key === '' || Object.hasOwn(sorts, key) ? key : undefined;
}

/** @throws ProblemError `invalidPath` where resources have no order by this attribute */
export function requireSortable(types: readonly ResourceType[], sortBy: string): void {
  if (types.some((type) => sortKeyOf(type, sortBy) !== undefined)) return;
  throw scimError('invalidPath', `sortBy: sorting by ${JSON.stringify(sortBy)} is not supported.`);
}
