const secevent = 'https://schemas.openid.net/secevent';
const caep = `${secevent}/caep/event-type`;
const risc = `${secevent}/risc/event-type`;
const ssf = `${secevent}/ssf/event-type`;

/** The types of events of streams: CAEP 1.0 and RISC 1.0. */
export const eventUris = {
  sessionRevoked: `${caep}/session-revoked`,
  credentialChange: `${caep}/credential-change`,
  accountDisabled: `${risc}/account-disabled`,
  accountEnabled: `${risc}/account-enabled`,
  accountPurged: `${risc}/account-purged`,
} as const;

export const eventsSupported: readonly string[] = Object.values(eventUris);

/** Of a stream itself (SSF 1.0, 8.1.4): it is sent whatever the receiver has asked for. */
export const verificationUri = `${ssf}/verification`;

/** The same of its status (SSF 1.0, 8.1.5), where nobody at the receiver has changed it. */
export const streamUpdatedUri = `${ssf}/stream-updated`;

/** What a stream delivers: of what was asked for, what there is. */
export function eventsDelivered(requested: readonly string[] | undefined): readonly string[] {
  return requested === undefined ? eventsSupported : eventsSupported.filter((uri) => requested.includes(uri));
}

/** What an event does here: all others are taken, counted, and do nothing. */
export type EventEffect = 'ends' | 'verifies' | 'none';

const named = (base: string, effect: EventEffect, ...names: readonly string[]): [string, EventEffect][] =>
  names.map((name) => [`${base}/${name}`, effect]);

/** Types of events that are taken: CAEP 1.0, RISC 1.0, and those of streams (SSF 1.0, 8.1). */
const effects: ReadonlyMap<string, EventEffect> = new Map([
  [verificationUri, 'verifies'],
  [streamUpdatedUri, 'none'],
  ...named(caep, 'ends', 'session-revoked', 'credential-change'),
  ...named(
    caep,
    'none',
    'assurance-level-change',
    'device-compliance-change',
    'risk-level-change',
    'session-established',
    'session-presented',
    'token-claims-change',
  ),
  ...named(
    risc,
    'none',
    'account-credential-change-required',
    'account-disabled',
    'account-enabled',
    'account-purged',
    'credential-compromise',
    'identifier-changed',
    'identifier-recycled',
    'opt-in',
    'opt-out-cancelled',
    'opt-out-effective',
    'opt-out-initiated',
    'recovery-activated',
    'recovery-information-changed',
    'sessions-revoked',
  ),
]);

/** Undefined where nobody knows such a type. */
export function effectOf(uri: string): EventEffect | undefined {
  return effects.get(uri);
}
