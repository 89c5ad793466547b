import { z } from 'zod';
import type { Change, Store } from '#engine';
import { readSettings } from '../../directory/settings/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import { addressKey, digestOf } from '../../platform/index.ts';

/**
 * Attempts to sign in that did not succeed, in one window. A record's id is a digest of the account and the address
 * (`failureId`). Times are milliseconds since the epoch.
 */
export const failureRecords = defineRecord({
  collection: 'login_failures',
  holds: 'attempts to sign in that failed, of one account and address',
  schema: z.strictObject({
    failures: z.int(),
    firstAt: z.number(),
    lastAt: z.number(),
    /** Whether the lockout is on record. */
    isTold: z.boolean(),
    /** When it no longer matters, by the rule of its last change. Those of earlier versions have it in the index alone. */
    until: z.number().exactOptional(),
  }),
  expires: { index: 'until', at: ({ until = 0 }) => until },
});

export type FailureRecord = DocumentOf<typeof failureRecords>;
/** Who tries to sign in as whom, as they say it: whether there is such an account is not asked. */
export interface Attempt {
  /** Email address or user name, in any spelling. */
  readonly account: string;
  /** `''` where unknown, or where all addresses count as one. */
  readonly address: string;
  /** How many times the usual number of failures it takes; 1 where omitted. */
  readonly times?: number;
}

/** As the organization's settings have it, in milliseconds. */
export interface LockoutRule {
  readonly maxAttempts: number;
  readonly durationMs: number;
  readonly windowMs: number;
}

export function readLockoutRule(store: Store, { times = 1 }: Pick<Attempt, 'times'> = {}): LockoutRule {
  const { maxAttempts, duration, window } = readSettings(store).lockout;
  return { maxAttempts: maxAttempts * times, durationMs: duration * 1000, windowMs: window * 1000 };
}

/** The accounts that people try are nobody's to read, whether or not they exist. */
export function failureId({ account, address }: Attempt): string {
  return digestOf(`${account.normalize('NFC').trim().toLowerCase()}\n${addressKey(address)}`);
}

export function putFailures(store: Store, id: string, failures: FailureRecord, rule: LockoutRule): Change {
  const { firstAt, lastAt } = failures;
  const until = Math.max(firstAt + rule.windowMs, lastAt + rule.durationMs);
  return failureRecords.put(store, id, { ...failures, until });
}

/** Until when nothing is tried any more; `undefined` where the next attempt may be made. */
export function lockedUntil(failures: FailureRecord | undefined, rule: LockoutRule, now: number): number | undefined {
  if (failures === undefined || failures.failures < rule.maxAttempts) return undefined;
  const until = failures.lastAt + rule.durationMs;
  return now < until ? until : undefined;
}

/** One more. What is past its window, or its lockout, does not count any longer. */
export function oneMore(failures: FailureRecord | undefined, rule: LockoutRule, now: number): FailureRecord {
  const isOver =
    failures === undefined || now >= failures.firstAt + rule.windowMs || failures.failures >= rule.maxAttempts;
  if (isOver) return { failures: 1, firstAt: now, lastAt: now, isTold: false };
  return { ...failures, failures: failures.failures + 1, lastAt: now };
}
