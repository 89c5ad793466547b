import { refused } from '../../../kernel/transactions/index.ts';
import type { Settings } from '../../settings/index.ts';
import { isGuessable } from './guessable.ts';

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
  const faults = passwordFaults(password, policy);
  if (faults.length === 0 && policy.template === 'strong' && (await isGuessable(password, textsOf(user)))) {
    faults.push('is too easy to guess');
  }
  if (faults.length > 0) throw refused(`The password ${faults.join(', ')}.`, 'password');
}

function passwordFaults(password: string, policy: Policy): string[] {
  const faults: string[] = [];
  if ([...password].length < policy.minLength) faults.push(`must have at least ${policy.minLength} characters`);
  if (policy.requireUppercase && !/\p{Lu}/u.test(password)) faults.push('must contain an upper-case letter');
  if (policy.requireNumbers && !/\p{Nd}/u.test(password)) faults.push('must contain a digit');
  if (policy.requireSymbols && !/[^\p{L}\p{N}\s]/u.test(password)) faults.push('must contain a symbol');
  return faults;
}

function textsOf({ email, username, name, givenName, familyName }: PersonalTexts): string[] {
  const texts = [email, ...email.split('@'), username, name, givenName, familyName];
  return texts.filter((text) => typeof text === 'string');
}
