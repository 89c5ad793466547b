import type { Area } from '../../catalogue.ts';

/** Creating an account, and what is asked for after a sign-in. */
export const signUp = {
  title: 'Create an account',
  hint: 'We’ll email you a link to continue.',
  haveAccount: 'Already have an account?',
  closed: 'Accounts are created by administrators here. Ask yours for one.',
  completeTitle: 'Create your account',
  for: 'for {email}',
  name: 'Your name',
  create: 'Create account',
  newPasswordTitle: 'Choose a new password',
  newPasswordReason: 'You need a new password to continue. You’ll be signed out everywhere else.',
  profileTitle: 'Complete your profile',
  profileText: 'Some details are still missing.',
  givenName: 'First name',
  familyName: 'Last name',
  enterGivenName: 'Enter your first name.',
  enterFamilyName: 'Enter your last name.',
  notNow: 'Not now',
} as const satisfies Area;
