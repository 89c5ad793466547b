import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { SystemPermission } from '../../../kernel/rights/index.ts';
import { commitPlan, refused, requireNoLess, requirePermission } from '../../../kernel/transactions/index.ts';
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
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly label: string;
}

export const linkMails = {
  passwordReset: {
    purpose: 'reset-password',
    permission: 'users.reset_password',
    action: 'user.send_password_reset',
    subject: 'Set a new password',
    paragraphs: [
      'A new password can be set for your account. The link works once, within an hour.',
      'If you do not expect this, nothing happens unless you follow the link.',
    ],
    label: 'Set a new password',
  },
  emailVerification: {
    purpose: 'verify-email',
    permission: 'users.verify',
    action: 'user.send_verification',
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Please confirm that this e-mail address is yours. The link works once, within a day.',
      'If you do not have an account here, you can ignore this message.',
    ],
    label: 'Confirm the address',
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
    const { id, document } = requireUser(store, reference, family);
    requireNoLess(dependencies, caller, userSubject(id), now);
    if (!dependencies.mailer.canSend(store)) throw refused('No mail server is configured.');
    const { email } = document;
    const { token, expiresAt, change } = newLink(store, { id, email }, mail.purpose, now);
    return {
      changes: [change],
      entries: [aboutUser(id, 'admin.action', mail.action, { personal: { email } })],
      result: { email, token, expiresAt },
    };
  });
  const { subject, paragraphs, label, purpose } = mail;
  await dependencies.mailer.send(organization, {
    to: sent.email,
    subject,
    heading: subject,
    paragraphs,
    action: { label, url: linkUrl(dependencies.baseUrl, organization.slug, purpose, sent.token) },
  });
  return { expiresAt: sent.expiresAt };
}

function linkUrl(baseUrl: string, slug: string, purpose: LinkPurpose, token: string): string {
  return `${baseUrl}/orgs/${slug}/account/${purpose}?token=${token}`;
}
