import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { PlainKey } from '../../../texts/index.ts';

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
