import { z } from 'zod';
import { requireSchema } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import { filterBounds } from '../filter/filter.ts';

/** Most resources of one page; what is asked for beyond is left to the next ones (RFC 7644, 3.4.2.4). */
export const COUNT_MAX = 1000;
export const COUNT_DEFAULT = 100;
const NAMES_MAX = 4096;
const CURSOR_MAX = 2048;
const WHOLE_MAX = 1_000_000_000;

/** What is none is refused in the words of the protocol. */
const asInteger = { type: 'integer' } as const;
const wholeNumber = z.number().meta(asInteger);

const names = z.string().max(NAMES_MAX);

/** Which attributes an answer shows (RFC 7644, 3.9). */
export const projectionParameters = {
  attributes: names.describe('Names with commas: only these, and what is always shown').optional(),
  excludedAttributes: names.describe('Names with commas: all that is shown by default but these').optional(),
};

/** Unknown parameters are ignored (RFC 7644, 3.4.2). */
export const projectionQuery = z.looseObject(projectionParameters);

export const listQuery = z.looseObject({
  ...projectionParameters,
  filter: z.string().max(filterBounds.characters).optional(),
  sortBy: z.string().max(200).optional(),
  sortOrder: z.string().max(20).describe('`ascending` or `descending`').optional(),
  startIndex: z.string().max(20).describe('1 if omitted').meta(asInteger).optional(),
  count: z.string().max(20).describe(`${COUNT_DEFAULT} if omitted, at most ${COUNT_MAX}`).meta(asInteger).optional(),
  cursor: z
    .string()
    .max(CURSOR_MAX)
    .describe('Empty for the first page, then `nextCursor` of the page before (RFC 9865)')
    .optional(),
});

const attributeNames = z.union([names, z.array(z.string().max(200)).max(100)]);

const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

/** The same in the body of a search (RFC 7644, 3.4.3). */
export const searchBody = z.looseObject({
  schemas: z.array(z.string().max(200)).max(10).describe(`Names \`${searchRequest}\``).optional(),
  attributes: attributeNames.optional(),
  excludedAttributes: attributeNames.optional(),
  filter: z.string().max(filterBounds.characters).optional(),
  sortBy: z.string().max(200).optional(),
  sortOrder: z.string().max(20).optional(),
  startIndex: z.union([wholeNumber, z.string().max(20)]).optional(),
  count: z.union([wholeNumber, z.string().max(20)]).optional(),
  cursor: z.string().max(CURSOR_MAX).optional(),
});

/** A list as it was asked for: plain data, which crosses threads. */
export interface ScimListQuery {
  readonly filter: string | undefined;
  readonly sortBy: string | undefined;
  readonly descending: boolean;
  /** From 1 on. */
  readonly startIndex: number;
  readonly count: number;
  /** `''` is the first page by cursor; `undefined`: pages by index. */
  readonly cursor: string | undefined;
  readonly attributes: string | undefined;
  readonly excludedAttributes: string | undefined;
}

/** @throws ProblemError `invalidSyntax` where the body is no search, and what `readListQuery` throws */
export function readSearch(given: z.output<typeof searchBody>): ScimListQuery {
  requireSchema(given.schemas, searchRequest);
  return readListQuery(given);
}

type Given = z.output<typeof listQuery> | z.output<typeof searchBody>;

/** @throws ProblemError `invalidValue`, `invalidCount` */
export function readListQuery(given: Given): ScimListQuery {
  const { filter, sortBy, sortOrder = 'ascending', startIndex, count, cursor } = given;
  const order = sortOrder.toLowerCase();
  if (order !== 'ascending' && order !== 'descending') {
    throw scimError('invalidValue', 'sortOrder: must be "ascending" or "descending".');
  }
  return {
    filter: filter === undefined || filter.trim() === '' ? undefined : filter,
    sortBy: sortBy === '' ? undefined : sortBy,
    descending: order === 'descending',
    // what lies below the bounds means the lowest value (RFC 7644, 3.4.2.4)
    startIndex: Math.max(1, whole(startIndex, 1, 'startIndex')),
    count: Math.min(COUNT_MAX, Math.max(0, whole(count, COUNT_DEFAULT, 'count'))),
    cursor,
    attributes: namesOf(given.attributes),
    excludedAttributes: namesOf(given.excludedAttributes),
  };
}

function whole(value: string | number | undefined, otherwise: number, name: 'startIndex' | 'count'): number {
  if (value === undefined || value === '') return otherwise;
  const number = typeof value === 'string' && !/^-?\d{1,10}$/.test(value) ? Number.NaN : Number(value);
  if (!Number.isInteger(number) || Math.abs(number) > WHOLE_MAX) {
    throw scimError(name === 'count' ? 'invalidCount' : 'invalidValue', `${name}: must be a whole number.`);
  }
  return number;
}

function namesOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : value.join(',');
}
