import { eventCursorRecords } from './event-cursor.ts';
import { eventRecords } from './event-record.ts';

export { type Catalog, catalogNames, catalogPayloads, catalogs, ownNames } from './catalogs.ts';
export { type AnyEventType, type DataOf, type DomainEvent, defineEvent, inSnakeCase } from './define-event.ts';
export { EventFeed } from './event-feed.ts';
export { eventRecords, recordEvent, type StoredEvent } from './event-record.ts';
export { EventTypes } from './event-types.ts';
export { resourceNames } from './resource-names.ts';
export { type EventRetention, sweepEvents } from './sweep-events.ts';

/** What this room keeps. */
export const eventsRecords = [eventRecords, eventCursorRecords];
