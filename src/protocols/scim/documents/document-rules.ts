import { scimError } from '../errors/scim-errors.ts';
import { attributeAt, subAttributeOf } from '../schema/attribute-path.ts';
import type { Attribute, ResourceType } from '../schema/resource-type.ts';
import { maxOf } from './read-value.ts';
import type { ScimResource } from './scim-resource.ts';

/** One value of a multi-valued complex attribute. */
export type ComplexValue = Readonly<Record<string, unknown>>;

/** What alone says nothing: what a value would be for, had it one. */
const qualifiers = ['type', 'primary'];

/**
 * Without values that say nothing but their type, which is what remains where a client empties the others, and without
 * a value twice: one type and value stand together once (RFC 7643, 2.4), and the later one counts.
 */
export function tidyValues(type: ResourceType, resource: ScimResource): ScimResource {
  const result: Record<string, unknown> = { ...resource };
  for (const [attribute, values] of listsOf(type, resource)) {
    const tidied = tidyList(attribute, values);
    if (tidied.length > 0) result[attribute.name] = tidied;
    else delete result[attribute.name];
  }
  return result;
}

/** An attribute whose primary value would now be one that says nothing, and that is not what remains of a primary value. */
export function emptyPrimary(type: ResourceType, before: ScimResource, after: ScimResource): string | undefined {
  const found = listsOf(type, after).find(([{ name }, values]) => {
    const remains = ((before[name] ?? []) as readonly ComplexValue[]).filter(({ primary }) => primary === true);
    return values.some(
      (value) => value.primary === true && saysNothing(value) && !remains.some((each) => each.type === value.type),
    );
  });
  return found?.[0].name;
}

/** What makes two values of an attribute the same: type and value, or all of it where there is no `value`. */
export function valueKey(attribute: Attribute, value: ComplexValue): string {
  const { type = '' } = value;
  if (value.value !== undefined) {
    return JSON.stringify([foldedPart(attribute, 'value', value.value), foldedPart(attribute, 'type', type)]);
  }
  return JSON.stringify(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A sub-attribute as it is compared. */
export function foldedPart(attribute: Attribute, name: 'value' | 'type', part: unknown): string {
  const text = String(part);
  return subAttributeOf(attribute, name)?.caseExact === true ? text : text.toLowerCase();
}

/**
 * RFC 7643, 2.4: `primary` is true for one value at most. A value has the sub-attributes that it must have.
 * @throws ProblemError `invalidValue`
 */
export function checkValues(type: ResourceType, resource: ScimResource): void {
  for (const [attribute, values] of listsOf(type, resource)) {
    const { name } = attribute;
    requireBounded(attribute, values);
    requireOnePrimary(values, name);
    for (const part of attribute.subAttributes ?? []) {
      const lacking = part.required ? values.findIndex((value) => value[part.name] === undefined) : -1;
      if (lacking >= 0) throw scimError('invalidValue', `${name}[${lacking}].${part.name}: is required.`);
    }
  }
}

/** @throws ProblemError `invalidValue` */
export function requireBounded(attribute: Attribute, { length }: readonly ComplexValue[]): void {
  const max = maxOf(attribute);
  if (length > max) throw scimError('invalidValue', `${attribute.name}: has more than ${max} values.`);
}

/** @param path what an error begins with: `emails`. @throws ProblemError `invalidValue` */
export function requireOnePrimary(values: readonly ComplexValue[], path: string): void {
  const second = values.filter(({ primary }) => primary === true)[1];
  if (second === undefined) return;
  throw scimError('invalidValue', `${path}[${values.indexOf(second)}].primary: another value is primary already.`);
}

/** Required attributes that a resource lacks. */
export function missingAttributes(type: ResourceType, resource: ScimResource): readonly string[] {
  const required = type.schema.attributes.filter((attribute) => attribute.required);
  return required.map(({ name }) => name).filter((name) => resource[name] === undefined);
}

/** The URNs that a resource names: that of its type, and of the extensions that it has attributes of. */
export function schemasOf(type: ResourceType, resource: ScimResource): readonly string[] {
  return [type.schema, ...type.extensions].map(({ id }) => id).filter((id) => id === type.schema.id || id in resource);
}

function listsOf(
  type: ResourceType,
  resource: ScimResource,
): readonly (readonly [Attribute, readonly ComplexValue[]])[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    const attribute = Array.isArray(value) ? attributeAt(type, { attribute: name }) : undefined;
    return attribute?.type === 'complex' ? [[attribute, value as readonly ComplexValue[]] as const] : [];
  });
}

function tidyList(attribute: Attribute, values: readonly ComplexValue[]): readonly ComplexValue[] {
  const byKey = new Map<string, ComplexValue>();
  for (const value of values) {
    if (saysNothing(value)) continue;
    const key = valueKey(attribute, value);
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? value : { ...before, ...value });
  }
  const tidied = [...byKey.values()];
  return tidied.length === values.length && tidied.every((value, index) => value === values[index]) ? values : tidied;
}

function saysNothing(value: ComplexValue): boolean {
  return Object.keys(value).every((name) => qualifiers.includes(name));
}
