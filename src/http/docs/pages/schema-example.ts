import { choicesOf, type JsonSchema, membersOf, nameOf, requiredOf } from '../../openapi/json-schema.ts';
import { textNamed } from './text-examples.ts';

const depthMax = 6;

/** Looks up `#/components/schemas/X`. */
export type Resolve = (schema: JsonSchema) => JsonSchema;

export function resolver(schemas: Readonly<Record<string, JsonSchema>>): Resolve {
  return (schema) => {
    const name = nameOf(schema);
    return name === undefined ? schema : (schemas[name] ?? {});
  };
}

/** What the entries of a list are; of a tuple, what one of its entries is. */
export function itemsOf({ items, prefixItems }: JsonSchema): JsonSchema {
  const entries = Array.isArray(prefixItems) ? (prefixItems as readonly JsonSchema[]) : [];
  if (entries.length > 0) return entries.length === 1 ? (entries[0] as JsonSchema) : { anyOf: entries };
  // `false` says that there are no others
  return typeof items === 'object' && items !== null ? (items as JsonSchema) : {};
}

/**
 * A value that the schema would accept: its own example where it has one, otherwise the plainest of its type.
 * @param name of the member that has the value
 */
export function exampleOf(schema: JsonSchema, resolve: Resolve, depth = 0, name = ''): unknown {
  const known = resolve(schema);
  if (Array.isArray(known.examples) && known.examples.length > 0) return known.examples[0];
  if ('const' in known) return known.const;
  if ('default' in known) return known.default;
  if (Array.isArray(known.enum)) return known.enum[0];
  if (depth > depthMax) return null;
  const choices = choicesOf(known);
  if (choices !== undefined) return exampleOf(choices[0] as JsonSchema, resolve, depth + 1, name);
  switch (Array.isArray(known.type) ? known.type[0] : known.type) {
    case 'object':
      return objectExample(known, resolve, depth);
    case 'array':
      return [exampleOf(itemsOf(known), resolve, depth + 1, name)];
    case 'integer':
    case 'number':
      return known.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return formatExamples[String(known.format)] ?? textNamed(name, known) ?? 'text';
  }
}

const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00.000Z',
  uuid: '0198a2f4-7c1e-7d3a-9b1e-5f6c7d8e9f00',
  email: 'anne@example.com',
  uri: 'https://example.com/',
};

/** Required members, and of the others those that have an example of their own. */
function objectExample(schema: JsonSchema, resolve: Resolve, depth: number): Record<string, unknown> {
  const required = requiredOf(schema);
  const example: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(membersOf(schema))) {
    if (required.has(name) || Array.isArray(property.examples))
      example[name] = exampleOf(property, resolve, depth + 1, name);
  }
  return example;
}
