import { z } from 'zod';

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

type Direction = 'input' | 'output';

/**
 * Turns zod schemas into JSON Schema (2020-12, the dialect of OpenAPI 3.1). Schemas with an id, `.meta({ id: 'Tuple' })`,
 * become components that the others refer to.
 */
export class SchemaComponents {
  readonly #components = new Map<string, JsonSchema>();

  /** @param direction what the service reads or what it writes: defaults make a field optional only in the first */
  schema(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    const names = new Map<string, string>();
    for (const [id, definition] of Object.entries($defs ?? {})) names.set(id, this.#nameFor(id, definition, direction));
    for (const [id, definition] of Object.entries($defs ?? {})) {
      this.#components.set(names.get(id) as string, withoutId(rewrite(definition, names)));
    }
    const { id } = rest;
    if (typeof id !== 'string') return rewrite(rest, names);
    const name = this.#nameFor(id, rest, direction);
    this.#components.set(name, withoutId(rewrite(rest, names)));
    return { $ref: `#/components/schemas/${name}` };
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    this.#components.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
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

function withoutId({ id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Points `#/$defs/X` at the components. */
function rewrite(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, key === '$ref' ? target(entry as string) : visit(entry)]),
    );
  };
  const target = (ref: string): string => {
    const id = ref.replace('#/$defs/', '');
    return `#/components/schemas/${names.get(id) ?? id}`;
  };
  return visit(schema) as JsonSchema;
}
