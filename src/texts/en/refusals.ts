import type { Area } from '../catalogue.ts';

/** Why the service does not do what a form asks for. */
export const refusals = {
  general: 'That isn’t possible right now.',
  administratorsOnly: 'Only an administrator can change this.',
  noMail: 'No email can be sent here.',
  mailJustSent: 'An email was sent just now. Try again in a minute.',
  unconfirmedAddress: 'An address that is not confirmed cannot be used here.',
  lastWayIn: 'It is the only way in which you can sign in. Set a password first, or add a passkey.',
  changedMeanwhile: 'What this sign-in rests on has changed meanwhile. Begin it again.',
  sessionEnded: 'The session has just ended. Sign in again.',
  otherDevice: 'Passkeys of this device itself are not allowed: use a security key or another device.',
  factorNeeded: 'A second factor is required: add another one first.',
  methodClosed: 'This method is not allowed.',
  factorsMax: { one: 'There is {count} factor already.', other: 'There are {count} factors already.' },
  notHeld: 'You do not hold {permission} yourself, so that you cannot lend it.',
  notDeciding: 'You do not decide this task.',
  noFactor: 'There is no factor yet.',
  delegationsMax: { one: 'A user can have {count} delegation.', other: 'A user can have {count} delegations.' },
  noAgent: 'There is no such active agent.',
  noPermission: 'There is no permission {permission}.',
} as const satisfies Area;
