import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/**
 * Only so many characters are looked at. The time that an estimate takes grows faster than the text, and a password
 * that is strong up to here is strong.
 */
const LENGTH_MAX = 32;
/** Of 0 to 4: below it, some ten thousand million guesses an attacker's machine needs no day for. */
const SCORE_MIN = 3;

let loading: Promise<ZxcvbnFactory> | undefined;

/** Whether a password is likely to be guessed, by common passwords, patterns and what is known of the user. */
export async function isGuessable(password: string, about: readonly string[]): Promise<boolean> {
  loading ??= load();
  const estimator = await loading;
  return estimator.check(password, [...about]).score < SCORE_MIN;
}

/** Dictionaries of some megabytes, read when an organization first asks for the estimate. */
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
