import { commonAttributes } from './common-attributes.ts';
import type { Attribute, AttributeType, ResourceType } from './resource-type.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** In JSON; what is complex has members. */
const jsonTypes: Readonly<Record<Exclude<AttributeType, 'complex'>, JsonSchema>> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  decimal: { type: 'number' },
  integer: { type: 'integer' },
  dateTime: { type: 'string', format: 'date-time' },
  reference: { type: 'string' },
  binary: { type: 'string' },
};

/**
 * A type of resources as JSON Schema, in its canonical form: for the description of the service. Requests are read more
 * leniently (`documents/read-value.ts`).
 *
 * @param direction a request has what clients may write; an answer what they may read, and not all of it, as they can leave
 *   attributes out
 */
export function describedType(type: ResourceType, direction: 'request' | 'answer'): JsonSchema {
  const all = [...commonAttributes, ...type.schema.attributes];
  const isShown = ({ mutability, returned }: Attribute): boolean =>
    direction === 'request' ? mutability !== 'readOnly' : returned !== 'never';
  const shown = all.filter(isShown);
  const required = shown.filter((attribute) => (direction === 'request' ? attribute.required : isAlways(attribute)));
  const extensions = type.extensions.map(({ id, name, description, attributes }) => [
    id,
    { title: `Scim${name}`, description, type: 'object', properties: describedMembers(attributes) },
  ]);
  return {
    description: type.schema.description,
    type: 'object',
    required: required.map(({ name }) => name),
    properties: { ...describedMembers(shown), ...Object.fromEntries(extensions) },
  };
}

function isAlways({ returned }: Attribute): boolean {
  return returned === 'always';
}

function describedMembers(attributes: readonly Attribute[]): JsonSchema {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, described(attribute)]));
}

function described(attribute: Attribute): JsonSchema {
  const { description, multiValued, mutability } = attribute;
  const one = describedValue(attribute);
  return {
    description,
    ...(multiValued ? { type: 'array', items: one } : one),
    ...(mutability === 'readOnly' ? { readOnly: true } : {}),
    ...(mutability === 'writeOnly' ? { writeOnly: true } : {}),
  };
}

function describedValue({ name, type, canonicalValues, subAttributes = [] }: Attribute): JsonSchema {
  if (type !== 'complex') return { ...jsonTypes[type], ...(canonicalValues && { examples: canonicalValues }) };
  return { title: titleOf(name), type: 'object', properties: describedMembers(subAttributes) };
}

/** `ScimEmail` for one of the `emails`. */
function titleOf(name: string): string {
  return `Scim${name.charAt(0).toUpperCase()}${name.slice(1).replace(/(?<=ss)es$|s$/, '')}`;
}
