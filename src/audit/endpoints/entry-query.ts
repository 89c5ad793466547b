import { z } from 'zod';
import { userIdNamed } from '../../directory/records/index.ts';
import { invalidRequest, ProblemError } from '../../http/index.ts';
import type { AuditIndex } from '../../kernel/audit/index.ts';
import {
  type ListBounds,
  listParameters,
  offsetOf,
  type PageQuery,
  readList,
  searchText,
} from '../../kernel/lists/index.ts';
import type { Caller } from '../../kernel/organizations/index.ts';
import { invalid } from '../../kernel/transactions/index.ts';
import { auditSorts, type EntryQuery } from '../query/entry-page.ts';
import type { AuditFilters } from '../query/filters.ts';

const key = z.string().min(1).max(256);
const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).describe('ISO 8601: a time, or a day in UTC');

export const timeParameters = {
  startDate: time.optional(),
  from: time.describe('The same as `startDate`').optional(),
  endDate: time.describe('Inclusive; of a day, its end').optional(),
  to: time.describe('The same as `endDate`').optional(),
};

export const filterParameters = {
  ...timeParameters,
  userId: key.describe('The same as `actorId`; of a user also the number or email address').optional(),
  actorId: key.describe('Of a user also the number or email address').optional(),
  targetId: key.optional(),
  targetType: key.optional(),
  resourceType: key.describe('The same as `targetType`').optional(),
  action: key.optional(),
  eventType: key.optional(),
  severity: z.enum(['info', 'warning', 'error']).optional(),
  result: z.enum(['success', 'failure']).optional(),
  ipAddress: key.optional(),
};

export const searchParameters = {
  search: searchText.optional(),
  q: searchText.describe('The same as `search`').optional(),
};

export function entryParameters(bounds: ListBounds) {
  return { ...listParameters(bounds, auditSorts), ...filterParameters };
}

type Given<Shape extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Shape>>;
type Times = Given<typeof timeParameters>;
export type FilterQuery = Given<typeof filterParameters> & Given<typeof searchParameters>;

/** Two names of one parameter: both may be given where they agree. */
const synonyms = [
  ['startDate', 'from'],
  ['endDate', 'to'],
  ['userId', 'actorId'],
  ['resourceType', 'targetType'],
  ['search', 'q'],
] as const;

/** @throws ProblemError 400 where two names of a parameter disagree, or the end is before the start */
export function readTimes(query: Times): Pick<AuditFilters, 'from' | 'to'> {
  requireAgreement(query);
  const start = query.startDate ?? query.from;
  const end = query.endDate ?? query.to;
  const from = start === undefined ? undefined : Date.parse(start);
  const to = end === undefined ? undefined : endOf(end);
  if (from !== undefined && to !== undefined && from > to) throw invalid('query.endDate', 'is before the start');
  return { from, to };
}

const DAY_MS = 86_400_000;

function endOf(text: string): number {
  return text.includes('T') ? Date.parse(text) : Date.parse(text) + DAY_MS - 1;
}

/** The same query with the ids of users whom it names. To be called inside a snapshot. */
export function withActorIds<Query extends FilterQuery>(caller: Caller, query: Query): Query {
  const { userId, actorId } = query;
  return {
    ...query,
    ...(userId === undefined ? {} : { userId: userIdNamed(caller, userId) }),
    ...(actorId === undefined ? {} : { actorId: userIdNamed(caller, actorId) }),
  };
}

/** @throws ProblemError 400 as `readTimes` */
export function readFilters(query: FilterQuery): AuditFilters {
  const times = readTimes(query);
  const equal: Partial<Record<AuditIndex, string>> = {};
  const given = {
    action: query.action,
    actorId: query.actorId ?? query.userId,
    eventType: query.eventType,
    ipAddress: query.ipAddress,
    result: query.result,
    severity: query.severity,
    targetId: query.targetId,
    targetType: query.targetType ?? query.resourceType,
  } satisfies Record<AuditIndex, string | undefined>;
  for (const [index, text] of Object.entries(given)) {
    if (text !== undefined) equal[index as AuditIndex] = text; // its names were just checked
  }
  const text = (query.search ?? query.q ?? '').toLowerCase();
  return { ...times, equal, ...(text === '' ? {} : { search: text }) };
}

export type EntryListQuery = Given<ReturnType<typeof entryParameters>>;

/**
 * Newest first, where nothing is sorted by; otherwise ascending where no order is asked for, as in all lists.
 * @throws ProblemError 400 where `limit` passes its bound, and as `readTimes`
 */
export function readEntryQuery(
  query: EntryListQuery,
  bounds: ListBounds,
): { readonly query: EntryQuery; readonly page: PageQuery } {
  const list = readList(query, bounds);
  const filters = readFilters(query);
  const { page } = list;
  const descending = list.descending || (query.sortBy ?? query.sortOrder ?? query.sortDir) === undefined;
  const order = { sortBy: query.sortBy ?? 'createdAt', descending } as const;
  return { page, query: { ...order, filters, skip: offsetOf(page), take: page.limit } };
}

function requireAgreement(query: Readonly<Record<string, unknown>>): void {
  const errors = synonyms
    .filter(([one, other]) => query[one] !== undefined && query[other] !== undefined && query[one] !== query[other])
    .map(([one, other]) => ({ path: `query.${other}`, message: `does not agree with ${one}` }));
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
}
