import type { Area } from '../../catalogue.ts';

/** Signing in through providers of other companies. */
export const federation = {
  refused: 'You’re not signed in',
  refusedText: '{name} didn’t sign you in, or it was canceled there. Nothing was changed.',
  unreachable: '{name} can’t be reached',
  unreachableText: 'Try again in a few minutes, or try another way to sign in.',
  rejected: 'That didn’t work',
  rejectedText:
    'The answer from {name} couldn’t be accepted. Start again. If it keeps happening, contact support and give them the request ID.',
  notAdmitted: 'Another account is needed',
  notAdmittedText: 'Only accounts of certain organizations at {name} are allowed here. Start again with one of those.',
  misconfigured: '{name} is not set up correctly',
  misconfiguredText:
    'There’s nothing you can do about it. Please tell your administrator that signing in with {name} fails.',
  overBack: 'Go back to the application and start again there.',
  notOffered: 'This way isn’t available',
  notOfferedText: 'Go back and choose another way to sign in.',
  confirmFirst: 'Your email address isn’t confirmed',
  confirmFirstText:
    '{name} hasn’t verified your email address. Sign in as usual, or create an account with your address.',
  thenLink: 'Then link {name} in your account. From then on you can sign in with it.',
  linkFirst: 'You already have an account',
  linkFirstText: 'There is an account with this email address. To make sure it’s yours, sign in as usual.',
  noSignup: 'You don’t have an account yet',
  noSignupText: 'New accounts aren’t created through {name}. Ask your administrator for one, or sign in another way.',
  noEmail: 'An email address is missing',
  noEmailText: '{name} didn’t share an email address that is confirmed there. Allow it to, or sign in another way.',
  taken: 'It’s already linked',
  takenText: 'This account at {name} is linked to another account here. Remove it there first.',
  tooMany: 'Too many linked accounts',
  tooManyText: 'Remove another one from your account first.',
  chooseWay: 'Choose how to sign in',
  toSignIn: 'Go to sign-in',
  toAccount: 'Back to your account',
  onTo: 'Continue to {name}',
  goOn: 'Continue',
} as const satisfies Area;
