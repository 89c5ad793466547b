import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { commitPlan, refused, requireNoLess, requirePermission } from '../../../kernel/transactions/index.ts';
import { type PlainKey, textsFor } from '../../../texts/index.ts';
import { userSubject } from '../../records/index.ts';
import { type LinkPurpose, newLink } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { requireUser } from '../find-user.ts';
import type { Target } from './update-user.ts';
import { aboutUser } from './user-events.ts';

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
export async function sendLink(
  dependencies: UserDependencies,
  caller: Caller,
  facts: RequestFacts,
  { reference, family }: Target,
  mail: LinkMail,
): Promise<{ readonly expiresAt: number }> {
  const { organization } = caller;
  const { store } = organization;
  const sent = await commitPlan(dependencies, caller, facts, (now) => {
    requirePermission(caller, mail.permission);
    const { id, document } = requireUser(caller, reference, family);
    requireNoLess(dependencies, caller, userSubject(id), now);
    if (!dependencies.mailer.canSend(store)) throw refused('No mail server is configured.');
    const { email, locale } = document;
    const { token, expiresAt, change } = newLink(store, { id, email }, mail.purpose, now);
    return {
      changes: [change],
      entries: [aboutUser(id, 'admin.action', mail.action, { personal: { email } })],
      result: { email, locale, token, expiresAt },
    };
  });
  const t = textsFor('', sent.locale);
  const subject = t(mail.subject);
  await dependencies.mailer.send(organization, {
    to: sent.email,
    language: t.tag,
    subject,
    heading: subject,
    paragraphs: mail.paragraphs.map((key) => t(key)),
    action: { label: t(mail.label), url: linkUrl(dependencies.baseUrl, organization.slug, mail.purpose, sent.token) },
  });
  return { expiresAt: sent.expiresAt };
}

function linkUrl(baseUrl: string, slug: string, purpose: LinkPurpose, token: string): string {
  return `${baseUrl}/orgs/${slug}/account/${purpose}?token=${token}`;
}
