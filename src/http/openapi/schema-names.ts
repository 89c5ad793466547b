import { isObject, type JsonSchema, mapValues, membersOf, refTo } from './json-schema.ts';
import { pascal, singular } from './operation-name.ts';

/** Members an object has at least, to be worth a name. */
const MEMBERS_MIN = 2;

/** Gives names to schemas. Equal ones have one name, and the first who asks for a name gets it. */
export class SchemaNames {
  readonly #schemas: Map<string, JsonSchema>;
  readonly #byShape = new Map<string, string>();

  constructor(known: Readonly<Record<string, JsonSchema>>) {
    this.#schemas = new Map(Object.entries(known));
    for (const [name, schema] of this.#schemas) this.#byShape.set(shapeOf(schema), name);
  }

  /**
   * A reference to the schema under the first of these names that is free, or under the one that it already has. Values
   * that are no objects stay.
   */
  name(schema: JsonSchema, ...wanted: string[]): JsonSchema {
    if (schema.properties === undefined) return schema;
    const { description, title, ...rest } = schema;
    const shape = shapeOf(schema);
    const name = this.#byShape.get(shape) ?? this.#free(wanted);
    if (!this.#byShape.has(shape)) {
      this.#byShape.set(shape, name);
      this.#schemas.set(name, rest);
    }
    return this.#reference(name, schema);
  }

  /**
   * Names the objects in schemas that have a name, innermost first: by their title where they have one, else by the field
   * in which they stand, and by where that is unless they stand in several places.
   */
  nameInner(): void {
    const counts = new Map<string, number>();
    for (const schema of this.#schemas.values()) {
      forEachObject(schema, (each) => counts.set(shapeOf(each), (counts.get(shapeOf(each)) ?? 0) + 1));
    }
    for (const [owner, schema] of [...this.#schemas]) {
      const named = mapObjects(schema, owner, (each, original, field) => {
        if (Object.keys(membersOf(original)).length < MEMBERS_MIN) return each;
        const isShared = (counts.get(shapeOf(original)) ?? 0) > 1;
        const short = pascal(field);
        const name = this.#byShape.get(shapeOf(original));
        if (name !== undefined) return this.#reference(name, each);
        const { title } = original;
        return this.name(
          each,
          ...(typeof title === 'string' ? [title] : []),
          ...(isShared ? [short] : []),
          owner + short,
        );
      });
      this.#schemas.set(owner, named);
    }
  }

  all(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** What is said about it here stays. */
  #reference(name: string, { description }: JsonSchema): JsonSchema {
    return { ...(description === undefined ? {} : { description }), ...refTo(name) };
  }

  #free(wanted: readonly string[]): string {
    const last = wanted.at(-1) ?? 'Schema';
    let name = wanted.find((each) => !this.#schemas.has(each)) ?? last;
    for (let count = 2; this.#schemas.has(name); count++) name = `${last}${count}`;
    return name;
  }
}

/** What two schemas share that accept the same; what is said about them may differ. */
function shapeOf({ description, title, ...schema }: JsonSchema): string {
  return JSON.stringify(schema);
}

/** Calls `visit` with every object below `schema` that has members. */
function forEachObject(schema: JsonSchema, visit: (object: JsonSchema) => void): void {
  for (const [, value] of childrenOf(schema)) {
    if (value.properties !== undefined) visit(value);
    forEachObject(value, visit);
  }
}

type Change = (changed: JsonSchema, original: JsonSchema, field: string) => JsonSchema;

/** The same schema with every object below it, innermost first, made into something else. */
function mapObjects(schema: JsonSchema, field: string, change: Change): JsonSchema {
  const visit = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, name));
    if (!isObject(value)) return value;
    const inner = mapObjects(value, name, change);
    return value.properties === undefined ? inner : change(inner, value, name);
  };
  return mapValues(schema, (value, keyword) => {
    if (keyword === 'properties') return mapValues(value as Record<string, unknown>, visit);
    const isOneOfMany = keyword === 'items' || keyword === 'additionalProperties';
    return nested.has(keyword) ? visit(value, isOneOfMany ? singular(field) : field) : value;
  });
}

/** Keywords with schemas in them. */
const nested: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'additionalProperties',
]);

function childrenOf(schema: JsonSchema): [field: string, schema: JsonSchema][] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === 'properties') return Object.entries(value as Record<string, JsonSchema>);
    if (!nested.has(keyword)) return [];
    return (Array.isArray(value) ? value : [value]).filter(isObject).map((each): [string, JsonSchema] => ['', each]);
  });
}
