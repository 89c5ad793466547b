import { type RandomSource, systemRandom } from '../../../platform/index.ts';

/** Letters that are not mistaken for others and spell no words (RFC 8628, 6.1): eight of them are 34 bits. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
/** The last whole multiple of the alphabet in a byte: a larger byte is drawn again. */
const EVEN_MAX = 240;
const HALF = LENGTH / 2;

/** As it is compared: without the dash. */
export function newUserCode(random: RandomSource = systemRandom): string {
  let text = '';
  while (text.length < LENGTH) {
    for (const byte of random(LENGTH)) {
      if (byte < EVEN_MAX && text.length < LENGTH) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** As it is shown: `BCDF-GHJK`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
}

/** What somebody typed, whatever the case, dashes and blanks; `undefined` where it is no code. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '');
  return code.length === LENGTH && [...code].every((letter) => alphabet.includes(letter)) ? code : undefined;
}
