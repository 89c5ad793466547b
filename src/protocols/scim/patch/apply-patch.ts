import { checkValues, emptyPrimary, missingAttributes, schemasOf, tidyValues } from '../documents/document-rules.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-problems.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { applyOperation } from './apply-operation.ts';
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
