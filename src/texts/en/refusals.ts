import type { Area } from '../catalogue.ts';

/** Why the service does not do what a form asks for. */
export const refusals = {
  general: 'That isn’t possible right now.',
  administratorsOnly: 'Only an administrator can change this.',
  noMail: 'This organization can’t send email.',
  mailJustSent: 'We’ve just sent you an email. Try again in a minute.',
  unconfirmedAddress: 'Confirm your email address first.',
  lastWayIn: 'It’s the only way you can sign in. Set a password or add a passkey first.',
  changedMeanwhile: 'Your account changed during this sign-in. Start again.',
  sessionEnded: 'Your session has just ended. Sign in again.',
  otherDevice: 'Passkeys stored on this device aren’t allowed. Use a security key or another device.',
  factorNeeded: 'Two-step verification is required. Add another second step first.',
  methodClosed: 'This method isn’t allowed.',
  factorsMax: { one: 'You already have {count} second step.', other: 'You already have {count} second steps.' },
  notHeld: 'You don’t have {permission} yourself, so you can’t lend it.',
  notDeciding: 'You can’t decide this request.',
  noFactor: 'You haven’t set up a second step yet.',
  delegationsMax: { one: 'At most {count} agent can act for you.', other: 'At most {count} agents can act for you.' },
  noAgent: 'This agent doesn’t exist or is switched off.',
  noPermission: 'There is no permission {permission}.',
} as const satisfies Area;
