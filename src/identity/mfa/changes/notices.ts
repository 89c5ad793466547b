import { getUser } from '../../../directory/records/index.ts';
import { textsFor } from '../../../texts/index.ts';
import type { MfaDependencies, Whose } from '../dependencies.ts';

/** What users are told of, so that they hear of what somebody else does in their name. */
const notices = {
  added: { subject: 'mails.addedSubject', text: 'mails.addedText' },
  removed: { subject: 'mails.removedSubject', text: 'mails.removedText' },
  recoveryUsed: { subject: 'mails.recoveryUsedSubject', text: 'mails.recoveryUsedText' },
  guessed: { subject: 'mails.guessedSubject', text: 'mails.guessedText' },
  recoveryRenewed: { subject: 'mails.renewedSubject', text: 'mails.renewedText' },
} as const;

type Notice = keyof typeof notices;

/** Mails a user what has happened, where mail can be sent. Nobody waits for it, and nothing fails with it. */
export function tell(
  { engine, mailer, log }: MfaDependencies,
  { organization, userId }: Pick<Whose, 'organization' | 'userId'>,
  notice: Notice,
): void {
  const { store } = organization;
  const user = engine.read(() => (mailer.canSend(store) ? getUser(store, userId)?.document : undefined));
  if (user === undefined) return;
  const t = textsFor('', user.locale);
  const subject = t(notices[notice].subject);
  const paragraphs = [t(notices[notice].text), t('mails.notYou')];
  mailer
    .send(organization, { to: user.email, language: t.tag, subject, heading: subject, paragraphs })
    .catch((error: unknown) => {
      log.warn({ organization: organization.slug, error }, 'a notice about second factors was not mailed');
    });
}

/** The outcome, of which the user is told where it is a success. */
export async function telling<T extends { readonly ok: boolean }>(
  dependencies: MfaDependencies,
  whose: Whose,
  notice: Notice,
  outcome: Promise<T>,
): Promise<T> {
  const result = await outcome;
  if (result.ok) tell(dependencies, whose, notice);
  return result;
}
