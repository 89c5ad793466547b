import { type ComplexValue, foldedPart, requireBounded, valueKey } from '../documents/document-rules.ts';
import { scimError } from '../errors/scim-errors.ts';
import type { Filter } from '../filter/filter.ts';
import { valueMatcher } from '../filter/match-filter.ts';
import type { Attribute } from '../schema/resource-type.ts';
import type { PatchOperation } from './patch-operation.ts';

type Values = readonly ComplexValue[];

/**
 * The values of a multi-valued attribute after an operation; `undefined` where none is left.
 * @throws ProblemError `mutability`, `noTarget`, `invalidValue`; so for too many, whatever a later operation would remove
 */
export function applyToList(attribute: Attribute, values: Values, operation: PatchOperation): Values | undefined {
  const { path, value } = operation;
  const after =
    path.filter === undefined && path.subAttribute === undefined
      ? listAfter(attribute, values, operation.op, value as Values | undefined)
      : selectionAfter(attribute, values, operation);
  // after each operation: a thousand of them could make a list that takes a thread seconds
  requireBounded(attribute, after);
  return after.length === 0 ? undefined : after;
}

function listAfter(attribute: Attribute, values: Values, op: PatchOperation['op'], given: Values | undefined): Values {
  if (op === 'replace') return given ?? [];
  if (op === 'add') return given === undefined ? values : added(attribute, values, given);
  return given === undefined ? [] : values.filter(outside(attribute, given));
}

/** A value that is there already, by type and value, takes what is new, and is not there twice (RFC 7643, 2.4). */
function added(attribute: Attribute, values: Values, given: Values): Values {
  const merged = new Map<string, ComplexValue>();
  let primary: string | undefined;
  for (const value of values) merged.set(valueKey(attribute, value), value);
  for (const value of given) {
    const key = valueKey(attribute, value);
    merged.set(key, { ...merged.get(key), ...value });
    if (value.primary === true) primary = key;
    else if (value.primary === false && primary === key) primary = undefined;
  }
  if (primary === undefined) return [...merged.values()];
  return [...merged].map(([key, value]) => (key === primary ? value : notPrimary(value)));
}

/** Whether a value is none of the given ones: by `value`, and by `type` where it is given, else by all that is given. */
function outside(attribute: Attribute, given: Values): (value: ComplexValue) => boolean {
  const keys = new Set(given.map((each) => valueKey(attribute, each)));
  const ofAnyType = new Set<string>();
  const others: ComplexValue[] = [];
  for (const each of given) {
    if (each.value === undefined) others.push(each);
    else if (each.type === undefined) ofAnyType.add(foldedPart(attribute, 'value', each.value));
  }
  return (value) => {
    const isNamed = value.value !== undefined && ofAnyType.has(foldedPart(attribute, 'value', value.value));
    if (isNamed || keys.has(valueKey(attribute, value))) return false;
    return !others.some((each) => Object.entries(each).every(([name, part]) => value[name] === part));
  };
}

/** Of the values that the filter chooses, or of all where there is none. */
function selectionAfter(attribute: Attribute, values: Values, { op, path, value }: PatchOperation): Values {
  const { filter, subAttribute } = path;
  const isChosen = filter === undefined ? () => true : valueMatcher(attribute, filter);
  const chosen = new Set(values.filter(isChosen));
  if (op === 'remove' || value === undefined) {
    if (subAttribute === undefined) return values.filter((each) => !chosen.has(each));
    return values.map((each) => (chosen.has(each) ? withPart(each, subAttribute, undefined) : each));
  }
  if (chosen.size === 0) {
    const one = made(attribute, filter, op, subAttribute, value);
    return [...(one.primary === true ? values.map(notPrimary) : values), one];
  }
  const change = (each: ComplexValue): ComplexValue => {
    if (subAttribute !== undefined) return withPart(each, subAttribute, value);
    return op === 'add' ? { ...each, ...(value as ComplexValue) } : (value as ComplexValue);
  };
  const changed = new Map([...chosen].map((each) => [each, change(each)]));
  const isPrimary = [...changed].some(([each, after]) => after.primary === true && each.primary !== true);
  // what has become the same value as a changed one is merged with it later on
  const keys = new Set([...changed.values()].map((after) => valueKey(attribute, after)));
  const rest = (each: ComplexValue) => (isPrimary && !keys.has(valueKey(attribute, each)) ? notPrimary(each) : each);
  return values.map((each) => changed.get(each) ?? rest(each));
}

function withPart(value: ComplexValue, name: string, part: unknown): ComplexValue {
  const { [name]: _, ...rest } = value;
  return part === undefined ? rest : { ...rest, [name]: part };
}

/** The value that a filter describes and that was not there. RFC 7644, 3.5.2.3, would answer `noTarget` to `replace`. */
function made(
  attribute: Attribute,
  filter: Filter | undefined,
  op: 'add' | 'replace',
  subAttribute: string | undefined,
  value: unknown,
): ComplexValue {
  const described = filter === undefined ? {} : equalities(filter);
  if (described === undefined || (op === 'replace' && subAttribute === undefined)) {
    throw scimError('noTarget', `${attribute.name}: no value matches the filter of the path.`);
  }
  return { ...described, ...(subAttribute === undefined ? (value as ComplexValue) : { [subAttribute]: value }) };
}

/** `type eq "work" and primary eq true` as a value; `undefined` where a filter says something else. */
function equalities(filter: Filter): ComplexValue | undefined {
  if (filter.kind === 'compare' && filter.operator === 'eq') return { [filter.path.attribute]: filter.value };
  if (filter.kind !== 'and') return undefined;
  const parts = filter.terms.map(equalities);
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}

function notPrimary(value: ComplexValue): ComplexValue {
  return value.primary === true ? { ...value, primary: false } : value;
}
