import { z } from 'zod';
import { type ListBounds, type PageQuery, pageParameters, readPage } from './page.ts';

/** What a list is searched for. */
export const searchText = z.string().max(200);

const search = searchText.optional();
/** The same for every list that is sorted. */
const q = searchText.describe('The same as `search`').optional();
const sortOrder = z.enum(['asc', 'desc']).optional();
const sortDir = z.enum(['ASC', 'DESC']).describe('The same as `sortOrder`').optional();

/** Query parameters of a list that is searched, and has one order. */
export function searchParameters(bounds: ListBounds) {
  return { ...pageParameters(bounds), search };
}

/** Query parameters of a list that is searched and sorted (specification, Conventions). */
export function listParameters<Sort extends string>(bounds: ListBounds, sorts: readonly [Sort, ...Sort[]]) {
  return {
    ...searchParameters(bounds),
    q,
    sortBy: z.enum(sorts).describe('In the order of creation if omitted').optional(),
    sortOrder,
    sortDir,
  };
}

/** Query parameters of a list that is sorted by what a definition says, if by anything. */
export function parametersOf(sorts: Readonly<Record<string, unknown>>, bounds: ListBounds) {
  const [first, ...others] = Object.keys(sorts);
  return first === undefined ? searchParameters(bounds) : listParameters(bounds, [first, ...others]);
}

/** A list as it was asked for: plain data, which crosses threads. */
export interface ListQuery {
  readonly page: PageQuery;
  readonly search: string | undefined;
  readonly sortBy: string | undefined;
  readonly descending: boolean;
}

interface GivenQuery {
  readonly page: number;
  readonly offset?: string | undefined;
  readonly limit?: string | undefined;
  readonly search?: string | undefined;
  readonly q?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly sortOrder?: 'asc' | 'desc' | undefined;
  readonly sortDir?: 'ASC' | 'DESC' | undefined;
}

/**
 * What the parameters say.
 * @throws ProblemError 400 where `limit` passes the bound of its form
 */
export function readList(query: GivenQuery, bounds: ListBounds): ListQuery {
  const descending = (query.sortOrder ?? query.sortDir ?? 'asc').toLowerCase() === 'desc';
  return { page: readPage(query, bounds), search: query.search ?? query.q, sortBy: query.sortBy, descending };
}
