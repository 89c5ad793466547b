import { setTimeout as sleep } from 'node:timers/promises';
import { countsNow, findUserByEmail, type UserEntry } from '../../../directory/records/index.ts';
import { readSettings, type Settings } from '../../../directory/settings/index.ts';
import { passwordState } from '../../../directory/users/index.ts';
import { type Reply, redirect } from '../../../http/index.ts';
import { systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { visibleText } from '../../../platform/index.ts';
import { type PlainKey, type Texts, textsFor } from '../../../texts/index.ts';
import { deviceOf, shortBrowser } from '../../sessions/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { type FlowEntry, type FlowRecord, flowRecords, ownFlow } from '../flow-record.ts';
import { lost } from '../problems.ts';
import { type LinkPurpose, newLink } from './link-record.ts';
import { countMail } from './mail-budget.ts';

const HOUR_MS = 60 * 60 * 1000;
/** To write a letter takes this thread a millisecond or two, which would show in the page that a browser asks for next. */
export const LETTER_AFTER_MS = 250;

/** What a mail with a link says. */
interface MailWords {
  readonly subject: PlainKey;
  readonly paragraphs: readonly PlainKey[];
  /** Of the link. */
  readonly label: PlainKey;
}

interface LinkMail extends MailWords {
  /** Of the page that the link opens, below `{issuer}`. */
  readonly path: string;
}

const linkMails: Readonly<Record<LinkPurpose, LinkMail>> = {
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
const membershipMail: MailWords = {
  subject: 'mails.memberSubject',
  paragraphs: ['mails.memberText', 'mails.memberForgot'],
  label: 'mails.memberLabel',
};

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
 * Puts a link on record, mails it, and answers the page that says so. Whether somebody has the address shows neither in
 * the answer nor in its time: the same is written for everybody, and the mail goes out a while after the answer.
 * @throws ProblemError 429 where too many were asked for from this network
 */
export async function requestLink(
  dependencies: SignInDependencies,
  { organization, facts, base }: VisitorVisit,
  { flow, purpose, email }: Request,
): Promise<Reply<never>> {
  const { store } = organization;
  const language = facts.header('accept-language');
  const from = deviceText(facts.header('user-agent'));
  const letter = await transactAs(dependencies, organization, systemActor, facts, (transaction): Letter | undefined => {
    const { now } = transaction;
    const current = transaction.rely(flowRecords, ownFlow(store, flow.document.browser, flow.id, now));
    if (current === undefined) throw lost();
    const user = findUserByEmail(store, email);
    const expiresAt = now + lifetimeOf(purpose, readSettings(store));
    const { browser } = flow.document;
    const to = user?.document.email ?? email;
    const passwordAt = passwordState(store, user?.id ?? 'nobody').changedAt;
    const about = { flow: flow.id, browser, email: to, userId: user?.id, passwordAt, from, askedAt: now };
    const token = newLink(transaction, { purpose, ...about, expiresAt });
    const mayBeSent = countMail(transaction, email, facts.clientAddress(), now);
    transaction.put(flowRecords, flow.id, waiting(current.document, email, expiresAt));
    return mayBeSent ? letterTo(user, to, purpose, token, language) : undefined;
  });
  if (letter !== undefined) {
    // failures are only in the log, because the answer has been sent; a thread sends its pending mail before it ends
    void dependencies.background.run('letters', async () => {
      await sleep(LETTER_AFTER_MS);
      await send(dependencies, organization, letter);
    });
  }
  return redirect(303, `${base}/signin/sent?flow=${flow.id}`);
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
