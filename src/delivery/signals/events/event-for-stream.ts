import { getUser } from '../../../directory/records/index.ts';
import type { StoredEvent } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { StreamEntry } from '../records/stream-record.ts';
import { streamVerification } from '../records/stream-verification.ts';
import { subjectOf } from '../records/subject-record.ts';
import { eventsDelivered, verificationUri } from './event-uris.ts';
import type { SecurityEvent } from './security-event.ts';
import { type WordedEvent, wordedEvent } from './worded-events.ts';

/** What an event of the organization is to a stream; undefined where it is not for it. To be called inside `Engine.read`. */
export function eventForStream(
  organization: Organization,
  stream: StreamEntry,
  { id: eventId, type, createdAt: at, data }: StoredEvent,
): SecurityEvent | undefined {
  if (type === streamVerification.type) {
    if (data.streamId !== stream.id) return undefined;
    const details = typeof data.state === 'string' ? { state: data.state } : {};
    return { eventId, at, uri: verificationUri, details, subject: { kind: 'stream' } };
  }
  const worded = wordedEvent(type, data);
  if (worded === undefined || !eventsDelivered(stream.document.eventsRequested).includes(worded.uri)) return undefined;
  const subject = subjectFor(organization, stream.id, worded);
  const details = { event_timestamp: Math.floor(at / 1000), ...worded.details };
  return subject && { eventId, at, uri: worded.uri, details, subject };
}

function subjectFor(
  { store }: Organization,
  streamId: string,
  { userId, sessionId, email: told }: WordedEvent,
): SecurityEvent['subject'] | undefined {
  if (userId === undefined) return { kind: 'organization' };
  const known = subjectOf(store, streamId, userId);
  if (known?.isRemoved === true) return undefined;
  const email = known?.format === 'email' ? (told ?? getUser(store, userId)?.document.email) : undefined;
  return {
    kind: 'user',
    userId,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(email === undefined ? {} : { email }),
  };
}
