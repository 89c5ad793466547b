import type { LinkPurpose } from './link-record.ts';

export interface MailWords {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Of the link. */
  readonly label: string;
}

interface LinkMail extends MailWords {
  /** Of the page that the link opens, below `{issuer}`. */
  readonly path: string;
}

const inSameBrowser = 'Open it in the browser in which you asked for it: it works once, and nowhere else.';
const otherwise =
  'If you did not ask for this, you can ignore this message. Nothing happens unless the link is followed.';

export const linkMails: Readonly<Record<LinkPurpose, LinkMail>> = {
  magic: {
    path: '/signin/link',
    subject: 'Your link to sign in',
    paragraphs: [inSameBrowser, otherwise],
    label: 'Sign in',
  },
  signup: {
    path: '/signin/signup/complete',
    subject: 'Finish creating your account',
    paragraphs: [`The link confirms your address and leads on. ${inSameBrowser}`, otherwise],
    label: 'Continue',
  },
  reset: {
    path: '/signin/reset',
    subject: 'Set a new password',
    paragraphs: [`The link works for an hour. ${inSameBrowser}`, otherwise],
    label: 'Set a new password',
  },
};

/** To somebody who has an account and was about to make another. */
export const membershipMail: MailWords = {
  subject: 'You already have an account',
  paragraphs: [
    'Somebody, probably you, wanted to create an account with this address. There is one already: sign in with it.',
    'Where you have forgotten its password, the page of sign-in leads to a new one.',
  ],
  label: 'Sign in',
};
