import type { Problem } from '../../../http/index.ts';
import { scimErrorBody } from '../errors/scim-errors.ts';

/** Bounds of a bulk request, as the service tells them (RFC 7643, 5; RFC 7644, 3.7.4). */
export const bulkLimits = {
  /** Most operations. */
  maxOperations: 1000,
  /** Most bytes of the body. */
  maxPayloadSize: 1_048_576,
} as const;

/** Most characters of the parts of an operation beside its data. */
export const partsMax = { bulkId: 256, path: 1024, version: 256 } as const;

/** The endpoints of types of resources. */
export const bulkEndpoints = ['/Users', '/Groups'] as const;
export type BulkEndpoint = (typeof bulkEndpoints)[number];

export const bulkMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type BulkMethod = (typeof bulkMethods)[number];

/** One operation of a bulk request (RFC 7644, 3.7), with every `bulkId` in it replaced by the id of the resource. */
export interface BulkOperation {
  readonly method: BulkMethod;
  readonly endpoint: BulkEndpoint;
  /** The id of the resource, as it is and not as it stands in a URL; absent at POST. */
  readonly id?: string | undefined;
  /** The same as a path below the base: `/Users`, `/Users/2819c223`. */
  readonly path: string;
  readonly bulkId?: string | undefined;
  /** What a request by itself would say in `If-Match`. */
  readonly version?: string | undefined;
  /** What a request by itself would have as its body. */
  readonly data?: unknown;
}

/** What a request by itself would have answered. */
export interface Performed {
  readonly status: number;
  readonly location?: string | undefined;
  readonly version?: string | undefined;
  /** Of the resource: to be there where one was created. */
  readonly id?: string | undefined;
  /** The body: to be there where the operation failed. */
  readonly response?: unknown;
}

/** Performs one operation, wholly or not at all. What the client did wrong is an answer, and is not thrown. */
export type Perform = (operation: BulkOperation) => Promise<Performed>;

export function refusedBy(problem: Problem): Performed {
  return { status: problem.kind.status, response: scimErrorBody(problem) };
}
