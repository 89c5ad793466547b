import { defineProblems } from '../../../http/index.ts';
import type { Performed } from './bulk-operation.ts';
import type { ReadOperation } from './read-bulk.ts';

export const bulkResponseSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

/** What operations can fail with beside what requests by themselves can. */
export const bulkProblems = defineProblems({
  circular_reference: [409, 'Operations refer to each other in a circle'],
});

/** What became of one operation (RFC 7644, 3.7.3). */
export interface BulkResult {
  readonly method?: string | undefined;
  readonly bulkId?: string | undefined;
  readonly version?: string | undefined;
  /** Of the resource; absent where none is known, as after a POST that failed. */
  readonly location?: string | undefined;
  /** The status that a request by itself would have been answered with. */
  readonly status: string;
  /** The body that a request by itself would have been answered with: always there where the operation failed. */
  readonly response?: unknown;
}

export interface BulkResponse {
  readonly schemas: readonly string[];
  readonly Operations: readonly BulkResult[];
}

/** @param location absent where none is known */
export function resultOf(
  { method, bulkId }: ReadOperation,
  location: string | undefined,
  { version, status, response }: Performed,
): BulkResult {
  return { method, bulkId, version, location, status: String(status), response };
}
