import { streamUpdatedUri, verificationUri } from '../events/event-uris.ts';

const base = 'https://schemas.openid.net/secevent';

/** What an event does here: all others are taken, counted, and do nothing. */
export type EventEffect = 'ends' | 'verifies' | 'none';

const named = (family: string, effect: EventEffect, ...names: readonly string[]): [string, EventEffect][] =>
  names.map((name) => [`${base}/${family}/event-type/${name}`, effect]);

/** Types of events that are taken: CAEP 1.0, RISC 1.0, and those of streams (SSF 1.0, 8.1). */
const effects: ReadonlyMap<string, EventEffect> = new Map([
  [verificationUri, 'verifies'],
  [streamUpdatedUri, 'none'],
  ...named('caep', 'ends', 'session-revoked', 'credential-change'),
  ...named(
    'caep',
    'none',
    'assurance-level-change',
    'device-compliance-change',
    'risk-level-change',
    'session-established',
    'session-presented',
    'token-claims-change',
  ),
  ...named(
    'risc',
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
