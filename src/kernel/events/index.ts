import { eventRecords } from './event-record.ts';

export { type Catalog, catalogNames, catalogPayloads, catalogs, ownNames, testEvent } from './catalogs.ts';
export {
  type AnyEventType,
  type DataOf,
  type DomainEvent,
  defineEvent,
  inEveryCatalog,
  inSnakeCase,
  resourceNames,
} from './define-event.ts';
export { EventFeed } from './event-feed.ts';
export { type EventRetention, eventRecords, recordEvent, type StoredEvent, sweepEvents } from './event-record.ts';
export { EventTypes } from './event-types.ts';

/** What this room keeps. */
export const eventsRecords = [eventRecords];
