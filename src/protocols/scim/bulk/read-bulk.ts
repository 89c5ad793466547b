import { ProblemError, problem } from '../../../http/index.ts';
import { scimError } from '../errors/scim-problems.ts';
import { bulkLimits } from './bulk-limits.ts';
import { attributeOf, isObject, type ReadOperation, readOperation } from './read-operation.ts';

export const bulkRequestSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

export interface BulkRequest {
  readonly operations: readonly ReadOperation[];
  /** Absent: all operations are attempted. */
  readonly failOnErrors?: number;
}

/**
 * Reads a bulk request (RFC 7644, 3.7) from JSON of bounded depth. A fault of one operation stays with it.
 * @throws ProblemError 400 where what stands around the operations is not valid; 413 where there are too many
 */
export function readBulk(body: unknown): BulkRequest {
  if (!isObject(body)) throw scimError('invalidSyntax', 'The body must be an object.');
  requireSchema(attributeOf(body, 'schemas'));
  const operations = attributeOf(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0) {
    throw scimError('invalidSyntax', 'Operations: must be a list with at least one operation.');
  }
  const { maxOperations } = bulkLimits;
  if (operations.length > maxOperations) {
    const detail = `The number of operations (${operations.length}) exceeds the maxOperations (${maxOperations}).`;
    throw new ProblemError(problem('body_too_large', detail));
  }
  const failOnErrors = readFailOnErrors(attributeOf(body, 'failOnErrors'));
  return { operations: operations.map(readOperation), ...(failOnErrors === undefined ? {} : { failOnErrors }) };
}

function requireSchema(schemas: unknown): void {
  const wanted = bulkRequestSchema.toLowerCase();
  // URNs are compared without regard to case where they are ASCII (RFC 7643, 3)
  const isNamed =
    Array.isArray(schemas) && schemas.some((each) => typeof each === 'string' && each.toLowerCase() === wanted);
  if (!isNamed) throw scimError('invalidSyntax', `schemas: must name ${bulkRequestSchema}.`);
}

function readFailOnErrors(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw scimError('invalidValue', 'failOnErrors: must be an integer of at least 1.');
}
