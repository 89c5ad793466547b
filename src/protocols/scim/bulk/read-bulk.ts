import { type Problem, ProblemError, problem } from '../../../http/index.ts';
import { isObject, requireSchema } from '../documents/scim-resource.ts';
import { scimError, scimProblems } from '../errors/scim-errors.ts';
import {
  type BulkEndpoint,
  type BulkMethod,
  bulkEndpoints,
  bulkLimits,
  bulkMethods,
  partsMax,
} from './bulk-operation.ts';
import { referenceIn, referencesIn } from './references.ts';

export const bulkRequestSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

export interface BulkRequest {
  readonly operations: readonly ReadOperation[];
  /** Absent: all operations are attempted. */
  readonly failOnErrors?: number | undefined;
}

/**
 * Reads a bulk request (RFC 7644, 3.7) from JSON of bounded depth. A fault of one operation stays with it.
 * @throws ProblemError 400 where what stands around the operations is not valid; 413 where there are too many
 */
export function readBulk(body: unknown): BulkRequest {
  if (!isObject(body)) throw scimError('invalidSyntax', 'The body must be an object.');
  requireSchema(attributeOf(body, 'schemas'), bulkRequestSchema);
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
  return { operations: operations.map(readOperation), failOnErrors };
}

function readFailOnErrors(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw scimError('invalidValue', 'failOnErrors: must be an integer of at least 1.');
}

/** The URL of a resource. */
export type Locate = (endpoint: BulkEndpoint, id: string) => string;

/** The resource that an operation is about. */
interface Target {
  readonly endpoint: BulkEndpoint;
  /** Absent where the operation creates it, or where its path has a reference. */
  readonly id?: string;
  /** The bulkId that stands for its id in the path. */
  readonly idReference?: string;
}

/** An operation as it was sent. Where it has a fault, it has what could be read of it. */
export interface ReadOperation extends Partial<Target> {
  readonly method?: BulkMethod | undefined;
  readonly bulkId?: string | undefined;
  readonly version?: string | undefined;
  readonly data?: unknown;
  /** The bulkIds that its path and its data refer to. */
  readonly references: ReadonlySet<string>;
  /** Why it is not performed. */
  readonly fault?: Problem | undefined;
}

/** Notes a fault. */
type Refuse = (detail: string) => undefined;

/** Reads one operation (RFC 7644, 3.7). A fault in it is its own, and does not concern the others. */
function readOperation(value: unknown): ReadOperation {
  const faults: Problem[] = [];
  const refuse: Refuse = (detail) => {
    faults.push(problem(scimProblems.invalidValue, detail));
    return undefined;
  };
  const sent = isObject(value) ? value : {};
  if (!isObject(value)) refuse('The operation must be an object.');
  const method = readMethod(attributeOf(sent, 'method'), refuse);
  const target = method && readPath(attributeOf(sent, 'path'), method, refuse);
  const bulkId = readText(attributeOf(sent, 'bulkId'), 'bulkId', refuse);
  const version = readText(attributeOf(sent, 'version'), 'version', refuse);
  const data = method === 'DELETE' ? undefined : attributeOf(sent, 'data');
  if (method !== undefined && method !== 'DELETE' && !isObject(data)) refuse(`data: ${method} needs an object.`);
  const references = referencesIn(data);
  if (target?.idReference !== undefined) references.add(target.idReference);
  return { method, ...target, bulkId, version, data, references, fault: faults[0] };
}

function readMethod(value: unknown, refuse: Refuse): BulkMethod | undefined {
  const method = bulkMethods.find((each) => each === value);
  return method ?? refuse(`method: must be one of ${bulkMethods.join(', ')}.`);
}

function readText(value: unknown, name: 'bulkId' | 'version', refuse: Refuse): string | undefined {
  // an empty text is no value (RFC 7643, 2.5)
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && value.length <= partsMax[name]) return value;
  return refuse(`${name}: must be a text of at most ${partsMax[name]} characters.`);
}

function readPath(value: unknown, method: BulkMethod, refuse: Refuse): Target | undefined {
  if (typeof value !== 'string' || value.length > partsMax.path) {
    return refuse(`path: must be a text of at most ${partsMax.path} characters.`);
  }
  const [name = '', segment, ...rest] = value.replace(/^\//, '').split('/');
  const endpoint = bulkEndpoints.find((each) => each === `/${name}`);
  if (endpoint === undefined) return refuse(`path: must begin with ${bulkEndpoints.join(' or ')}.`);
  if (method === 'POST') {
    return segment === undefined ? { endpoint } : refuse('path: POST needs that of a type, such as /Users.');
  }
  const id = segment === undefined || rest.length > 0 ? '' : decoded(segment);
  if (id === '') return refuse(`path: ${method} needs that of one resource, such as /Users/2819c223.`);
  const idReference = referenceIn(id);
  return idReference === undefined ? { endpoint, id } : { endpoint, idReference };
}

/** `''` where it cannot be decoded. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** An attribute by its name in any case (RFC 7643, 2.1); `undefined` where it is absent or null. */
export function attributeOf(object: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  const lower = name.toLowerCase();
  const found = Object.keys(object).find((each) => each.toLowerCase() === lower);
  return found === undefined ? undefined : (object[found] ?? undefined);
}
