import { randomInt } from 'node:crypto';
import type { RecordEntry } from '#engine';
import { countsNow, getUser } from '../../../directory/records/index.ts';
import { factorRecords } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { type Organization, organizationEntry } from '../../../kernel/organizations/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { type Texts, textsFor } from '../../../texts/index.ts';
import { codeSent } from '../changes/audit-events.ts';
import { type MfaDependencies, type Refusal, transactByUser, type Whose } from '../dependencies.ts';
import { hidden, receiverOf } from '../records/views.ts';
import {
  type CodePurpose,
  type CodeRecord,
  codeId,
  codeRecords,
  codeTimes,
  getCode,
  getSends,
  RECEIVER_SENDS_MAX,
  SENDS_MAX,
  type SendsRecord,
  sendsId,
  USER_SENDS_MAX,
} from './code-record.ts';

export interface Sent {
  readonly ok: true;
  /** Half hidden. */
  readonly to: string;
  /** Milliseconds since the epoch, until which it works. */
  readonly expiresAt: number;
}

interface Receiver {
  readonly type: 'sms' | 'email';
  readonly to: string;
}

interface Message extends Receiver {
  readonly ok: true;
  readonly code: string;
  readonly expiresAt: number;
}

/**
 * Sends a code by short message or mail. It is on record before it is sent, and so is that it was.
 * @throws ProblemError 422 where nobody delivers, 503 where it was not delivered
 */
export async function sendCode(
  dependencies: MfaDependencies,
  whose: Whose,
  purpose: CodePurpose,
  facts: RequestFacts,
): Promise<Sent | Refusal> {
  const { organization, userId } = whose;
  const message = await transactByUser(dependencies, whose, facts, (transaction) =>
    putCode(transaction, dependencies, whose, purpose),
  );
  if (!message.ok) return message;
  const locale = dependencies.engine.read(() => getUser(organization.store, userId)?.document.locale);
  await deliver(dependencies, organization, message, textsFor(facts.header('accept-language'), locale));
  return { ok: true, to: hidden(message.to), expiresAt: message.expiresAt };
}

function putCode(
  transaction: OrganizationTransaction,
  dependencies: MfaDependencies,
  whose: Whose,
  purpose: CodePurpose,
): Message | Refusal {
  const { store, now } = transaction;
  const { organization, userId } = whose;
  const receiver = receiverFor(whose, purpose);
  if (receiver === undefined) return { ok: false, reason: 'expired' };
  const id = codeId(whose, purpose);
  const known = getCode(store, id);
  const counts = countsFor(whose, purpose, receiver);
  const until = waitUntil(known?.document, now) ?? firstFull(counts, now);
  if (until !== undefined) return { ok: false, reason: 'wait', until };
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const sealed = dependencies.sealer.seal(code, { organization: organization.id, record: id, field: 'code' });
  const sends = isOver(known?.document.sentAt, now) ? 1 : (known?.document.sends ?? 0) + 1;
  const document: CodeRecord = { userId, to: receiver.to, sealed, tries: 0, sentAt: now, sends };
  transaction.expect([codeRecords.asRead(store, id, known)]);
  transaction.put(codeRecords, id, document);
  for (const { id, entry } of counts) {
    transaction.expect([codeRecords.asRead(store, id, entry)]);
    transaction.put(codeRecords, id, oneMore(entry?.document, now));
  }
  transaction.add(codeSent(store, userId, receiver.type, 'prove' in purpose ? 'prove' : 'enrol'));
  return { ok: true, ...receiver, code, expiresAt: now + codeTimes.lifeMs };
}

interface Count {
  readonly id: string;
  readonly entry: RecordEntry<SendsRecord> | undefined;
  readonly max: number;
}

/** A number that is registered is not counted: others could use up what its owner needs. */
function countsFor({ organization: { store }, userId }: Whose, purpose: CodePurpose, { to }: Receiver): Count[] {
  const count = (id: string, max: number): Count => ({ id, entry: getSends(store, id), max });
  const user = count(sendsId('user', userId), USER_SENDS_MAX);
  return 'enrol' in purpose ? [user, count(sendsId('to', to), RECEIVER_SENDS_MAX)] : [user];
}

function firstFull(counts: readonly Count[], now: number): number | undefined {
  const full = counts.find(
    ({ entry, max }) => entry !== undefined && entry.document.sends >= max && !isOver(entry.document.firstAt, now),
  );
  return full?.entry && full.entry.document.firstAt + codeTimes.windowMs;
}

function oneMore(counted: SendsRecord | undefined, now: number): SendsRecord {
  if (counted === undefined || isOver(counted.firstAt, now)) return { firstAt: now, sends: 1 };
  return { ...counted, sends: counted.sends + 1 };
}

function receiverFor({ organization: { store }, userId }: Whose, purpose: CodePurpose): Receiver | undefined {
  const user = getUser(store, userId);
  if (user === undefined || !countsNow(user.document)) return undefined;
  if ('enrol' in purpose) {
    return purpose.enrol === 'sms' ? { type: 'sms', to: purpose.number } : { type: 'email', to: user.document.email };
  }
  const factor = factorRecords.get(store, userId)?.document.factors.find(({ id }) => id === purpose.prove);
  const to = factor && receiverOf(store, userId, factor);
  return to === undefined || (factor?.type !== 'sms' && factor?.type !== 'email')
    ? undefined
    : { type: factor.type, to };
}

/** Before when nothing is sent in this flow. */
function waitUntil(known: CodeRecord | undefined, now: number): number | undefined {
  if (known === undefined) return undefined;
  if (now < known.sentAt + codeTimes.gapMs) return known.sentAt + codeTimes.gapMs;
  return known.sends >= SENDS_MAX && !isOver(known.sentAt, now) ? known.sentAt + codeTimes.windowMs : undefined;
}

function isOver(time: number | undefined, now: number): boolean {
  return time === undefined || now >= time + codeTimes.windowMs;
}

async function deliver(
  { engine, sms, mailer, baseUrl }: MfaDependencies,
  organization: Organization,
  { type, to, code }: Message,
  t: Texts,
): Promise<void> {
  const name = engine.read(() => organizationEntry(engine, organization.slug)?.document.name) ?? organization.slug;
  if (type === 'sms') {
    // the last line lets browsers fill the code in at this host alone
    await sms.send(
      organization,
      to,
      `${t('mails.codeSms', { code, organization: name })}\n\n@${new URL(baseUrl).host} #${code}`,
    );
    return;
  }
  await mailer.send(organization, {
    to,
    language: t.tag,
    subject: t('mails.codeSubject'),
    heading: code,
    paragraphs: [t('mails.codeText', { organization: name }), t('mails.codeCaution')],
  });
}
