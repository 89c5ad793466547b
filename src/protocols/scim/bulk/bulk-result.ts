import { defineProblems, type Problem } from '../../../http/index.ts';
import { scimErrorBody } from '../errors/scim-errors.ts';
import type { Performed } from './bulk-operation.ts';
import type { ReadOperation } from './read-bulk.ts';

export const bulkResponseSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

/** What operations can fail with beside what requests by themselves can. */
export const bulkProblems = defineProblems({
  circular_reference: [409, 'Operations refer to each other in a circle'],
});

/** What became of one operation (RFC 7644, 3.7.3). */
export interface BulkResult {
  readonly method?: string;
  readonly bulkId?: string;
  readonly version?: string;
  /** Of the resource; absent where none is known, as after a POST that failed. */
  readonly location?: string;
  /** The status that a request by itself would have been answered with. */
  readonly status: string;
  /** The body that a request by itself would have been answered with: always there where the operation failed. */
  readonly response?: unknown;
}

export interface BulkResponse {
  readonly schemas: readonly string[];
  readonly Operations: readonly BulkResult[];
}

export function performedResult(operation: ReadOperation, location: string | undefined, done: Performed): BulkResult {
  const { status, version, response } = done;
  return resultOf(operation, { version, location, status, response });
}

export function failedResult(operation: ReadOperation, location: string | undefined, problem: Problem): BulkResult {
  return resultOf(operation, { location, status: problem.kind.status, response: scimErrorBody(problem) });
}

interface Parts {
  readonly version?: string | undefined;
  readonly location: string | undefined;
  readonly status: number;
  readonly response?: unknown;
}

function resultOf({ method, bulkId }: ReadOperation, { version, location, status, response }: Parts): BulkResult {
  return {
    ...(method === undefined ? {} : { method }),
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(version === undefined ? {} : { version }),
    ...(location === undefined ? {} : { location }),
    status: String(status),
    ...(response === undefined ? {} : { response }),
  };
}
