import { getUser } from '../../../directory/records/index.ts';
import type { StoredEvent } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type StreamEntry, type StreamRecord, streamVerification } from '../records/stream-record.ts';
import { subjectOf } from '../records/subject-record.ts';
import { eventsDelivered, eventUris, streamUpdatedUri, verificationUri } from './event-uris.ts';
import type { SecurityEvent } from './security-event.ts';

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

/** What its receiver is told where somebody else has changed the status of a stream (SSF 1.0, 8.1.5). */
export function streamUpdated(
  eventId: string,
  at: number,
  { status, reason }: Pick<StreamRecord, 'status' | 'reason'>,
): SecurityEvent {
  const details = { status, ...(reason === undefined ? {} : { reason }) };
  return { eventId, at, uri: streamUpdatedUri, details, subject: { kind: 'stream' } };
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

/** What one of the organization's events says as a security event. */
export interface WordedEvent {
  readonly uri: string;
  /** Undefined is everybody. */
  readonly userId: string | undefined;
  readonly sessionId?: string;
  /** As the event has it. */
  readonly email?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

type Data = Readonly<Record<string, unknown>>;
type Wording = (data: Data) => WordedEvent;

/** Types of factors in the words of CAEP 1.0, 3.3. */
const credentialTypes: Readonly<Record<string, string>> = {
  totp: 'app',
  webauthn: 'fido2-roaming',
  passkey: 'fido2-platform',
  sms: 'phone-sms',
};

/** By whom, and why for administrators of the receiver: the CAEP Interoperability Profile 1.0 wants a reason (3.1, 3.2). */
function by(initiator: 'admin' | 'user' | 'system', reason: string): Data {
  return { initiating_entity: initiator, reason_admin: { en: reason } };
}

/** By the reasons of `user.logout`. */
const sessionEnds: Readonly<Record<string, Data>> = {
  revoked: by('admin', 'An administrator has ended it.'),
  signed_out: by('user', 'The user has signed out.'),
  signal: by('system', 'A security event of another issuer has ended it.'),
};
const byAdministrator = by('admin', 'An administrator has changed it.');
const byUser = by('user', 'The user has changed it.');

function about({ userId, email }: Data, uri: string, details: Data = {}): WordedEvent {
  return {
    uri,
    userId: String(userId),
    ...(typeof email === 'string' ? { email } : {}),
    details,
  };
}

/** The events that become security events, by their type. All others are none. */
const wordings: Readonly<Record<string, Wording>> = {
  'user.logout': ({ userId, sessionId, scope, reason }) => ({
    uri: eventUris.sessionRevoked,
    userId: typeof userId === 'string' ? userId : undefined,
    ...(scope === 'session' && typeof sessionId === 'string' ? { sessionId } : {}),
    details: sessionEnds[String(reason)] ?? {},
  }),
  'user.password_changed': (data) =>
    about(data, eventUris.credentialChange, {
      credential_type: 'password',
      change_type: 'update',
      ...(data.reason === 'set' ? byAdministrator : byUser),
    }),
  'user.mfa_enabled': (data) => {
    const { type = '' } = (data.factor ?? {}) as { readonly type?: string };
    return about(data, eventUris.credentialChange, {
      credential_type: credentialTypes[type] ?? 'mfa',
      change_type: 'create',
      ...byUser,
    });
  },
  'user.mfa_disabled': (data) =>
    about(data, eventUris.credentialChange, {
      credential_type: 'mfa',
      change_type: 'revoke',
      ...(data.reason === 'reset' ? byAdministrator : byUser),
    }),
  'user.blocked': (data) => about(data, eventUris.accountDisabled),
  'user.deactivated': (data) => about(data, eventUris.accountDisabled),
  'user.unblocked': (data) => about(data, eventUris.accountEnabled),
  'user.deleted': (data) => about(data, eventUris.accountPurged),
};

export function wordedEvent(type: string, data: Data): WordedEvent | undefined {
  return Object.hasOwn(wordings, type) ? wordings[type]?.(data) : undefined;
}
