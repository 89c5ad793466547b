import type { QueryTask } from '../../../kernel/queries/index.ts';
import { parseProjection } from '../documents/projection.ts';
import { scimError } from '../errors/scim-problems.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { requireSortable } from './columns/sort-keys.ts';
import { cursorOf } from './list-cursor.ts';
import type { ScimListQuery } from './list-parameters.ts';

/** A page of users, of groups, or of both, made in the query pool. */
export interface ScimListTask extends QueryTask {
  readonly kind: 'scim_list';
  readonly types: readonly ResourceType['name'][];
  readonly query: ScimListQuery;
  /** The URL that SCIM's paths begin with. */
  readonly base: string;
}

/**
 * The task of a list. Filter, order and cursor are checked here, before the task goes to the query pool.
 * @throws ProblemError `invalidFilter`, `invalidPath`, `invalidCursor`
 */
export function listTask(types: readonly ResourceType[], query: ScimListQuery, base: string): ScimListTask {
  const [only] = types.length === 1 ? types : [];
  if (query.filter !== undefined) parseFilter(only, query.filter);
  for (const type of types) parseProjection(type, query);
  if (query.sortBy !== undefined) requireSortable(types, query.sortBy);
  if (query.cursor !== undefined && only === undefined) {
    throw scimError('invalidCursor', 'cursor: is not supported for users and groups together. Use startIndex.');
  }
  const task: ScimListTask = { kind: 'scim_list', types: types.map(({ name }) => name), query, base };
  if (query.cursor !== undefined && query.cursor !== '') cursorOf(task, query.cursor);
  return task;
}
