import { ProblemError } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { existing, refused, transactAs } from '../../../kernel/transactions/index.ts';
import { said, type Texts, textsFor } from '../../../texts/index.ts';
import { getUser, type UserRecord, userActing } from '../../records/index.ts';
import { isDecidedBy } from '../changes/deciding-attributes.ts';
import { changeUser } from '../changes/update-user.ts';
import { aboutUser, userUpdated } from '../changes/user-events.ts';
import { findLink, linkMadeAt, newLink, spend } from '../credentials/links.ts';
import type { UserDependencies } from '../dependencies.ts';
import { findUserByLogin } from '../profile/claim-logins.ts';

/** Between two mails: nobody is to be flooded by somebody who has an account here. */
const GAP_MS = 60_000;
const deciding: ReadonlySet<string> = new Set(['email', 'emailVerified']);

/**
 * Mails a link to the address that a user wants to have. The answer does not tell whether somebody else has it: then the
 * mail says so to whoever reads it.
 * @throws ProblemError 422 where the address is not for the user to change, or no mail can be sent
 */
export async function requestEmailChange(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  userId: string,
  email: string,
): Promise<void> {
  const { store } = organization;
  const actor = userActing(userId);
  const token = await transactAs(dependencies, organization, actor, facts, (transaction) => {
    existing(getUser(store, userId));
    if (isDecidedBy(store, deciding)) throw refused(said('refusals.administratorsOnly'), 'email');
    if (!dependencies.mailer.canSend(store)) throw refused(said('refusals.noMail'), 'email');
    if (transaction.now < (linkMadeAt(store, userId, 'change-email') ?? -GAP_MS) + GAP_MS) {
      throw refused(said('refusals.mailJustSent'), 'email');
    }
    const holder = findUserByLogin(store, email);
    const link = newLink(transaction, { id: userId, email }, 'change-email');
    transaction.audit(aboutUser(userId, 'user.updated', 'user.request_email_change', { personal: { email } }));
    return holder === undefined || holder.id === userId ? link.token : undefined;
  });
  const locale = dependencies.engine.read(() => getUser(store, userId)?.document.locale);
  const t = textsFor(facts.header('accept-language'), locale);
  const url = `${dependencies.baseUrl}/orgs/${organization.slug}/account/email/confirm?token=${token}`;
  await dependencies.mailer.send(organization, {
    to: email,
    ...(token === undefined ? inUse(t) : confirmation(t, url)),
  });
}

/** The link that was mailed, while it can be followed by this user. To be called inside `Engine.read`. */
export function pendingEmail(
  { clock }: Pick<UserDependencies, 'clock'>,
  { store }: Organization,
  userId: string,
  token: string,
): string | undefined {
  const link = findLink(store, token, 'change-email', clock.now());
  return link?.document.userId === userId ? link.document.email : undefined;
}

/**
 * Gives a user the address to which a link was mailed, verified, and tells the one before.
 * @returns false where there is no such link for this user, or no longer
 * @throws ProblemError 409 where somebody else has got the address meanwhile
 */
export async function redeemEmailChange(
  dependencies: UserDependencies,
  organization: Organization,
  facts: RequestFacts,
  userId: string,
  token: string,
): Promise<boolean> {
  const { store } = organization;
  const actor = userActing(userId);
  type Changed = { readonly now: UserRecord; readonly former: string };
  const changed = await transactAs(dependencies, organization, actor, facts, (transaction): Changed | undefined => {
    const link = findLink(store, token, 'change-email', transaction.now);
    const user = link && getUser(store, link.document.userId);
    if (link === undefined || user === undefined || user.id !== userId) return undefined;
    if (isDecidedBy(store, deciding)) throw refused(said('refusals.administratorsOnly'), 'email');
    const { email } = link.document;
    const former = user.document.email;
    const now = changeUser(
      transaction,
      user,
      { ...user.document, email, emailVerified: true },
      {
        entries: [
          aboutUser(userId, 'user.updated', 'user.change_own_email', {
            severity: 'warning',
            personal: { before: former, after: email },
          }),
        ],
        events: [userUpdated],
      },
    );
    spend(transaction, link);
    return { now, former };
  });
  if (changed === undefined) return false;
  const { now, former } = changed;
  if (former !== now.email) {
    await tellFormer(dependencies, organization, former, textsFor(facts.header('accept-language'), now.locale));
  }
  return true;
}

/** The change is done: where the old address cannot be reached any more, that may be why. */
async function tellFormer(
  dependencies: UserDependencies,
  organization: Organization,
  to: string,
  t: Texts,
): Promise<void> {
  try {
    await dependencies.mailer.send(organization, { to, ...wasChanged(t) });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}

const confirmation = (t: Texts, url: string) => ({
  language: t.tag,
  subject: t('mails.changeSubject'),
  heading: t('mails.changeSubject'),
  paragraphs: [t('mails.changeText'), t('mails.changeIgnore')],
  action: { label: t('mails.verifyLabel'), url },
});

const inUse = (t: Texts) => ({
  language: t.tag,
  subject: t('mails.inUseSubject'),
  heading: t('mails.inUseHeading'),
  paragraphs: [t('mails.inUseText'), t('mails.inUseInstead')],
});

const wasChanged = (t: Texts) => ({
  language: t.tag,
  subject: t('mails.changedSubject'),
  heading: t('mails.changedSubject'),
  paragraphs: [t('mails.changedText')],
});
