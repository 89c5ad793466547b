import { type Catalog, catalogPayloads, type EventSource } from './catalogs.ts';
import type { AnyEventType } from './define-event.ts';
import type { StoredEvent } from './event-record.ts';

/** Every type of events that there is. */
export class EventTypes {
  readonly all: readonly AnyEventType[];
  readonly #byType: ReadonlyMap<string, AnyEventType>;

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
}
