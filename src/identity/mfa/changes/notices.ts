import { getUser } from '../../../directory/records/index.ts';
import type { MfaDependencies, Whose } from '../dependencies.ts';

/** What users are told of, so that they hear of what somebody else does in their name. */
const notices = {
  added: {
    subject: 'A second factor was added to your account',
    text: 'A second factor was added to your account. From now on it is asked for when you sign in.',
  },
  removed: {
    subject: 'A second factor was removed from your account',
    text: 'A second factor was removed from your account.',
  },
  recoveryUsed: {
    subject: 'A recovery code was used to sign in',
    text: 'One of your recovery codes was used in place of your second factor.',
  },
  guessed: {
    subject: 'Wrong codes were typed for your account',
    text: 'Somebody who knows your password has typed wrong codes for your second factor, until no more were taken.',
  },
  recoveryRenewed: {
    subject: 'New recovery codes were made',
    text: 'New recovery codes were made for your account. Those before them are void.',
  },
} as const;

type Notice = keyof typeof notices;

/** Mails a user what has happened, where mail can be sent. Nobody waits for it, and nothing fails with it. */
export function tell(
  { engine, mailer, log }: MfaDependencies,
  { organization, userId }: Pick<Whose, 'organization' | 'userId'>,
  notice: Notice,
): void {
  const { store } = organization;
  const to = engine.read(() => (mailer.canSend(store) ? getUser(store, userId)?.document.email : undefined));
  if (to === undefined) return;
  const { subject, text } = notices[notice];
  const paragraphs = [text, 'If this was not you, set a new password now, and tell an administrator.'];
  mailer.send(organization, { to, subject, heading: subject, paragraphs }).catch((error: unknown) => {
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
