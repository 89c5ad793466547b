/** JSON Schema (2020-12, the dialect of OpenAPI 3.1). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

type Named<T> = Readonly<Record<string, T>>;

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** `X` of `#/components/schemas/X`; `undefined` where a schema stands for itself. */
export function nameOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;
}

/** The fields of an object. */
export function membersOf({ properties }: JsonSchema): Named<JsonSchema> {
  return (properties ?? {}) as Named<JsonSchema>;
}

/** Names of the fields that must be there. */
export function requiredOf({ required }: JsonSchema): ReadonlySet<string> {
  return new Set(Array.isArray(required) ? (required as string[]) : []);
}

/** Of which a value fits one. */
export function choicesOf(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const choices = schema.anyOf ?? schema.oneOf;
  return Array.isArray(choices) ? choices : undefined;
}

/** The same keys with other values, in their order. */
export function mapValues<T, U>(values: Named<T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
