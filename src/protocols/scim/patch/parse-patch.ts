import type { ReadOptions } from '../documents/read-value.ts';
import { asObject, requireSchema } from '../documents/scim-resource.ts';
import { scimError } from '../errors/scim-errors.ts';
import type { Filter } from '../filter/filter.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { expandOperation } from './expand-operation.ts';
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
  requireSchema(schemas, patchSchema);
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
  return expandOperation(type, { op: kind, path: path ?? '', value }, { ...options, at });
}

/** Members by their names in lower case. */
function membersOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
  prefix: string,
  { strict }: ReadOptions,
): { readonly [Key in Name]?: unknown } {
  const given = asObject(value, prefix === '' ? 'The body' : prefix.slice(0, -1));
  const members: { [Key in Name]?: unknown } = {};
  for (const [key, member] of Object.entries(given)) {
    const name = names.find((each) => each === key.toLowerCase());
    if (name === undefined && strict) throw scimError('invalidSyntax', `${prefix}${key.slice(0, 100)}: is not known.`);
    if (name === undefined) continue;
    if (Object.hasOwn(members, name)) throw scimError('invalidSyntax', `${prefix}${name}: is given twice.`);
    members[name] = member;
  }
  return members;
}

/**
 * The same operations, with those made one that follow each other and add to, or remove from, one list. Clients send an
 * operation for each member; a list of a hundred thousand should not be gone through for each of them.
 */
function joinOperations(operations: readonly PatchOperation[]): readonly PatchOperation[] {
  const joined: PatchOperation[] = [];
  let values: unknown[] | undefined;
  for (const operation of operations.map(namedRemoval)) {
    const before = joined.at(-1);
    if (values !== undefined && before !== undefined && isSameList(before, operation)) {
      for (const value of operation.value as readonly unknown[]) values.push(value);
      continue;
    }
    values = Array.isArray(operation.value) && operation.op !== 'replace' ? [...operation.value] : undefined;
    joined.push(values === undefined ? operation : { ...operation, value: values });
  }
  return joined;
}

/** `remove` of `members[value eq "x"]` in its other form: `members` with `[{"value": "x"}]`. */
function namedRemoval(operation: PatchOperation): PatchOperation {
  const { op, path } = operation;
  if (op !== 'remove' || path.attribute !== 'members' || path.subAttribute !== undefined) return operation;
  const value = soleValue(path.filter);
  return value === undefined ? operation : { op, path: { attribute: path.attribute }, value: [{ value }] };
}

function soleValue(filter: Filter | undefined): unknown {
  if (filter?.kind !== 'compare' || filter.operator !== 'eq' || filter.path.attribute !== 'value') return undefined;
  return filter.value;
}

function isSameList(before: PatchOperation, operation: PatchOperation): boolean {
  return (
    before.op === operation.op &&
    Array.isArray(operation.value) &&
    before.path.urn === operation.path.urn &&
    before.path.attribute === operation.path.attribute &&
    isPlain(before) &&
    isPlain(operation)
  );
}

function isPlain({ path }: PatchOperation): boolean {
  return path.filter === undefined && path.subAttribute === undefined;
}
