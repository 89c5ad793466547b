import type { Store } from '#engine';
import { getUser, type UserEntry } from '../../../directory/records/index.ts';
import { aboutUser } from '../../../directory/users/index.ts';
import type { Part } from '../../../kernel/transactions/index.ts';
import { mfaChallenged, mfaVerified } from './mfa-events.ts';

/** What a commit puts on record and tells. */
type Telling = Required<Pick<Part, 'entries' | 'events'>>;

/** For the commit that leads a sign-in to the question for a factor. */
export function challenge({ id: userId, document: { email } }: UserEntry, factors: readonly string[]): Telling {
  const types = [...new Set(factors)];
  return {
    entries: [aboutUser(userId, 'auth.mfa.challenge', 'mfa.challenge', { metadata: { types } })],
    events: [mfaChallenged.of({ userId, email, types, reason: 'asked' })],
  };
}

/** A code was sent: to be typed at a sign-in, or to register where it was sent, which is no question for a factor. */
export function codeSent(store: Store, userId: string, type: string, purpose: 'prove' | 'enrol'): Telling {
  const email = emailOf(store, userId);
  return {
    entries: [aboutUser(userId, 'auth.mfa.challenge', 'mfa.send_code', { metadata: { type, purpose } })],
    events: purpose === 'enrol' ? [] : [mfaChallenged.of({ userId, email, types: [type], reason: 'code_sent' })],
  };
}

export function verified(
  store: Store,
  userId: string,
  { type, factorId }: { type: string; factorId: string },
): Telling {
  return {
    entries: [aboutUser(userId, 'auth.mfa.success', 'mfa.verify', { metadata: { type, factorId } })],
    events: [mfaVerified.of({ userId, email: emailOf(store, userId), type, factorId })],
  };
}

/** @param left how many codes there are still */
export function recovered(store: Store, userId: string, left: number): Telling {
  const type = 'recovery_code';
  const details = { severity: 'warning', metadata: { type, left } } as const;
  return {
    entries: [aboutUser(userId, 'auth.mfa.success', 'mfa.verify', details)],
    events: [mfaVerified.of({ userId, email: emailOf(store, userId), type, factorId: null })],
  };
}

/** Null where the user is gone. */
export function emailOf(store: Store, userId: string): string | null {
  return getUser(store, userId)?.document.email ?? null;
}
