import { z } from 'zod';
import { type Catalog, catalogBodies, catalogPayloads, type EventSource } from './catalogs.ts';
import type { AnyEventType } from './define-event.ts';
import type { StoredEvent } from './event-record.ts';

/** Every type of events that there is. */
export class EventTypes {
  readonly all: readonly AnyEventType[];
  readonly #byType: ReadonlyMap<string, AnyEventType>;
  readonly #entries = new Map<Catalog, readonly CatalogEntry[]>();

  constructor(all: readonly AnyEventType[]) {
    this.all = all;
    this.#byType = new Map(all.map((each) => [each.type, each]));
  }

  /**
   * The payload of an event in a catalog, to be sent as JSON. Undefined where the catalog has no such event, and where
   * this version does not know its type.
   */
  payload(catalog: Catalog, source: EventSource, event: StoredEvent): object | undefined {
    const told = this.#byType.get(event.type)?.toldIn(catalog, event.data);
    return told && catalogPayloads[catalog](event, source, told);
  }

  /** The resources that an event is about: `user:<id>`. Empty where this version does not know its type. */
  about(event: Pick<StoredEvent, 'type' | 'data'>): readonly string[] {
    return this.#byType.get(event.type)?.about(event.data) ?? [];
  }

  /** The names that a subscription in a catalog can have. */
  namesIn(catalog: Catalog): readonly string[] {
    return this.entriesIn(catalog).map(({ name }) => name);
  }

  /** What a catalog tells: names, schemas, examples. */
  entriesIn(catalog: Catalog): readonly CatalogEntry[] {
    const known = this.#entries.get(catalog);
    if (known !== undefined) return known;
    const entries = catalogEntries(catalog, this.all);
    this.#entries.set(catalog, entries);
    return entries;
  }
}

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
