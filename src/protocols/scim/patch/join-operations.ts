import type { Filter } from '../filter/filter.ts';
import type { PatchOperation } from './patch-operation.ts';

/**
 * The same operations, with those made one that follow each other and add to, or remove from, one list. Clients send an
 * operation for each member; a list of a hundred thousand should not be gone through for each of them.
 */
export function joinOperations(operations: readonly PatchOperation[]): readonly PatchOperation[] {
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
