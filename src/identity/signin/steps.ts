import type { Store } from '#engine';
import type { UserEntry, UserRecord } from '../../directory/records/index.ts';
import type { Settings } from '../../directory/settings/index.ts';
import { isDecidedBy, passwordState } from '../../directory/users/index.ts';
import type { AuditEvent } from '../../kernel/audit/index.ts';
import type { DomainEvent } from '../../kernel/events/index.ts';
import { challenge, demandOf, listFactors } from '../mfa/index.ts';
import type { FlowEntry, Proven } from './flow-record.ts';

/** What a step is judged by, in one snapshot. */
interface StepState {
  readonly store: Store;
  readonly settings: Settings;
  readonly user: UserEntry;
  readonly flow: FlowEntry;
  readonly proven: Proven;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The page that a step asks on. */
export interface Due {
  /** Below `{issuer}`; `?flow=` is added. */
  readonly path: `/signin/${string}`;
  /** Put on record when the browser is sent there. */
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
}

/** Something between the first proof and the session. `undefined` where nothing is left to be done. */
type Step = (state: StepState) => Due | undefined;

/** What the user may put off: a second factor while the period of grace lasts, and what is missing in the profile. */
export type Skippable = 'factor' | 'profile';

/** Asks whoever has a second factor for it, and whoever must have one to register it. */
const factorStep: Step = ({ store, user, flow, proven, now }) => {
  const demand = demandOf(store, user, now, proven.mfa);
  if (demand === 'challenge') {
    const types = listFactors(store, user.id).map(({ type }) => type);
    return { path: '/signin/second-factor', ...challenge(user, types) };
  }
  const isOffered = demand === 'offer' && !proven.skipped.includes('factor');
  return isFactorDemanded(flow, proven) || isOffered || demand === 'enrol'
    ? { path: '/signin/second-factor/enrol' }
    : undefined;
};

/** Whether a factor is still demanded by what the sign-in is for. */
export function isFactorDemanded({ document }: FlowEntry, proven: Proven): boolean {
  return document.mfa === true && !proven.mfa;
}

const DAY_MS = 86_400_000;

/**
 * Asks for a new password: where an administrator has demanded it, where there is none yet, and where it is too old.
 * Whoever came through a provider, or by a link where passwords are not allowed, is not asked.
 */
const passwordStep: Step = ({ store, settings, user, proven, now }) => {
  if (proven.method !== 'password' || !settings.signIn.allowPassword || settings.signIn.magicLinksOnly)
    return undefined;
  const { hasPassword, mustChange, changedAt } = passwordState(store, user.id);
  const { maxAgeDays } = settings.passwordPolicy;
  const isTooOld =
    hasPassword && proven.amr.includes('pwd') && maxAgeDays > 0 && now >= (changedAt ?? 0) + maxAgeDays * DAY_MS;
  return mustChange || isTooOld ? { path: '/signin/new-password' } : undefined;
};

/** What a profile should have, in the order in which it is asked for. */
const asked = ['givenName', 'familyName'] as const;

export type AskedField = (typeof asked)[number];

/**
 * What is missing in a profile and may be filled in by the user: never an attribute that a policy decides by. To be
 * called inside `Engine.read`.
 */
export function missingFields(store: Store, user: UserRecord): AskedField[] {
  const missing = asked.filter((name) => (user[name] ?? '') === '');
  return missing.filter((name) => !isDecidedBy(store, new Set([name])));
}

const profileStep: Step = ({ store, settings, user, proven }) => {
  if (!settings.signIn.progressiveProfiling || proven.skipped.includes('profile')) return undefined;
  return missingFields(store, user.document).length > 0 ? { path: '/signin/profile' } : undefined;
};

/** What comes between the first proof and the session, in this order. */
const steps: readonly Step[] = [factorStep, passwordStep, profileStep];

/** The first step that still asks for something. */
export function firstDue(state: StepState): Due | undefined {
  for (const step of steps) {
    const due = step(state);
    if (due !== undefined) return due;
  }
  return undefined;
}
