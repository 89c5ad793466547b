import type { PlainKey } from '../../../texts/index.ts';
import type { LinkPurpose } from './link-record.ts';

/** What a mail with a link says. */
export interface MailWords {
  readonly subject: PlainKey;
  readonly paragraphs: readonly PlainKey[];
  /** Of the link. */
  readonly label: PlainKey;
}

export interface LinkMail extends MailWords {
  /** Of the page that the link opens, below `{issuer}`. */
  readonly path: string;
}

export const linkMails: Readonly<Record<LinkPurpose, LinkMail>> = {
  magic: {
    path: '/signin/link',
    subject: 'mails.magicSubject',
    paragraphs: ['mails.magicText', 'mails.ignore'],
    label: 'mails.magicLabel',
  },
  signup: {
    path: '/signin/signup/complete',
    subject: 'mails.signupSubject',
    paragraphs: ['mails.signupText', 'mails.ignore'],
    label: 'mails.signupLabel',
  },
  reset: {
    path: '/signin/reset',
    subject: 'mails.resetSubject',
    paragraphs: ['mails.resetText', 'mails.ignore'],
    label: 'mails.resetLabel',
  },
};

/** To somebody whose account has no password, and who was about to sign in with one: a link to set it. */
export const firstPasswordMail: LinkMail = {
  path: linkMails.reset.path,
  subject: 'mails.firstSubject',
  paragraphs: ['mails.firstText', 'mails.ignore'],
  label: 'mails.firstLabel',
};

/** To somebody who has an account and was about to make another. */
export const membershipMail: MailWords = {
  subject: 'mails.memberSubject',
  paragraphs: ['mails.memberText', 'mails.memberForgot'],
  label: 'mails.memberLabel',
};
