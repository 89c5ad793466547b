import { isDeepStrictEqual } from 'node:util';
import { scimPatch } from 'scim-patch';
import { type Filter, filter as matcherOf, parse } from 'scim2-parse-filter';
import type { ScimResource } from '../../../../src/protocols/scim/documents/scim-resource.ts';
import { core, enterprise } from '../people.ts';
import type { Sent } from './patching.ts';

type Value = Readonly<Record<string, unknown>>;

/** How the oracle is given a rule that it does not follow. */
export interface Adaptation {
  /** The operation as the oracle understands it. */
  readonly given?: (operation: Sent, before: ScimResource) => Sent;
  /** The result as the rule has it. */
  readonly result?: (after: ScimResource, before: ScimResource) => ScimResource;
  /** Whether the rule refuses the operation, or its result. */
  readonly refuses?: (operation: Sent, before: ScimResource, after: ScimResource) => boolean;
  /** Whether what the oracle refuses is done, and changes nothing. */
  readonly forgives?: (operation: Sent) => boolean;
}

/** The resource after an operation, or `refused`. */
export function oraclePatched(
  before: ScimResource,
  operation: Sent,
  adaptations: readonly Adaptation[],
): ScimResource | 'refused' {
  const given = adaptations.reduce((each, { given: change }) => change?.(each, before) ?? each, operation);
  let after: ScimResource;
  try {
    const patched = scimPatch(structuredClone(before) as never, [structuredClone(given) as never]);
    // what is undefined is not there
    after = JSON.parse(JSON.stringify(patched)) as ScimResource;
  } catch {
    return adaptations.some(({ forgives }) => forgives?.(operation)) ? before : 'refused';
  }
  if (adaptations.some(({ refuses }) => refuses?.(operation, before, after))) return 'refused';
  const result = adaptations.reduce((each, { result: change }) => change?.(each, before) ?? each, after);
  return adaptations.some(({ refuses }) => refuses?.(operation, before, result)) ? 'refused' : result;
}

const lists = ['emails', 'phoneNumbers', 'roles'];
const isAdd = ({ op }: Sent) => op.toLowerCase() === 'add';
const isReplace = ({ op }: Sent) => op.toLowerCase() === 'replace';
const isRemove = ({ op }: Sent) => op.toLowerCase() === 'remove';
const valuesAt = (resource: ScimResource, name: string) => (resource[name] ?? []) as readonly Value[];
const keyOf = (value: Value) =>
  value.value === undefined
    ? JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : JSON.stringify([value.value, value.type ?? '']);
const saysNothing = (value: Value) => Object.keys(value).every((name) => name === 'type' || name === 'primary');
const eachList = (resource: ScimResource, change: (values: readonly Value[], name: string) => readonly Value[]) => ({
  ...resource,
  ...Object.fromEntries(
    lists.filter((name) => name in resource).map((name) => [name, change(valuesAt(resource, name), name)]),
  ),
});

/** `emails[type eq "work"].value` in its parts. */
function selectionOf({ path }: Sent) {
  const found = /^(\w+)\[(.*)\](?:\.(\w+))?$/.exec(String(path ?? ''));
  if (found === null) return undefined;
  const [, name = '', text = '', part] = found;
  const filter = parse(text);
  return { name, filter, part, isChosen: matcherOf(filter) as (value: Value) => boolean };
}

function equality(filter: Filter): Value | undefined {
  return filter.op === 'eq' ? { [filter.attrPath]: filter.compValue } : undefined;
}

export const oneIsAList: Adaptation = {
  given: (operation) => {
    const { path, value } = operation;
    const listOf = (given: unknown) => (Array.isArray(given) ? given : [given]);
    if (isRemove(operation)) return operation;
    if (lists.includes(String(path))) return { ...operation, value: listOf(value) };
    if (path !== undefined) return operation;
    const wrapped = Object.entries(value as Value).map(([name, each]) => [
      name,
      lists.includes(name) ? listOf(each) : each,
    ]);
    return { ...operation, value: Object.fromEntries(wrapped) };
  },
};

export const partsAreMerged: Adaptation = {
  given: (operation) => {
    const { path, value } = operation;
    if (path !== undefined) return operation;
    const parts = Object.entries(value as Value).flatMap(([name, each]) => {
      const joint = name === enterprise ? ':' : '.';
      const isWhole = name === enterprise || name === 'name';
      return isWhole
        ? Object.entries(each as Value).map(([part, one]) => [`${name}${joint}${part}`, one])
        : [[name, each]];
    });
    return { ...operation, value: Object.fromEntries(parts) };
  },
};

export const replacedWholly: Adaptation = {
  given: (operation) => {
    const selection = selectionOf(operation);
    if (!isReplace(operation) || selection === undefined || selection.part !== undefined) return operation;
    const nothing = { value: undefined, type: undefined, display: undefined, primary: undefined };
    return { ...operation, value: { ...nothing, ...(operation.value as Value) } };
  },
};

export const addedWhereNoneMatches: Adaptation = {
  given: (operation, before) => {
    const selection = selectionOf(operation);
    if (!isAdd(operation) || selection === undefined || selection.part !== undefined) return operation;
    if (valuesAt(before, selection.name).some(selection.isChosen)) return operation;
    const value = [{ ...equality(selection.filter), ...(operation.value as Value) }];
    return { op: 'add', path: selection.name, value };
  },
  refuses: (operation, before) => {
    const selection = selectionOf(operation);
    if (!isAdd(operation) || selection === undefined || valuesAt(before, selection.name).some(selection.isChosen)) {
      return false;
    }
    return equality(selection.filter) === undefined;
  },
};

export const removedByValue: Adaptation = {
  given: (operation, before) => {
    if (!isRemove(operation) || operation.value === undefined) return operation;
    const isNamed = (value: Value) =>
      (operation.value as readonly Value[]).some(
        (each) => each.value === value.value && (each.type === undefined || each.type === value.type),
      );
    return { ...operation, value: valuesAt(before, String(operation.path)).filter(isNamed) };
  },
};

export const nothingToRemove: Adaptation = { forgives: isRemove };

export const valuesOnce: Adaptation = {
  // the library leaves out what is there already, and then the last of two is not the last any more
  given: (operation) => {
    if (isRemove(operation)) return operation;
    const { value } = operation;
    if (Array.isArray(value)) return { ...operation, value: once(value) };
    return operation.path === undefined ? { ...operation, value: eachList(value as ScimResource, once) } : operation;
  },
  result: (after) => eachList(after, once),
};

function once(values: readonly Value[]): Value[] {
  const merged = new Map<string, Value>();
  for (const value of values) merged.set(keyOf(value), { ...merged.get(keyOf(value)), ...value });
  return [...merged.values()];
}

export const onePrimary: Adaptation = {
  result: (after, before) =>
    eachList(after, (values, name) => {
      const primary = values.filter((value) => value.primary === true);
      const was = new Set(valuesAt(before, name).flatMap((value) => (value.primary === true ? [keyOf(value)] : [])));
      const fresh = primary.filter((value) => !was.has(keyOf(value)));
      if (primary.length < 2 || fresh.length === 0) return values;
      return values.map((value) =>
        value.primary === true && !fresh.includes(value) ? { ...value, primary: false } : value,
      );
    }),
  refuses: (operation, before, after) => {
    const { path, value } = operation;
    const given = path === undefined && value !== undefined ? Object.values(value as Value) : [value];
    const isTwice = given.some(
      (each) => Array.isArray(each) && each.filter(({ primary }) => primary === true).length > 1,
    );
    const selection = selectionOf(operation);
    if (isTwice || selection?.part !== 'primary' || value !== true) return isTwice;
    const chosen = valuesAt(before, selection.name).filter(selection.isChosen);
    return chosen.length > 1 && valuesAt(after, selection.name).filter(({ primary }) => primary === true).length > 1;
  },
};

export const nothingIsNotKept: Adaptation = {
  result: (after) => {
    const kept = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const entries = Object.entries(value).map(([name, each]) => [name, kept(each)]);
      const there = entries.filter(([, each]) => each !== undefined);
      return there.length === 0 ? undefined : Object.fromEntries(there);
    };
    const listed = eachList(after, (values) => values.filter((value) => !saysNothing(value)));
    const entries = Object.entries(listed).map(([name, value]) => [name, kept(value)] as const);
    return Object.fromEntries(
      entries.filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
    );
  },
};

export const primaryIsSomething: Adaptation = {
  refuses: (_, before, after) =>
    lists.some((name) =>
      valuesAt(after, name).some(
        (value) =>
          value.primary === true &&
          saysNothing(value) &&
          !valuesAt(before, name).some(({ primary, type }) => primary === true && type === value.type),
      ),
    ),
};

export const requiredStays: Adaptation = {
  refuses: (_, before, after) => {
    const isGone = (name: string) => {
      const value = after[name];
      if (Array.isArray(value)) return value.every(saysNothing);
      return value === undefined || isDeepStrictEqual(value, {});
    };
    const required = ['userName', 'name', 'emails'].filter((name) => before[name] !== undefined);
    return (
      required.some(isGone) || valuesAt(after, 'emails').some((each) => each.value === undefined && !saysNothing(each))
    );
  },
};

export const schemasFollow: Adaptation = {
  result: (after) => ({ ...after, schemas: enterprise in after ? [core, enterprise] : [core] }),
};
