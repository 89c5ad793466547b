import { z } from 'zod';
import { invalidRequest, ProblemError, queryInteger } from '../../http/index.ts';

/** How a list was asked for: by page, or by offset, which also decides the form of the answer. */
export type PageQuery =
  | { readonly form: 'page'; readonly page: number; readonly limit: number }
  | { readonly form: 'offset'; readonly offset: number; readonly limit: number };

export interface ListBounds {
  readonly limitDefault: number;
  readonly limitMax: number;
}

/** specification, Limits: admin lists of the org family. */
export const adminBounds: ListBounds = { limitDefault: 20, limitMax: 100 };
/** specification, Limits: generic lists. */
export const genericBounds: ListBounds = { limitDefault: 25, limitMax: 100 };

/** Of lists that both families have. */
export function boundsOf(family: Family): ListBounds {
  return family === 'org' ? adminBounds : genericBounds;
}

const OFFSET_LIMIT_DEFAULT = 50;
const OFFSET_LIMIT_MAX = 500;
const PAGE_MAX = 1_000_000_000;

/** Made once for all lists: each thread has hundreds of them, and a schema costs time and memory. */
const page = queryInteger({ min: 1, max: PAGE_MAX, default: 1 });
const count = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .meta({ type: 'integer', minimum: 0 });
const offset = count.optional();

/** Query parameters of every list: `page` and `limit`, or `offset` and `limit`. */
export function pageParameters(bounds: ListBounds) {
  return { page, offset, limit: limitParameter(bounds.limitMax) };
}

const limits = new Map<number, ReturnType<typeof makeLimit>>();

function limitParameter(max: number) {
  const known = limits.get(max) ?? makeLimit(max);
  limits.set(max, known);
  return known;
}

function makeLimit(max: number) {
  return count.optional().describe(`1 to ${max}, or to ${OFFSET_LIMIT_MAX} with offset`);
}

/**
 * What the parameters say.
 * @throws ProblemError 400 where `limit` passes the bound of its form, which depends on whether `offset` is there
 */
export function readPage(
  query: { readonly page: number; readonly offset?: string | undefined; readonly limit?: string | undefined },
  bounds: ListBounds,
): PageQuery {
  const isOffset = query.offset !== undefined;
  const max = isOffset ? OFFSET_LIMIT_MAX : bounds.limitMax;
  const limit =
    query.limit === undefined ? (isOffset ? OFFSET_LIMIT_DEFAULT : bounds.limitDefault) : Number(query.limit);
  if (limit < 1 || limit > max) {
    const message = `must be a whole number from 1 to ${max}`;
    throw new ProblemError(invalidRequest([{ path: 'query.limit', message }]));
  }
  return isOffset ? { form: 'offset', offset: Number(query.offset), limit } : { form: 'page', page: query.page, limit };
}

export type Family = 'org' | 'tenant';

interface Meta extends ReturnType<typeof countsOf> {
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
}

/** The envelopes of lists. */
export type ListAnswer<T> =
  | { readonly data: { readonly data: readonly T[]; readonly meta: Meta } }
  | {
      readonly data: readonly T[];
      readonly meta: Meta & { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
    }
  | ({ readonly items: readonly T[]; readonly limit: number; readonly offset: number } & ReturnType<typeof countsOf>);

/** One page of items that are all at hand, in the envelope of its family (specification, Conventions). */
export function listAnswer<T>(items: readonly T[], query: PageQuery, family: Family): ListAnswer<T> {
  const from = offsetOf(query);
  return pagedAnswer(items.slice(from, from + query.limit), { total: items.length }, query, family);
}

/** How many there are in all. */
export interface Counted {
  readonly total: number;
  /** False where there are at least so many. */
  readonly totalIsExact?: boolean;
}

/** The same where only the items of the page are at hand, and how many there are in all. */
export function pagedAnswer<T>(items: readonly T[], counted: Counted, query: PageQuery, family: Family): ListAnswer<T> {
  const { limit } = query;
  const counts = countsOf(counted);
  if (query.form === 'offset') return { items, ...counts, limit, offset: query.offset };
  const { total } = counted;
  const { page } = query;
  const totalPages = Math.ceil(total / limit);
  const meta = { ...counts, page, limit, totalPages };
  if (family === 'org') return { data: { data: items, meta } };
  const hasNextPage = page < totalPages || ('totalIsExact' in counts && items.length === limit);
  return { data: items, meta: { ...meta, hasNextPage, hasPreviousPage: page > 1 && total > 0 } };
}

/** As envelopes have it: only what is not exact is said. */
export function countsOf({ total, totalIsExact }: Counted): { readonly total: number; readonly totalIsExact?: false } {
  return totalIsExact === false ? { total, totalIsExact } : { total };
}

/** Where a page begins among all items. */
export function offsetOf(query: PageQuery): number {
  return query.form === 'offset' ? query.offset : (query.page - 1) * query.limit;
}

/** The same envelope with each item converted: for conversions that only pay where the item is shown. */
export function mapListed<T, R>(answer: ListAnswer<T>, change: (item: T) => R): ListAnswer<R> {
  if ('items' in answer) return { ...answer, items: answer.items.map(change) };
  if ('meta' in answer) return { ...answer, data: answer.data.map(change) };
  return { data: { ...answer.data, data: answer.data.data.map(change) } };
}

/** One thing, in the envelope of its family. */
export function singleAnswer<T>(item: T, family: Family): unknown {
  return family === 'org' ? { data: { data: item } } : { data: item };
}

/** What was made, in the envelope of its family: the tenant family says so in words too. */
export function createdAnswer<T>(item: T, family: Family, message: string): unknown {
  return family === 'org' ? { data: { data: item } } : { data: item, message };
}

/** How paths of a family begin: the document shows each endpoint the envelope of its own family. */
const bases = { org: { 'x-base': '/orgs/' }, tenant: { 'x-base': '/t/' } } as const;

export function createdSchema(item: z.ZodType): z.ZodType {
  return z.union([
    z.strictObject({ data: z.strictObject({ data: item }) }).meta(bases.org),
    z.strictObject({ data: item, message: z.string().describe('What was done, for people.') }).meta(bases.tenant),
  ]);
}

export const totalIsExact = z
  .literal(false)
  .optional()
  .describe('Only where a search finds very many: there are at least `total`.');

const counts = {
  total: z.int().describe('How many there are on all pages.'),
  totalIsExact,
  page: z.int().describe('The number of this page, from 1.'),
  limit: z.int().describe('How many a page has at most.'),
  totalPages: z.int().describe('How many pages there are.'),
};
const metaOf = {
  org: z.strictObject(counts),
  tenant: z.strictObject({
    ...counts,
    hasNextPage: z.boolean().describe('Whether another page follows.'),
    hasPreviousPage: z.boolean().describe('Whether a page comes before.'),
  }),
};
const skipped = z.int().describe('How many were skipped.');

/**
 * Schemas of the same, for the description of an endpoint.
 * @param family where the envelope does not follow the path
 */
export function listSchema(item: z.ZodType, family?: Family): z.ZodType {
  const data = z.array(item);
  const items = data.describe('Those after the skipped ones.');
  const { total, limit } = counts;
  const pages = {
    org: z.strictObject({ data: z.strictObject({ data, meta: metaOf.org }) }),
    tenant: z.strictObject({ data, meta: metaOf.tenant }),
  };
  const shown = family === undefined ? [pages.org.meta(bases.org), pages.tenant.meta(bases.tenant)] : [pages[family]];
  return z.union([...shown, z.strictObject({ items, total, totalIsExact, limit, offset: skipped })]);
}

/** Both families describe the same item, as do several endpoints: one schema for each item. */
const singles = new WeakMap<z.ZodType, z.ZodType>();

export function singleSchema(item: z.ZodType): z.ZodType {
  const schema = singles.get(item) ?? makeSingle(item);
  singles.set(item, schema);
  return schema;
}

function makeSingle(item: z.ZodType): z.ZodType {
  return z.union([
    z.strictObject({ data: z.strictObject({ data: item }) }).meta(bases.org),
    z.strictObject({ data: item }).meta(bases.tenant),
  ]);
}
