import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { refused, requireNoLess } from '../../../kernel/transactions/index.ts';
import { type PlainKey, textsFor } from '../../../texts/index.ts';
import { userSubject } from '../../records/index.ts';
import { type LinkPurpose, newLink } from '../credentials/links.ts';
import { aboutUser } from './user-events.ts';
import { transactOnUser, type UserRequest } from './user-request.ts';

/** What a link is for, and how the mail that brings it is worded. */
interface LinkMail {
  readonly purpose: LinkPurpose;
  readonly permission: SystemPermission;
  readonly action: string;
  readonly subject: PlainKey;
  readonly paragraphs: readonly PlainKey[];
  readonly label: PlainKey;
}

export const linkMails = {
  passwordReset: {
    purpose: 'reset-password',
    permission: 'users.reset_password',
    action: 'user.send_password_reset',
    subject: 'mails.resetSubject',
    paragraphs: ['mails.adminResetText', 'mails.unexpected'],
    label: 'mails.resetLabel',
  },
  emailVerification: {
    purpose: 'verify-email',
    permission: 'users.verify',
    action: 'user.send_verification',
    subject: 'mails.verifySubject',
    paragraphs: ['mails.verifyText', 'mails.verifyIgnore'],
    label: 'mails.verifyLabel',
  },
} as const satisfies Record<string, LinkMail>;

/**
 * Puts a link on record and mails it. The link is there before the mail is: where the mail fails, nobody knows the link.
 * @throws ProblemError 422 where there is no mail server, 503 where it does not take the mail
 */
export async function sendLink(request: UserRequest, mail: LinkMail): Promise<{ readonly expiresAt: number }> {
  const { mailer, baseUrl } = request.dependencies;
  const { organization } = request.caller;
  const sent = await transactOnUser(request, (transaction, { id, document }) => {
    transaction.require(mail.permission);
    requireNoLess(transaction, userSubject(id));
    if (!mailer.canSend(organization.store)) throw refused('No mail server is configured.');
    const { email, locale } = document;
    transaction.audit(aboutUser(id, 'admin.action', mail.action, { personal: { email } }));
    return { email, locale, ...newLink(transaction, { id, email }, mail.purpose) };
  });
  const t = textsFor('', sent.locale);
  const subject = t(mail.subject);
  await mailer.send(organization, {
    to: sent.email,
    language: t.tag,
    subject,
    heading: subject,
    paragraphs: mail.paragraphs.map((key) => t(key)),
    action: { label: t(mail.label), url: linkUrl(baseUrl, organization.slug, mail.purpose, sent.token) },
  });
  return { expiresAt: sent.expiresAt };
}

function linkUrl(baseUrl: string, slug: string, purpose: LinkPurpose, token: string): string {
  return `${baseUrl}/orgs/${slug}/account/${purpose}?token=${token}`;
}
