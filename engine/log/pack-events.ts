import { documentText } from '../store/records/stored-record.ts';
import type { CommandEvent } from './command.ts';

/**
 * Events as they travel and are stored: `{"store":"s","bodies":[...]}` if all are of one store, which is the usual
 * case, otherwise a list of `CommandEvent`. Throws `invalid_argument` if one is not JSON.
 */
export function packEvents(events: readonly CommandEvent[]): string | undefined {
  const [first] = events;
  if (first === undefined) return undefined;
  const isOfOne = events.every(({ store }) => store === first.store);
  return documentText(isOfOne ? { store: first.store, bodies: events.map(({ body }) => body) } : events);
}

/** Are these packed events of this store alone? Seen without decoding them. */
export function areEventsOf(text: string, store: string): boolean {
  return text.startsWith(`{"store":${JSON.stringify(store)},"bodies":`);
}

export function eventsIn(text: string): readonly CommandEvent[] {
  const events: readonly CommandEvent[] | { store: string; bodies: unknown[] } = JSON.parse(text);
  return 'bodies' in events ? events.bodies.map((body) => ({ store: events.store, body })) : events;
}
