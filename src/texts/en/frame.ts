import type { Area } from '../catalogue.ts';

/** What stands around every page, and on those that only lead on. */
export const frame = {
  needHelp: 'Need help?',
  oneMoment: 'One moment',
  takenOn: 'Taking you there. If nothing happens, {link}.',
  takenOnLink: 'continue',
  backToApplication: 'Continue to go back to the application.',
  requestNumber: 'Request ID:',
  toSignIn: 'Sign in or go to your account',
  skip: 'Skip to content',
  showPassword: 'Show password',
} as const satisfies Area;
