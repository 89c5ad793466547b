import type { Area } from '../../catalogue.ts';

/** Passwords: fields, what a new one must have, and why one is refused. */
export const passwords = {
  password: 'Password',
  new: 'New password',
  choose: 'Choose a password.',
  hintLength: { one: 'At least {count} character.', other: 'At least {count} characters.' },
  hintKinds: {
    one: 'At least {count} character, with {kinds}.',
    other: 'At least {count} characters, with {kinds}.',
  },
  kindUpper: 'an uppercase letter',
  kindDigit: 'a number',
  kindSymbol: 'a symbol',
  weak: 'Weak: easy to guess',
  fair: 'Fair: longer is safer',
  good: 'Good password',
  strong: 'Strong password',
  tooShort: {
    one: 'The password must have at least {count} character.',
    other: 'The password must have at least {count} characters.',
  },
  needsUpper: 'The password must contain an uppercase letter.',
  needsDigit: 'The password must contain a number.',
  needsSymbol: 'The password must contain a symbol.',
  guessable: 'This password is too easy to guess. Make it longer, or use a few unrelated words.',
  guessableCommon: 'This is one of the most common passwords. Choose another one.',
  guessableSimilar: 'This is too similar to a common password. Choose another one.',
  guessableRepeat: 'Repeated characters are easy to guess. Choose another password.',
  guessableRow: 'Sequences and rows of keys are easy to guess. Choose another password.',
  guessableDate: 'Dates and years are easy to guess. Choose another password.',
  guessableAbout: 'Your name or email address is easy to guess. Choose another password.',
  reusedLast: 'This is your last password. Choose a different one.',
  reused: {
    one: 'You used this password before. Choose one that is different from the last {count}.',
    other: 'You used this password before. Choose one that is different from the last {count}.',
  },
  racing: 'The password is being changed somewhere else. Try again.',
} as const satisfies Area;
