import { countsNow, getUser, userRecords } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import {
  aboutUser,
  changeUser,
  type Factor,
  type FactorRecord,
  factorRecords,
  userMfaEnabled,
} from '../../../directory/users/index.ts';
import { inEnglish } from '../../../http/index.ts';
import { type OrganizationTransaction, refused } from '../../../kernel/transactions/index.ts';
import { type PlainKey, said, type Texts } from '../../../texts/index.ts';
import type { Enrolled, Refusal, Whose } from '../dependencies.ts';
import { newRecoveryCodes } from '../recovery/recovery-codes.ts';

export const FACTORS_MAX = 20;
const NAME_MAX = 100;

/** What a factor is called where its user does not say. */
const usualNames: Readonly<Record<Factor['type'], PlainKey>> = {
  totp: 'secondFactor.usualApp',
  webauthn: 'secondFactor.usualKey',
  sms: 'secondFactor.usualPhone',
  email: 'secondFactor.usualEmail',
};

/** One line, bounded; the usual name where nothing is left. */
export function nameOf(type: Factor['type'], given: string | undefined): string {
  const line = (given ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return [...line].slice(0, NAME_MAX).join('') || inEnglish(said(usualNames[type]));
}

/** The name of a factor on pages: the usual one in the reader's language. */
export function shownName(t: Texts, { type, name }: Pick<Factor, 'type' | 'name'>): string {
  const usual = usualNames[type];
  return name === inEnglish(said(usual)) ? t(usual) : name;
}

/**
 * Registers a factor that was proven just now. With the first one the user's record says so, in the same commit, and
 * there are recovery codes.
 */
export function addFactor(
  transaction: OrganizationTransaction,
  { userId, rests = [] }: Whose,
  factor: Factor,
  amr: readonly string[],
): Enrolled | Refusal {
  const { store, now } = transaction;
  const user = transaction.rely(userRecords, getUser(store, userId));
  if (user === undefined || !countsNow(user.document)) return { ok: false, reason: 'expired' };
  const { mfa, signIn } = readSettings(store);
  if (!mfa.methods.includes(factor.type) && !(factor.type === 'webauthn' && signIn.allowPasskeys)) {
    throw refused(said('refusals.methodClosed'));
  }
  const before: FactorRecord = transaction.get(factorRecords, userId)?.document ?? { factors: [] };
  if (before.factors.length >= FACTORS_MAX) throw refused(said('refusals.factorsMax', { count: FACTORS_MAX }));
  const recovery = before.recovery === undefined ? newRecoveryCodes(userId, now) : undefined;
  const document: FactorRecord = {
    ...before,
    factors: [...before.factors, factor],
    ...(recovery === undefined ? {} : { recovery: recovery.record }),
  };
  const { id, type, name } = factor;
  const flagged = changeUser(
    transaction,
    user,
    { ...user.document, mfaEnabled: true },
    {
      entries: [],
      events: [{ of: (about) => userMfaEnabled.of({ ...about, factor: { id, type } }) }],
    },
  );
  transaction.put(factorRecords, userId, document);
  transaction.expect(rests);
  const isFirst = flagged !== user.document;
  transaction.audit(
    aboutUser(userId, isFirst ? 'user.mfa_enabled' : 'user.updated', 'user.add_factor', {
      metadata: { type, factorId: id },
      personal: { name },
    }),
  );
  return { ok: true, factorId: id, amr, recoveryCodes: recovery?.codes };
}
