import type { Area } from '../catalogue.ts';

/** Mails to people, as text and as HTML; short messages. */
export const mails = {
  ignore: 'If you didn’t ask for this, you can ignore this email. Nothing happens unless you open the link.',
  magicSubject: 'Your sign-in link',
  magicText: 'Use this link to sign in. It works once.',
  magicLabel: 'Sign in',
  signupSubject: 'Finish creating your account',
  signupText: 'Use this link to confirm your email address and finish creating your account. It works once.',
  signupLabel: 'Continue',
  resetSubject: 'Set a new password',
  resetText: 'Use this link to set a new password. It works once, within an hour.',
  resetLabel: 'Set a new password',
  firstSubject: 'Set your password',
  firstText:
    'Someone, probably you, tried to sign in with a password, but your account doesn’t have one yet. Use this link to set it. It works once, within an hour.',
  firstLabel: 'Set your password',
  memberSubject: 'You already have an account',
  memberText:
    'Someone, probably you, tried to create an account with this email address. You already have one: sign in with it.',
  memberForgot: 'If you forgot your password, you can set a new one on the sign-in page.',
  memberLabel: 'Sign in',
  adminResetText:
    'An administrator asked us to send you this link to set a new password. It works once, within an hour.',
  unexpected: 'If you didn’t expect this email, you can ignore it. Nothing happens unless you open the link.',
  verifySubject: 'Confirm your email address',
  verifyText: 'Please confirm that this email address is yours. The link works once, within a day.',
  verifyIgnore: 'If you don’t have an account here, you can ignore this email.',
  verifyLabel: 'Confirm email address',
  changeSubject: 'Confirm your new email address',
  changeText:
    'Someone wants to use this address for an account. If that was you, confirm it within an hour, in the browser where you’re signed in.',
  changeIgnore: 'If it wasn’t you, you can ignore this email.',
  inUseSubject: 'Your email address',
  inUseHeading: 'This address already has an account',
  inUseText:
    'Someone wants to use this address for another account. Nothing was changed, because an account here already uses it.',
  inUseInstead: 'If that was you, sign in to that account instead.',
  changedSubject: 'Your email address was changed',
  changedText:
    'Your account no longer uses this address. If this wasn’t you, someone else is signed in as you: contact support at once.',
  codeSubject: 'Your sign-in code',
  codeText: 'This is your code for {organization}. It works once, within five minutes.',
  codeCaution:
    'If you aren’t signing in right now, someone knows your password: set a new one. Don’t share this code with anyone.',
  codeSms: '{code} is your code for {organization}.',
  notYou: 'If this wasn’t you, set a new password now and tell your administrator.',
  addedSubject: 'Two-step verification was added to your account',
  addedText: 'A second step was added to your account. From now on we ask for it when you sign in.',
  removedSubject: 'A second step was removed from your account',
  removedText: 'A second step of two-step verification was removed from your account.',
  recoveryUsedSubject: 'A recovery code was used to sign in',
  recoveryUsedText: 'One of your recovery codes was used to sign in, in place of your second step.',
  guessedSubject: 'Incorrect codes were entered for your account',
  guessedText:
    'Someone who knows your password entered too many incorrect codes for your second step. Further attempts were blocked for a while.',
  renewedSubject: 'New recovery codes were created',
  renewedText: 'New recovery codes were created for your account. The previous ones no longer work.',
  askedSubject: '{agent} asks for permissions',
  askedText:
    'The agent {agent} asks you for {permissions}, for {time}. You can lend all of them, some of them, or none.',
  askedDeadline: 'Decide within {time}. Without a decision the agent gets nothing.',
  lentSubject: '{agent} can use some of your permissions',
  lentText: 'A rule of your organization lent the agent {agent} some of your permissions, for {time}: {permissions}.',
  lentBack: 'You can take them back at any time.',
  lentLast: 'For the next minute, we won’t email you about more. Your account page shows everything that it is lent.',
  agentSays: 'It says: “{words}”',
  openRequest: 'Open the request',
  webhookSubject: 'A webhook was disabled',
  webhookFailures: 'The webhook to {webhook} was disabled because too many deliveries in a row failed.',
  webhookGone: 'The webhook to {webhook} was disabled because its address answered 410 Gone.',
  webhookAgain:
    'It receives no events until you enable it again. You can then replay the events it missed, as long as they are kept.',
} as const satisfies Area;
