import type { Module } from '../../kernel/modules/index.ts';
import { type EventLogServices, eventEndpoints } from './event-endpoints.ts';

export { EventCursors } from './event-cursors.ts';
export { EventLog } from './event-log.ts';

/** An organization's events for its administrators: as pages, and live. */
export const eventLogModule: Module<EventLogServices> = { name: 'event_log', endpoints: eventEndpoints };
