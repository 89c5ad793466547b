import { eventRecords } from './event-record.ts';

export { type Catalog, catalogNames } from './catalogs.ts';
export { type AnyEventType, type DataOf, type DomainEvent, defineEvent } from './define-event.ts';
export { eventRecords, recordEvent, type StoredEvent } from './event-record.ts';
export { EventTypes } from './event-types.ts';

/** What this room keeps. */
export const eventsRecords = [eventRecords];
