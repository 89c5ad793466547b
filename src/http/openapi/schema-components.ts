import { z } from 'zod';
import { isObject, type JsonSchema, mapValues, refTo } from './json-schema.ts';

type Direction = 'input' | 'output';

/**
 * Turns zod schemas into JSON Schema (2020-12, the dialect of OpenAPI 3.1). Schemas with an id, `.meta({ id: 'Tuple' })`,
 * become components that the others refer to.
 */
export class SchemaComponents {
  readonly #components = new Map<string, JsonSchema>();

  /**
   * @param direction what the service reads or what it writes: defaults make a field optional only in the first
   * @param path of the endpoint: alternatives for other paths, `.meta({ 'x-base': '/orgs/' })`, are left out
   */
  schema(schema: z.ZodType, direction: Direction, path = ''): JsonSchema {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => plain(jsonSchema as Record<string, unknown>, path),
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    const names = new Map<string, string>();
    const definitions = Object.entries($defs ?? {}).filter(([, definition]) => aliasOf(definition) === undefined);
    for (const [id, definition] of definitions) names.set(id, this.#nameFor(id, definition, direction));
    for (const [id, definition] of Object.entries($defs ?? {})) {
      const alias = aliasOf(definition);
      if (alias !== undefined) names.set(id, names.get(alias) ?? alias);
    }
    for (const [id, definition] of definitions) {
      this.#components.set(names.get(id) as string, withoutId(rewrite(definition, names)));
    }
    const { id } = rest;
    if (typeof id !== 'string') return rewrite(rest, names);
    const name = this.#nameFor(id, rest, direction);
    this.#components.set(name, withoutId(rewrite(rest, names)));
    return refTo(name);
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    this.#components.set(name, schema);
    return refTo(name);
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** One id may look different when read and when written; the second form gets a name of its own. */
  #nameFor(id: string, definition: JsonSchema, direction: Direction): string {
    const known = this.#sources.get(id);
    const text = JSON.stringify(definition);
    if (known === undefined) this.#sources.set(id, text);
    return known === undefined || known === text ? id : `${id}${direction === 'input' ? 'Input' : 'Output'}`;
  }

  readonly #sources = new Map<string, string>();
}

/** The definition that one refers to and says nothing else: what recursion through an optional field leaves behind. */
function aliasOf(definition: JsonSchema): string | undefined {
  const { $ref } = definition;
  return typeof $ref === 'string' && Object.keys(definition).length === 1 ? $ref.replace('#/$defs/', '') : undefined;
}

function withoutId({ id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Points `#/$defs/X` at the components. */
function rewrite(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    // resources of SCIM have a field that is called `$ref`
    return mapValues(value, (entry, key) =>
      key === '$ref' && typeof entry === 'string' ? target(entry) : visit(entry),
    );
  };
  const target = (ref: string): unknown => {
    const id = ref.replace('#/$defs/', '');
    return refTo(names.get(id) ?? id).$ref;
  };
  return visit(schema) as JsonSchema;
}

/** Leaves out what only says how the service checks, and what other paths answer. */
function plain(schema: Record<string, unknown>, path: string): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // every name is a text
  if (isOnly(schema.propertyNames, 'type')) delete schema.propertyNames;
  // the format says it
  if (schema.format !== undefined) delete schema.pattern;
  // texts of a query that are described as what they stand for
  if (schema.type === 'integer') delete schema.pattern;
  if (schema.type === 'boolean') delete schema.enum;
  if (Array.isArray(schema.prefixItems)) plainTuple(schema, schema.prefixItems);
  for (const keyword of ['anyOf', 'oneOf']) {
    const choices = schema[keyword];
    if (!Array.isArray(choices)) continue;
    const own = choices.filter((choice) => isFor(choice, path)).map(withoutBase);
    if (own.length === 1 && own.length < choices.length) {
      delete schema[keyword];
      Object.assign(schema, own[0]);
    } else {
      schema[keyword] = own;
    }
  }
}

/** As a list of so many: few generators know tuples. */
function plainTuple(schema: Record<string, unknown>, entries: readonly unknown[]): void {
  const [first] = entries;
  schema.items = entries.length === 1 ? first : { anyOf: entries };
  Object.assign(schema, { minItems: entries.length, maxItems: entries.length });
  delete schema.prefixItems;
}

function isOnly(schema: unknown, keyword: string): boolean {
  return isObject(schema) && Object.keys(schema).join() === keyword;
}

function isFor(choice: Readonly<Record<string, unknown>>, path: string): boolean {
  return typeof choice['x-base'] !== 'string' || path === '' || path.startsWith(choice['x-base']);
}

function withoutBase({ 'x-base': base, ...choice }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return choice;
}
