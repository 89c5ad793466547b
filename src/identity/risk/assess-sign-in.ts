import type { Store } from '#engine';
import type { UserEntry } from '../../directory/records/index.ts';
import type { DomainEvent } from '../../kernel/events/index.ts';
import type { Attacks } from '../limits/index.ts';
import { type Location, recentSessions, type SessionEntry } from '../sessions/index.ts';
import { highRisk, impossibleTravel, type RiskReason } from './risk-events.ts';
import { coordinatesOf, impossibleDistance } from './travel.ts';

export interface Risk {
  readonly reasons: readonly RiskReason[];
  /** For the commit that starts the session. */
  readonly events: readonly DomainEvent[];
}

/** A sign-in is of high risk for two reasons; one alone is too common. */
const HIGH_REASONS = 2;
/** So many attempts that failed before are more than a slip. */
const FAILURES_MIN = 5;
/** The last sessions of the user that this one is compared with. */
const COMPARED = 10;

/**
 * What is unusual about a sign-in that is about to begin. It stops nobody. Reasons are:
 *
 * - `new_country`: none of the user's last sessions began in this country, and one began in another.
 * - `new_device`: none of them had this kind of device, operating system and browser, whatever their versions.
 * - `after_failures`: at least 5 attempts at the account failed in the same quarter of an hour, from all addresses.
 * - `impossible_travel`: it is farther from where the last one began than anybody gets in the time between.
 *
 * Sessions are compared as long as they are kept. Who signs in for the first time is compared with nothing. To be called
 * inside `Engine.read`.
 */
export function assessSignIn(
  attacks: Pick<Attacks, 'failuresOf'>,
  store: Store,
  user: UserEntry,
  session: SessionEntry,
): Risk {
  const before = recentSessions(store, user.id, COMPARED).filter(({ id }) => id !== session.id);
  const travel = travelOf(session, before);
  const reasons: RiskReason[] = [];
  if (isNewCountry(session, before)) reasons.push('new_country');
  if (isNewDevice(session, before)) reasons.push('new_device');
  if (attacks.failuresOf(store, user.document.email) >= FAILURES_MIN) reasons.push('after_failures');
  if (travel !== undefined) reasons.push('impossible_travel');
  const { ipAddress: ip, userAgent } = session.document;
  const about = { userId: user.id, email: user.document.email, ip, userAgent, sessionId: session.id };
  return {
    reasons,
    events: [
      ...(travel === undefined ? [] : [impossibleTravel.of({ ...about, ...travel })]),
      ...(reasons.length < HIGH_REASONS ? [] : [highRisk.of({ ...about, reasons })]),
    ],
  };
}

function isNewCountry({ document: { location } }: SessionEntry, before: readonly SessionEntry[]): boolean {
  const country = location?.country ?? null;
  const known = before.flatMap(({ document }) => document.location?.country ?? []);
  return country !== null && known.length > 0 && !known.includes(country);
}

function isNewDevice(session: SessionEntry, before: readonly SessionEntry[]): boolean {
  const kind = deviceKind(session);
  return before.length > 0 && before.every((each) => deviceKind(each) !== kind);
}

/** Names without versions, which change by themselves: `Firefox 133.0` is `Firefox`. */
function deviceKind({ document: { device } }: SessionEntry): string {
  const named = [device.os, device.browser].map((each) => each?.replace(/ [^ ]*\d[^ ]*$/, '') ?? '');
  return [device.type ?? '', ...named].join('\n');
}

/** From the last session whose place is known. */
function travelOf(session: SessionEntry, before: readonly SessionEntry[]) {
  const to = coordinatesOf(session.document.location);
  const former = before.find(({ document }) => coordinatesOf(document.location) !== undefined);
  const from = former && coordinatesOf(former.document.location);
  if (to === undefined || from === undefined || former === undefined) return undefined;
  const elapsedMs = session.document.createdAt - former.document.createdAt;
  const distanceKm = impossibleDistance(from, to, elapsedMs);
  if (distanceKm === undefined) return undefined;
  return {
    place: shown(session.document.location),
    formerPlace: shown(former.document.location),
    formerSessionId: former.id,
    distanceKm,
    elapsedSeconds: Math.max(0, Math.round(elapsedMs / 1000)),
  };
}

function shown(location: Location | null) {
  return { city: location?.city ?? null, country: location?.country ?? null };
}
