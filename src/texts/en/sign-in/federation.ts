import type { Area } from '../../catalogue.ts';

/** Signing in through providers of other companies. */
export const federation = {
  refused: 'You’re not signed in',
  refusedText: 'Signing in with {name} failed or was canceled. Nothing was changed.',
  unreachable: '{name} can’t be reached',
  unreachableText: 'Try again in a few minutes, or try another way to sign in.',
  rejected: 'That didn’t work',
  rejectedText:
    'We couldn’t accept the answer from {name}. Start again. If it keeps happening, contact support and give them the request ID.',
  notAdmitted: 'Use another account',
  notAdmittedText: 'Only accounts of certain organizations at {name} are allowed here. Start again with one of those.',
  misconfigured: '{name} is not set up correctly',
  misconfiguredText: 'Please tell your administrator that signing in with {name} fails.',
  overBack: 'Go back to the application and start again there.',
  notOffered: 'This way to sign in isn’t available',
  notOfferedText: 'Go back and choose another way to sign in.',
  confirmFirst: 'Your email address isn’t confirmed',
  confirmFirstText:
    '{name} hasn’t verified your email address. Sign in as usual, or create an account with your address.',
  thenLink: 'Then connect {name} in your account. From then on you can sign in with it.',
  linkFirst: 'You already have an account',
  linkFirstText: 'There is already an account with this email address. Sign in as usual to show that it’s yours.',
  noSignup: 'You don’t have an account yet',
  noSignupText: 'New accounts aren’t created through {name}. Ask your administrator for one, or sign in another way.',
  noEmail: 'An email address is missing',
  noEmailText: '{name} didn’t share a confirmed email address. Allow it to share one, or sign in another way.',
  taken: 'This account is already connected',
  takenText: 'Your {name} account is connected to another account here. Disconnect it there first.',
  tooMany: 'Too many connected accounts',
  tooManyText: 'Disconnect another one first.',
  chooseWay: 'Choose how to sign in',
  toSignIn: 'Go to sign-in',
  toAccount: 'Back to your account',
  onTo: 'Continue to {name}',
  goOn: 'Continue',
} as const satisfies Area;
