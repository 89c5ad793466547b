import { eventUris } from './event-uris.ts';

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

/** Who ends sessions, by the reasons of `user.logout` (CAEP 1.0, 2). */
const initiators: Readonly<Record<string, string>> = { revoked: 'admin', signed_out: 'user', signal: 'system' };

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
    details: { initiating_entity: initiators[String(reason)] ?? 'user' },
  }),
  'user.password_changed': (data) =>
    about(data, eventUris.credentialChange, {
      credential_type: 'password',
      change_type: 'update',
      initiating_entity: data.reason === 'set' ? 'admin' : 'user',
    }),
  'user.mfa_enabled': (data) => {
    const { type = '' } = (data.factor ?? {}) as { readonly type?: string };
    return about(data, eventUris.credentialChange, {
      credential_type: credentialTypes[type] ?? 'mfa',
      change_type: 'create',
    });
  },
  'user.mfa_disabled': (data) =>
    about(data, eventUris.credentialChange, {
      credential_type: 'mfa',
      change_type: 'revoke',
      initiating_entity: data.reason === 'reset' ? 'admin' : 'user',
    }),
  'user.blocked': (data) => about(data, eventUris.accountDisabled),
  'user.deactivated': (data) => about(data, eventUris.accountDisabled),
  'user.unblocked': (data) => about(data, eventUris.accountEnabled),
  'user.deleted': (data) => about(data, eventUris.accountPurged),
};

export function wordedEvent(type: string, data: Data): WordedEvent | undefined {
  return Object.hasOwn(wordings, type) ? wordings[type]?.(data) : undefined;
}
