import { isDeepStrictEqual } from 'node:util';
import {
  type ComplexValue,
  checkValues,
  emptyPrimary,
  missingAttributes,
  schemasOf,
  tidyValues,
} from '../documents/document-rules.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import { attributeAt, pathText, subAttributeOf } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType } from '../schema/resource-type.ts';
import { applyToList } from './apply-to-list.ts';
import type { PatchOperation } from './patch-operation.ts';

/**
 * The resource after all operations, in their order; the same object where nothing changes. The rules of a document hold
 * for what comes out: `primary` once, bounds, nothing required that was there is gone (RFC 7644, 3.5.2.2).
 * @throws ProblemError `mutability`, `noTarget`, `invalidValue`
 */
export function applyPatch(
  type: ResourceType,
  resource: ScimResource,
  operations: readonly PatchOperation[],
): ScimResource {
  const applied = operations.reduce((before, operation) => applyOperation(type, before, operation), resource);
  if (applied === resource) return resource;
  const lost = emptyPrimary(type, resource, applied);
  if (lost !== undefined) throw scimError('noTarget', `${lost}: there is no value that could be primary.`);
  const tidied = tidyValues(type, applied);
  checkValues(type, tidied);
  const gone = missingAttributes(type, tidied).find((name) => resource[name] !== undefined);
  if (gone !== undefined) throw scimError('mutability', `${gone}: is required, and cannot be removed.`);
  return { ...tidied, schemas: schemasOf(type, tidied) };
}

/**
 * The resource after one operation (RFC 7644, 3.5.2.1 to 3.5.2.3); the same object where nothing changes. What must be
 * there is judged when all operations have been applied.
 * @throws ProblemError `mutability`, `noTarget`, `invalidValue`
 */
export function applyOperation(type: ResourceType, resource: ScimResource, operation: PatchOperation): ScimResource {
  const { urn, attribute: name } = operation.path;
  const holder = urn === undefined ? resource : ((resource[urn] ?? {}) as ScimResource);
  const attribute = attributeAt(type, { ...(urn === undefined ? {} : { urn }), attribute: name });
  if (attribute === undefined) throw scimError('invalidPath', `${name}: there is no such attribute.`);
  const current = holder[name];
  const next = isFixed(attribute, operation)
    ? echoOf(attribute, current, operation)
    : valueAfter(attribute, current, operation);
  if (isDeepStrictEqual(current, next)) return resource;
  const changed = withMember(holder, name, next);
  if (urn === undefined) return changed;
  return withMember(resource, urn, Object.keys(changed).length === 0 ? undefined : changed);
}

function valueAfter(attribute: Attribute, current: unknown, operation: PatchOperation): unknown {
  if (attribute.multiValued) return applyToList(attribute, (current ?? []) as readonly ComplexValue[], operation);
  const { op, path, value } = operation;
  if (path.subAttribute !== undefined) {
    return complexAfter(path.subAttribute, (current ?? {}) as ComplexValue, op === 'remove' ? undefined : value);
  }
  return op === 'remove' ? undefined : value;
}

function complexAfter(name: string, current: ComplexValue, value: unknown): ComplexValue | undefined {
  if (isDeepStrictEqual(current[name], value)) return Object.keys(current).length === 0 ? undefined : current;
  // another value is not described by what described the last one
  const kept = name === 'value' ? {} : current;
  const changed = withMember(kept, name, value);
  return Object.keys(changed).length === 0 ? undefined : changed;
}

function isFixed(attribute: Attribute, { path }: PatchOperation): boolean {
  const part = path.subAttribute === undefined ? undefined : subAttributeOf(attribute, path.subAttribute);
  return attribute.mutability === 'readOnly' || part?.mutability === 'readOnly';
}

/** Clients send what they have read, such as the id. It may be said again, and not be changed (RFC 7644, 3.5.2). */
function echoOf(attribute: Attribute, current: unknown, { op, path, value }: PatchOperation): unknown {
  const said = path.subAttribute === undefined ? current : (current as ComplexValue | undefined)?.[path.subAttribute];
  if (op !== 'remove' && path.filter === undefined && isDeepStrictEqual(said, value)) return current;
  throw scimError('mutability', `${pathText({ ...path, attribute: attribute.name })}: is readOnly.`);
}

/** With another value of a member, or without it. */
function withMember(holder: ScimResource, name: string, value: unknown): ScimResource {
  if (value !== undefined) return { ...holder, [name]: value };
  const { [name]: _, ...rest } = holder;
  return rest;
}
