import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ListPosition } from '../../../kernel/lists/index.ts';
import type { QueryTask } from '../../../kernel/queries/index.ts';
import { parseProjection } from '../documents/projection.ts';
import { scimError } from '../errors/scim-errors.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { requireSortable } from './columns/sort-keys.ts';
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

const SEAL_BYTES = 9;

/** Resources of some kinds, below the address of one organization, and what is asked of them. */
interface AskedList {
  readonly types: readonly string[];
  readonly base: string;
  readonly query: ScimListQuery;
}

const content = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), z.string().max(256)]);

/** Where the next page begins, sealed with the list and what is asked of it: a cursor belongs to one list (RFC 9865, 2). */
export function cursorText(
  list: AskedList,
  { key = null, id }: { readonly key?: ListPosition['key'] | null; readonly id: string },
): string {
  return Buffer.from(JSON.stringify([seal(list), key, id])).toString('base64url');
}

/** @throws ProblemError `invalidCursor` for one that was made for another list, or not here */
export function cursorOf(list: AskedList, text: string): ListPosition {
  const read = content.safeParse(parsed(text));
  if (!read.success || read.data[0] !== seal(list)) {
    throw scimError('invalidCursor', 'cursor: does not belong to this list. Begin again with an empty cursor.');
  }
  const [, key, id] = read.data;
  return { key: key ?? undefined, id };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function seal({ types, base, query: { filter, sortBy, descending } }: AskedList): string {
  const asked = JSON.stringify([base, types, filter ?? null, sortBy ?? null, descending]);
  return createHash('sha256').update(asked).digest().subarray(0, SEAL_BYTES).toString('base64url');
}
