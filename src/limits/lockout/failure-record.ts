import type { RecordEntry, RecordWrite, Store } from '#engine';
import { digestOf, timeKey } from '../../platform/index.ts';
import { readSettings } from '../../settings/index.ts';
import { addressKey } from '../rates/address-key.ts';

/** Collection of an organization's store: attempts to sign in that did not succeed, by account and address. */
export const failureCollection = 'login_failures';

/** Attempts in one window. Times are milliseconds since the epoch. */
export interface FailureRecord {
  readonly failures: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether the lockout is on record. */
  readonly isTold: boolean;
}

export type FailureEntry = RecordEntry<FailureRecord>;

/** Who tries to sign in as whom, as they say it: whether there is such an account is not asked. */
export interface Attempt {
  /** E-mail address or user name, in any spelling. */
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

export function getFailures(store: Store, attempt: Attempt): FailureEntry | undefined {
  return store.records.get<FailureRecord>(failureCollection, failureId(attempt));
}

export function failureWrite(id: string, document: FailureRecord, rule: LockoutRule): RecordWrite {
  const { firstAt, lastAt } = document;
  const until = Math.max(firstAt + rule.windowMs, lastAt + rule.durationMs);
  return { collection: failureCollection, id, document, indexes: { until: timeKey(until) } };
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
