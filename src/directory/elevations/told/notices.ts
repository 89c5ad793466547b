import type { Store } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { equalSecrets, type Sealer, visibleText } from '../../../platform/index.ts';
import { type Texts, textsFor } from '../../../texts/index.ts';
import { activeUser, agentRecords, type TaskEntry, usersWith } from '../../records/index.ts';
import { mayDecide } from '../decide/may-decide.ts';
import type { ElevationDependencies } from '../dependencies.ts';
import { elevationSettings } from '../settings/settings.ts';
import { durationIn, secondsLeft } from './durations.ts';

/** Whom mail is sent to, of those who can decide. */
const TOLD_MAX = 20;
/** Of those who hold `jit.approve`: each is asked whether they hold every scope too. */
const ASKED_MAX = 200;

/** A rule can lend as often as an agent asks: of what one agent is lent a lender gets so many mails in a minute. */
const LENT_MAX = 5;
const LENT_WINDOW_MS = 60_000;

/** Where people decide a task. */
export function approvalUrl(baseUrl: string, { slug }: Pick<Organization, 'slug'>, taskId: string): string {
  return `${baseUrl}/orgs/${slug}/approvals/${taskId}`;
}

interface Addressee {
  readonly id: string;
  readonly email: string;
  /** As the profile has it. */
  readonly locale: string | undefined;
}

interface Notice {
  readonly to: readonly Addressee[];
  /** In the language of whom it goes to. */
  readonly words: (t: Texts) => { readonly subject: string; readonly paragraphs: readonly string[] };
}

/**
 * Mails those who can decide a task that waits, and whoever lends what a rule has approved. The task does not wait for
 * the mail, nor for whether it is taken.
 */
export function sendNotices(dependencies: ElevationDependencies, organization: Organization, entry: TaskEntry): void {
  const { background, engine, mailer, sealer } = dependencies;
  void background.run('letters', async () => {
    const notice = engine.read(() => noticeOf(dependencies, organization, entry));
    if (notice === undefined) return;
    const page = approvalUrl(dependencies.baseUrl, organization, entry.id);
    await Promise.allSettled(
      notice.to.map(({ id, email, locale }) => {
        const t = textsFor('', locale);
        const { subject, paragraphs } = notice.words(t);
        const url = `${page}?asked=${askedProof(sealer, organization, entry.id, id)}`;
        const action = { label: t('mails.openRequest'), url };
        return mailer.send(organization, { to: email, language: t.tag, subject, heading: subject, paragraphs, action });
      }),
    );
  });
}

/** To be called inside `Engine.read`. */
function noticeOf(
  dependencies: ElevationDependencies,
  organization: Organization,
  entry: TaskEntry,
): Notice | undefined {
  const { store } = organization;
  const { agentId, grant, status, scopes, seconds, description, expiresAt } = entry.document;
  const { clock } = dependencies;
  if (!elevationSettings(store).notifyByMail || !dependencies.mailer.canSend(store)) return undefined;
  const agent = visibleText(agentRecords.get(store, agentId)?.document.name ?? agentId);
  const says = (t: Texts): string => t('mails.agentSays', { words: oneLine(description) });
  if (grant !== undefined) {
    const lender = addressOf(store, grant.lenderId);
    const index = lender === undefined ? 0 : numberOfMail(dependencies, `${agentId}\n${grant.lenderId}`);
    if (lender === undefined || index > LENT_MAX) return undefined;
    const isLast = index === LENT_MAX;
    const permissions = grant.scopes.join(', ');
    return {
      to: [lender],
      words: (t) => ({
        subject: t('mails.lentSubject', { agent }),
        paragraphs: [
          t('mails.lentText', { agent, permissions, time: durationIn(t, seconds) }),
          t('mails.lentBack'),
          says(t),
          ...(isLast ? [t('mails.lentLast')] : []),
        ],
      }),
    };
  }
  if (status !== 'pending') return undefined;
  const permissions = scopes.join(', ');
  return {
    to: deciders(dependencies, organization, entry),
    words: (t) => ({
      subject: t('mails.askedSubject', { agent }),
      paragraphs: [
        t('mails.askedText', { agent, permissions, time: durationIn(t, seconds) }),
        t('mails.askedDeadline', { time: durationIn(t, secondsLeft(expiresAt, clock.now())) }),
        says(t),
      ],
    }),
  };
}

/** Which mail of the minute this is, counted from 1 in memory that all threads share; one more than are sent at most. */
function numberOfMail({ spent, clock }: Pick<ElevationDependencies, 'spent' | 'clock'>, of: string): number {
  const now = clock.now();
  let index = 1;
  while (index <= LENT_MAX && spent.spend(`jit mail\n${of}\n${index}`, now + LENT_WINDOW_MS, now) === 'again') index++;
  return index;
}

/** The agent's words in one line, so that they are taken for nothing else in the mail. */
function oneLine(description: string): string {
  return visibleText(description).replace(/\s+/g, ' ');
}

function deciders(dependencies: ElevationDependencies, organization: Organization, entry: TaskEntry): Addressee[] {
  const { store } = organization;
  const { approverId } = entry.document;
  if (approverId !== undefined) return [addressOf(store, approverId)].filter((each) => each !== undefined);
  const now = dependencies.clock.now();
  const found: Addressee[] = [];
  let asked = 0;
  for (const { id, document } of usersWith(store, ['jit.approve', 'settings.manage'])) {
    if (++asked > ASKED_MAX || found.length === TOLD_MAX) break;
    if (mayDecide(dependencies, organization, id, entry, now))
      found.push({ id, email: document.email, locale: document.locale });
  }
  return found;
}

function addressOf(store: Store, userId: string): Addressee | undefined {
  const user = activeUser(store, userId)?.document;
  return user && { id: userId, email: user.email, locale: user.locale };
}

type Mac = Pick<Sealer, 'mac'>;

/** Shows that a user could decide a task when they were told of it: in the mail, and on the pages that showed it. */
export function askedProof(sealer: Mac, { id }: Pick<Organization, 'id'>, taskId: string, userId: string): string {
  return sealer.mac('asked', id, taskId, userId);
}

export function wasAsked(
  sealer: Mac,
  organization: Pick<Organization, 'id'>,
  taskId: string,
  userId: string,
  proof: string,
): boolean {
  return equalSecrets(askedProof(sealer, organization, taskId, userId), proof);
}
