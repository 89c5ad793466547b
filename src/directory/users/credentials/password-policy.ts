import { refusedBecause } from '../../../kernel/transactions/index.ts';
import { type Said, said } from '../../../texts/index.ts';
import type { Settings } from '../../settings/index.ts';
import { guessableBy } from './guessable.ts';

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
  const isStrict = policy.template === 'strong';
  if (faults.length === 0 && (isStrict || !policy.allowGuessable)) {
    const reason = await guessableBy(password, textsOf(user), isStrict);
    if (reason !== undefined) faults.push(said(reason));
  }
  if (faults.length > 0) throw refusedBecause(faults, 'password');
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
