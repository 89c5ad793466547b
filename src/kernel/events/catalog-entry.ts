import { z } from 'zod';
import { type Catalog, catalogBodies, catalogPayloads } from './catalogs.ts';
import type { AnyEventType } from './define-event.ts';

/** A name of a catalog, for whoever wants to know what arrives. */
export interface CatalogEntry {
  readonly name: string;
  /** The service's own names of what is told by it. */
  readonly types: readonly string[];
  /** JSON Schema (2020-12) of the body of a delivery. Fields may be added to it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Such a body. */
  readonly example: object;
}

const source = { id: '01920000-0000-7000-8000-0000000000ff', slug: 'library' };
const sent = { id: '01920000-0000-7000-8000-0000000000ee', createdAt: Date.UTC(2026, 0, 1) };

/** The names of a catalog in their order of types, each once. */
export function catalogEntries(catalog: Catalog, all: readonly AnyEventType[]): CatalogEntry[] {
  const byName = new Map<string, AnyEventType[]>();
  for (const type of all) {
    const name = type.nameIn(catalog);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), type]);
  }
  return [...byName].map(([name, types]) => ({
    name,
    types: types.map(({ type }) => type),
    schema: schemaOf(catalog, name, types),
    example: exampleOf(catalog, types),
  }));
}

/** Several types may be told by one name. */
function schemaOf(catalog: Catalog, name: string, types: readonly AnyEventType[]): CatalogEntry['schema'] {
  const [first, ...others] = new Set(types.flatMap((type) => type.schemaIn(catalog) ?? []));
  const data = first === undefined ? z.looseObject({}) : others.length === 0 ? first : z.union([first, ...others]);
  return z.toJSONSchema(catalogBodies[catalog](name, data), {
    target: 'draft-2020-12',
    io: 'output',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}

function exampleOf(catalog: Catalog, types: readonly AnyEventType[]): object {
  for (const type of types) {
    const told = type.toldIn(catalog, type.example);
    if (told === undefined) continue;
    const event = { ...sent, type: type.type, data: {} };
    return catalogPayloads[catalog](event, source, told);
  }
  throw new Error(`the examples of ${types.map(({ type }) => type).join(', ')} are nothing in the catalog`);
}
