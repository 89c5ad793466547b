import type { DeliveryRecord } from '../records/delivery-record.ts';
import type { Made } from './send-attempt.ts';

/** Before each attempt of a round: an hour in all. */
export const gapsMs = [0, 60_000, 300_000, 900_000, 2_340_000] as const;
/** A gap is longer or shorter by up to this part, so that what failed together is not tried together. */
const JITTER = 0.1;
/** Of one delivery, on record. */
const ATTEMPTS_KEPT = 20;
/** Receivers that ask for more time. */
const slowing: ReadonlySet<number | undefined> = new Set([429, 502, 504]);
const PAUSE_MS = 10_000;
/** However much time a receiver asks for. */
const PAUSE_MAX_MS = 900_000;

/** What an attempt means for its delivery and its subscription. */
export interface AfterAttempt {
  readonly delivery: DeliveryRecord;
  /** No attempt to the subscription is made before. */
  readonly pausedUntil?: number;
  /** The receiver wants nothing more, ever. */
  readonly isGone: boolean;
}

/** @param random from 0 to 1 */
export function afterAttempt(
  before: DeliveryRecord,
  { attempt, retryAfterMs, isRefused }: Made & { readonly isRefused: boolean },
  now: number,
  random: number,
): AfterAttempt {
  const { dueAt: _, ...kept } = before;
  const { round } = before;
  const attempts = [...before.attempts, round === 1 ? attempt : { ...attempt, round }].slice(-ATTEMPTS_KEPT);
  const made = { ...kept, attempts, attempted: before.attempted + 1 };
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) {
    return { delivery: { ...made, status: 'delivered' }, isGone: false };
  }
  if (status === 410) return { delivery: { ...made, status: 'failed' }, isGone: true };
  if (isRefused) return { delivery: { ...made, status: 'failed' }, isGone: false };
  const pause = pauseOf(status, retryAfterMs);
  const pausedUntil = pause === undefined ? {} : { pausedUntil: now + pause };
  const gap = gapsMs[attempts.filter((each) => (each.round ?? 1) === round).length];
  if (gap === undefined) return { delivery: { ...made, status: 'failed' }, ...pausedUntil, isGone: false };
  const wait = Math.max(pause ?? 0, Math.round(gap * (1 + JITTER * (2 * random - 1))));
  return { delivery: { ...made, status: 'pending', dueAt: now + wait }, ...pausedUntil, isGone: false };
}

function pauseOf(status: number | undefined, retryAfterMs: number | undefined): number | undefined {
  const asked = status !== undefined && (status === 503 || slowing.has(status)) ? retryAfterMs : undefined;
  if (asked === undefined && !slowing.has(status)) return undefined;
  return Math.min(asked ?? PAUSE_MS, PAUSE_MAX_MS);
}
