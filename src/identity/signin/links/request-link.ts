import { setTimeout as sleep } from 'node:timers/promises';
import { countsNow, findUserByEmail, type UserEntry } from '../../../directory/records/index.ts';
import { readSettings, type Settings } from '../../../directory/settings/index.ts';
import { passwordState } from '../../../directory/users/index.ts';
import { type RequestFacts, systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { commitPlanAs, type Plan } from '../../../kernel/transactions/index.ts';
import { visibleText } from '../../../platform/index.ts';
import { type Texts, textsFor } from '../../../texts/index.ts';
import { deviceOf, shortBrowser } from '../../sessions/index.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { type FlowEntry, type FlowRecord, flowRecords, ownFlow } from '../flow/flow-record.ts';
import { lost } from '../problems.ts';
import { linkMails, type MailWords, membershipMail } from './link-mails.ts';
import { type LinkPurpose, newLink } from './link-record.ts';
import { countMail } from './mail-budget.ts';

const HOUR_MS = 60 * 60 * 1000;
/** To write a letter takes this thread a millisecond or two, which would show in the page that a browser asks for next. */
export const LETTER_AFTER_MS = 250;

interface Request {
  readonly flow: FlowEntry;
  readonly purpose: LinkPurpose;
  /** As it was typed; checked to be an address. */
  readonly email: string;
}

export interface Letter {
  readonly to: string;
  readonly words: MailWords;
  readonly t: Texts;
  readonly path: string;
}

/**
 * Puts a link on record and mails it. Whether somebody has the address shows neither in the answer nor in its time: the
 * same is written for everybody, and the mail goes out a while after the answer.
 * @throws ProblemError 429 where too many were asked for from this network
 */
export async function requestLink(
  dependencies: SignInDependencies,
  organization: Organization,
  { flow, purpose, email }: Request,
  facts: RequestFacts,
): Promise<void> {
  const { store } = organization;
  const language = facts.header('accept-language');
  const from = deviceText(facts.header('user-agent'));
  const letter = await commitPlanAs(dependencies, organization, systemActor, facts, (now): Plan<Letter | undefined> => {
    const current = ownFlow(store, flow.document.browser, flow.id, now);
    if (current === undefined) throw lost();
    const user = findUserByEmail(store, email);
    const settings = readSettings(store);
    const expiresAt = now + lifetimeOf(purpose, settings);
    const { browser } = flow.document;
    const to = user?.document.email ?? email;
    const passwordAt = passwordState(store, user?.id ?? 'nobody').changedAt;
    const about = { flow: flow.id, browser, email: to, userId: user?.id, passwordAt, from, askedAt: now };
    const link = newLink(store, { purpose, ...about, expiresAt });
    const counted = countMail(store, email, facts.clientAddress(), now);
    return {
      changes: [
        link.change,
        ...counted.changes,
        flowRecords.put(store, flow.id, waiting(current.document, email, expiresAt)),
      ],
      preconditions: [flowRecords.same(store, current), ...counted.preconditions],
      result: counted.mayBeSent ? letterTo(user, to, purpose, link.token, language) : undefined,
    };
  });
  if (letter !== undefined) sendLater(dependencies, organization, letter);
}

/** `Firefox 140, Linux`, in every language */
export function deviceText(userAgent: string): string | undefined {
  const { browser, os } = deviceOf(userAgent);
  const known = [browser === null ? null : shortBrowser(browser), os].filter((each) => each !== null);
  return known.length === 0 ? undefined : visibleText(known.join(', '));
}

/** A flow as long as its link, in which nothing has been proved: whoever was on the way has gone back. */
function waiting({ proven: _, elsewhere: __, ...flow }: FlowRecord, loginHint: string, until: number): FlowRecord {
  return { ...flow, loginHint, expiresAt: Math.max(flow.expiresAt, until) };
}

function lifetimeOf(purpose: LinkPurpose, { signIn }: Settings): number {
  return purpose === 'magic' ? signIn.magicLinkLifetime * 1000 : HOUR_MS;
}

/** What the owner of the address is told; nobody else is. */
function letterTo(
  user: UserEntry | undefined,
  to: string,
  purpose: LinkPurpose,
  token: string,
  language: string,
): Letter | undefined {
  const t = textsFor(language, user?.document.locale);
  if (purpose === 'signup' && user !== undefined) return { to, t, words: membershipMail, path: '/signin' };
  const isOpen = purpose === 'signup' ? user === undefined : user !== undefined && countsNow(user.document);
  const { path, ...words } = linkMails[purpose];
  return isOpen ? { to, t, words, path: `${path}?token=${token}` } : undefined;
}

/** Failures are only in the log, because the answer has been sent. A thread sends its pending mail before it ends. */
function sendLater(dependencies: SignInDependencies, organization: Organization, letter: Letter): void {
  void dependencies.background.run('letters', async () => {
    await sleep(LETTER_AFTER_MS);
    await send(dependencies, organization, letter);
  });
}

export async function send(
  { mailer, baseUrl }: SignInDependencies,
  organization: Organization,
  { to, t, words, path }: Letter,
): Promise<void> {
  const subject = t(words.subject);
  const content = {
    language: t.tag,
    subject,
    heading: subject,
    paragraphs: words.paragraphs.map((key) => t(key)),
  };
  const url = `${baseUrl}/orgs/${organization.slug}${path}`;
  await mailer.send(organization, { to, ...content, action: { label: t(words.label), url } });
}
