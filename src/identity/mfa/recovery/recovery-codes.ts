import type { FactorRecord } from '../../../directory/users/index.ts';
import { digestOf, type RandomSource, systemRandom } from '../../../platform/index.ts';

const CODES = 10;
/** Of 32 letters and digits: 60 bits a code. */
const LENGTH = 12;
/** Crockford's: what is easily mistaken for something else is not in it. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface RecoveryCodes {
  /** As they are shown, this once. */
  readonly codes: readonly string[];
  readonly record: NonNullable<FactorRecord['recovery']>;
}

export function newRecoveryCodes(userId: string, now: number, random: RandomSource = systemRandom): RecoveryCodes {
  const plain = Array.from({ length: CODES }, () => newCode(random));
  return {
    codes: plain.map((code) => code.replace(/(.{4})(?=.)/g, '$1-')),
    record: { digests: plain.map((code) => recoveryDigest(userId, code)), madeAt: now },
  };
}

function newCode(random: RandomSource): string {
  return Array.from(random(LENGTH), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** The same code of another user has another digest, so that one search does not serve for all. */
export function recoveryDigest(userId: string, code: string): string {
  return digestOf(`${userId}\n${code}`);
}

/** What somebody typed, as it was meant; `undefined` where it is no recovery code. */
export function readRecoveryCode(typed: string): string | undefined {
  if (typed.length > 100) return undefined;
  const code = typed
    .toUpperCase()
    .replace(/[\s-]+/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((char) => alphabet.includes(char)) ? code : undefined;
}
