import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { refusedBecause } from '../../../kernel/transactions/index.ts';
import { type PlainKey, type Said, said } from '../../../texts/index.ts';
import type { Settings } from '../../settings/index.ts';

/**
 * Only so many characters are looked at. The time that an estimate takes grows faster than the text, and a password
 * that is strong up to here is strong.
 */
const LENGTH_MAX = 32;
/** Of 0 to 4: below it, a million guesses are enough, as somebody has who tries many accounts. */
const SCORE_MIN = 2;
/** Below it, some ten thousand million guesses an attacker's machine needs no day for. */
const STRONG_SCORE_MIN = 3;

/** What makes a password easy to guess, by the names of the estimator. */
const reasons: Readonly<Record<string, PlainKey>> = {
  topTen: 'passwords.guessableCommon',
  topHundred: 'passwords.guessableCommon',
  common: 'passwords.guessableCommon',
  similarToCommon: 'passwords.guessableSimilar',
  simpleRepeat: 'passwords.guessableRepeat',
  extendedRepeat: 'passwords.guessableRepeat',
  straightRow: 'passwords.guessableRow',
  keyPattern: 'passwords.guessableRow',
  sequences: 'passwords.guessableRow',
  dates: 'passwords.guessableDate',
  recentYears: 'passwords.guessableDate',
  userInputs: 'passwords.guessableAbout',
};

let loading: Promise<ZxcvbnFactory> | undefined;

export interface Estimate {
  /** From 0, for what is guessed at once, to 4. */
  readonly score: number;
  /** Why it is likely to be guessed; `undefined` where it is not. */
  readonly reason?: PlainKey;
}

/** How soon a password is guessed, by common passwords, patterns and what is known of the user. */
export async function estimateOf(password: string, about: readonly string[], isStrict: boolean): Promise<Estimate> {
  loading ??= load();
  const estimator = await loading;
  const { score, feedback } = estimator.check(password, [...about]);
  if (score >= (isStrict ? STRONG_SCORE_MIN : SCORE_MIN)) return { score };
  return { score, reason: reasons[feedback.warning ?? ''] ?? 'passwords.guessable' };
}

/** Dictionaries of some megabytes, read when the first password is set. */
async function load(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, common] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({
    dictionary: { ...common.dictionary },
    graphs: common.adjacencyGraphs,
    maxLength: LENGTH_MAX,
  });
}

type Policy = Settings['passwordPolicy'];

/** What somebody who attacks the user would try first. */
export interface PersonalTexts {
  readonly email: string;
  readonly username?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly givenName?: string | null | undefined;
  readonly familyName?: string | null | undefined;
}

/** @throws ProblemError 422 with everything that the organization's policy has against the password */
export async function requireGoodPassword(password: string, policy: Policy, user: PersonalTexts): Promise<void> {
  // where it would be taken whatever it is, nobody waits for an estimate
  const { faults } = isEstimated(policy)
    ? await passwordStrength(password, policy, user)
    : { faults: passwordFaults(password, policy) };
  if (faults.length > 0) throw refusedBecause(faults, 'password');
}

export interface Strength {
  /** What the organization's policy has against it. */
  readonly faults: readonly Said[];
  /** From 0, for what is guessed at once, to 4; 0 where it is refused. */
  readonly score: number;
}

/** What a password is worth, before it is sent. Only whether it was used before is told when it is. */
export async function passwordStrength(password: string, policy: Policy, user: PersonalTexts): Promise<Strength> {
  const faults = passwordFaults(password, policy);
  if (faults.length > 0) return { faults, score: 0 };
  const { score, reason } = await estimateOf(password, textsOf(user), policy.template === 'strong');
  return reason !== undefined && isEstimated(policy) ? { faults: [said(reason)], score: 0 } : { faults: [], score };
}

function isEstimated({ template, allowGuessable }: Policy): boolean {
  return template === 'strong' || !allowGuessable;
}

function passwordFaults(password: string, policy: Policy): Said[] {
  const faults: Said[] = [];
  if ([...password].length < policy.minLength) faults.push(said('passwords.tooShort', { count: policy.minLength }));
  if (policy.requireUppercase && !/\p{Lu}/u.test(password)) faults.push(said('passwords.needsUpper'));
  if (policy.requireNumbers && !/\p{Nd}/u.test(password)) faults.push(said('passwords.needsDigit'));
  if (policy.requireSymbols && !/[^\p{L}\p{N}\s]/u.test(password)) faults.push(said('passwords.needsSymbol'));
  return faults;
}

function textsOf({ email, username, name, givenName, familyName }: PersonalTexts): string[] {
  const texts = [email, ...email.split('@'), username, name, givenName, familyName];
  return texts.filter((text) => typeof text === 'string');
}
