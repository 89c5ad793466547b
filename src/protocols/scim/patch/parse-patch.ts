import type { ReadOptions } from '../documents/read-value.ts';
import { scimError } from '../errors/scim-problems.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { expandOperation } from './expand-operation.ts';
import { joinOperations } from './join-operations.ts';
import { operationsMax, type PatchOperation } from './patch-operation.ts';

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Reads the body of PATCH (RFC 7644, 3.5.2). Each operation that comes out has a path to one attribute or sub-attribute,
 * so that those without a path, on a whole extension or on a complex attribute come out as several.
 *
 * Names are read in any case, and so are operations: `Add`, `Replace`.
 *
 * @throws ProblemError `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `noTarget`
 */
export function parsePatch(type: ResourceType, body: unknown, options: ReadOptions): readonly PatchOperation[] {
  const { schemas, operations } = membersOf(body, ['schemas', 'operations'], '', options);
  if (!namesPatch(schemas)) throw scimError('invalidSyntax', `schemas: must name ${patchSchema}.`);
  if (!Array.isArray(operations) || operations.length === 0) {
    throw scimError('invalidSyntax', 'Operations: must be a list with at least one operation.');
  }
  if (operations.length > operationsMax) {
    throw scimError('invalidValue', `Operations: there are more than ${operationsMax}.`);
  }
  const expanded = operations.flatMap((operation, index) => readOperation(type, operation, index, options));
  return joinOperations(expanded);
}

function readOperation(
  type: ResourceType,
  operation: unknown,
  index: number,
  options: ReadOptions,
): readonly PatchOperation[] {
  const at = `Operations[${index}]`;
  const { op, path, value } = membersOf(operation, ['op', 'path', 'value'], `${at}.`, options);
  const kind = typeof op === 'string' ? op.toLowerCase() : op;
  if (kind !== 'add' && kind !== 'remove' && kind !== 'replace') {
    throw scimError('invalidSyntax', `${at}.op: must be "add", "remove" or "replace".`);
  }
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw scimError('invalidPath', `${at}.path: must be a text.`);
  }
  if (value === undefined && (kind === 'add' || (kind === 'replace' && options.strict))) {
    throw scimError('invalidValue', `${at}.value: is required.`);
  }
  return expandOperation(type, { op: kind, path: path ?? '', value }, { ...options, place: at });
}

function namesPatch(schemas: unknown): boolean {
  if (!Array.isArray(schemas)) return false;
  return schemas.some((urn) => typeof urn === 'string' && urn.toLowerCase() === patchSchema.toLowerCase());
}

/** Members by their names in lower case. */
function membersOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
  prefix: string,
  { strict }: ReadOptions,
): { readonly [Key in Name]?: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw scimError('invalidSyntax', `${prefix === '' ? 'The body' : prefix.slice(0, -1)}: must be an object.`);
  }
  const members: { [Key in Name]?: unknown } = {};
  for (const [key, member] of Object.entries(value)) {
    const name = names.find((each) => each === key.toLowerCase());
    if (name === undefined && strict) throw scimError('invalidSyntax', `${prefix}${key.slice(0, 100)}: is not known.`);
    if (name === undefined) continue;
    if (Object.hasOwn(members, name)) throw scimError('invalidSyntax', `${prefix}${name}: is given twice.`);
    members[name] = member;
  }
  return members;
}
