import type { Store } from '#engine';
import type { UserEntry } from '../../../directory/records/index.ts';
import { mfaRequiredSince, readSettings } from '../../../directory/settings/index.ts';
import { factorRecords } from '../../../directory/users/index.ts';
import { allowedFactors } from './methods.ts';

/**
 * What a sign-in still asks of a user: `challenge`: one of their factors; `enrol`: to register one; `offer`: the same,
 * which may be put off.
 */
export type Demand = 'challenge' | 'enrol' | 'offer' | 'none';

const DAY_MS = 86_400_000;

/**
 * Whoever has a factor is always asked for it, whether or not the organization requires one.
 * @param isProven whether more than one factor was proven in this sign-in already
 */
export function demandOf(store: Store, user: UserEntry, now: number, isProven: boolean): Demand {
  const factors = factorRecords.get(store, user.id)?.document.factors ?? [];
  if (!isProven && factors.length > 0) return 'challenge';
  const { required, gracePeriodDays } = readSettings(store).mfa;
  if (!required || allowedFactors(store, factors).length > 0) return 'none';
  return now < graceStart(store, user) + gracePeriodDays * DAY_MS ? 'offer' : 'enrol';
}

/** Until when enrolment may be put off; `undefined` where nobody requires it. */
export function graceEnd(store: Store, user: UserEntry): number | undefined {
  const { required, gracePeriodDays } = readSettings(store).mfa;
  return required ? graceStart(store, user) + gracePeriodDays * DAY_MS : undefined;
}

/** Everybody has the whole period: from when the rule began, or from when they came after it. */
function graceStart(store: Store, { document }: UserEntry): number {
  return Math.max(document.createdAt, mfaRequiredSince(store) ?? 0);
}
