import { createHash } from 'node:crypto';
import { isoTime } from '../../../platform/index.ts';
import { scimError } from '../errors/scim-errors.ts';
import type { ResourceType } from '../schema/resource-type.ts';

/** A resource as plain JSON: attributes by their canonical names, those of an extension under its URN. */
export type ScimResource = Readonly<Record<string, unknown>>;

/** Without what is not there: RFC 7643, 2.5 takes null and an empty list for no value. */
export function present(attributes: Readonly<Record<string, unknown>>): ScimResource {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => isPresent(value)));
}

function isPresent(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

const ID_MAX = 256;

/** Whether a text that a client has sent can be an id at all. */
export function isId(text: string): boolean {
  return text !== '' && Buffer.byteLength(text) <= ID_MAX && !/[\s#*\p{Cc}\p{Cs}]/u.test(text);
}

const VERSION_BYTES = 12;

/** What the service says about a resource itself (RFC 7643, 3.1). @param content what its version stands for */
export function metaOf(
  { name, endpoint }: Pick<ResourceType, 'name' | 'endpoint'>,
  base: string,
  id: string,
  times: { readonly createdAt: number; readonly updatedAt: number },
  content: unknown,
) {
  return {
    resourceType: name,
    created: isoTime(times.createdAt),
    lastModified: isoTime(times.updatedAt),
    location: `${base}${endpoint}/${id}`,
    ...(content === undefined ? {} : { version: versionOf(content) }),
  };
}

/** A weak entity tag (RFC 7644, 3.14): the same as long as the content is. */
export function versionOf(content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest();
  return `W/"${digest.subarray(0, VERSION_BYTES).toString('base64url')}"`;
}

/** `meta.version` of a resource, where it has one. */
export function versionIn({ meta }: { readonly meta?: unknown }): string | undefined {
  return (meta as { readonly version?: string } | undefined)?.version;
}

/** Whether `If-Match` or `If-None-Match` names a version: by `*` every one, else one of a list, weak or not. */
export function namesVersion(header: string, version: string): boolean {
  if (header.trim() === '*') return true;
  const plain = (tag: string): string => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => plain(tag) === plain(version));
}

/** RFC 7643, 3: `schemas` is there and names this URN, in any case. @throws ProblemError `invalidSyntax` */
export function requireSchema(schemas: unknown, urn: string): void {
  const isUrn = (each: unknown): boolean => typeof each === 'string' && each.toLowerCase() === urn.toLowerCase();
  if (!Array.isArray(schemas) || !schemas.some(isUrn)) throw scimError('invalidSyntax', `schemas: must name ${urn}.`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param path what an error begins with. @throws ProblemError `invalidSyntax` */
export function asObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw scimError('invalidSyntax', `${path}: must be an object.`);
  return value;
}
