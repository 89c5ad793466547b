import type { Area } from '../../catalogue.ts';

/** The first page of sign-in. */
export const signIn = {
  title: 'Sign in',
  toContinueTo: 'to continue to {application}',
  noWay: 'Signing in isn’t possible here at the moment. Contact your administrator.',
  identifier: 'Email or username',
  email: 'Email',
  password: 'Password',
  continue: 'Continue',
  submit: 'Sign in',
  sendLink: 'Email me a sign-in link',
  or: 'or',
  continueWith: 'Continue with {provider}',
  forgot: 'Forgot your password?',
  noAccount: 'No account yet?',
  createAccount: 'Create an account',
  enterEmail: 'Enter your email address.',
  enterValidEmail: 'Enter a valid email address, such as name@example.com.',
  wayClosed: 'This way to sign in isn’t available here.',
  enterPassword: 'Enter your password.',
  wrong: 'Incorrect email or password.',
  wrongOrNone: 'Incorrect email or password. If you haven’t set a password yet, check your email for a link.',
  locked: {
    one: 'Too many failed attempts. Try again in a minute, at {time}.',
    other: 'Too many failed attempts. Try again in {count} minutes, at {time}.',
  },
} as const satisfies Area;
