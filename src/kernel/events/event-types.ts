import { type CatalogEntry, catalogEntries } from './catalog-entry.ts';
import { type Catalog, catalogPayloads, type EventSource } from './catalogs.ts';
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
