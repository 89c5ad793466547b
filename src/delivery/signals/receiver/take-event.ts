import type { Store } from '#engine';
import { ProblemError, problem, tooManyRequests } from '../../../http/index.ts';
import { type EarlierEnded, endEarlierOf } from '../../../identity/sessions/index.ts';
import { type AuditEvent, type RequestFacts, systemActor } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type AdminDependencies, transactAs } from '../../../kernel/transactions/index.ts';
import { effectOf } from '../events/event-uris.ts';
import { AGE_MAX_S, type EventToken, SKEW_S } from './event-token.ts';
import { type NamedSubject, namedSubject, namedUser } from './named-user.ts';
import {
  type IssuerEntry,
  type IssuerUse,
  issuerRecords,
  issuerUseRecords,
  RECEIVED_MAX,
  receivedId,
  receivedRecords,
} from './records/issuer-record.ts';

/** Nobody's clock is right: what began so soon after an event is taken for what the event is about. */
const TOLERANCE_MS = SKEW_S * 1000;
/** From here on a number is milliseconds, as earlier drafts of CAEP had them: in seconds it would be the year 5138. */
const MILLISECONDS_FROM = 1e11;
const FULL_S = 3600;

/** The user whom an event is about, and what ends of theirs. */
interface Ended {
  readonly userId: string;
  readonly ended: EarlierEnded;
}

/**
 * Takes an event: in one commit it is counted, its `jti` is used up, and what it ends has ended. One that was taken before
 * does nothing.
 * @throws ProblemError `invalid_request` where its subject cannot be read; 429, 503
 */
export function takeEvent(
  dependencies: AdminDependencies,
  organization: Organization,
  issuer: IssuerEntry,
  token: EventToken,
  facts: RequestFacts,
): Promise<void> {
  const { store } = organization;
  const effect = effectOf(token.uri);
  const subject = effect === 'ends' ? namedSubject(token) : undefined;
  const id = receivedId(issuer.document.issuer, token.jti);
  const until = (token.iat + AGE_MAX_S + SKEW_S) * 1000;
  return transactAs(dependencies, organization, systemActor, facts, (transaction) => {
    const { now } = transaction;
    if (!transaction.isUnchanged(issuerRecords, issuer))
      throw new ProblemError(problem('unavailable', 'The issuer has changed in the meantime. Send the event again.'));
    if (transaction.get(receivedRecords, id) !== undefined) return;
    if (receivedRecords.index(store).counted('#issuer', issuer.id) >= RECEIVED_MAX)
      throw new ProblemError(tooManyRequests(FULL_S));
    const found = subject && endingsOf(store, issuer, token, subject, now);
    const use = transaction.get(issuerUseRecords, issuer.id);
    const used = useAfter(use?.document, { now, isVerification: effect === 'verifies', isEnding: found !== undefined });
    transaction.put(receivedRecords, id, { issuerId: issuer.id, until });
    transaction.put(issuerUseRecords, issuer.id, used);
    if (found === undefined) return;
    transaction.add(found.ended);
    transaction.audit(toldOf(issuer, token, found));
  });
}

function endingsOf(
  store: Store,
  { document: { providerId } }: IssuerEntry,
  token: EventToken,
  subject: NamedSubject,
  now: number,
): Ended | undefined {
  const user = namedUser(store, providerId, subject);
  const ended = user && endEarlierOf(store, user.id, happenedAt(token, now) + TOLERANCE_MS, now);
  return ended && { userId: user.id, ended };
}

/** When it happened, in milliseconds; not later than now. What says nothing usable happened when it was issued. */
export function happenedAt({ event, toe, iat }: Pick<EventToken, 'event' | 'toe' | 'iat'>, now: number): number {
  const { event_timestamp: said } = event;
  const isTime = typeof said === 'number' && Number.isFinite(said) && said > 0;
  const time = isTime ? said : (toe ?? iat);
  return Math.min(time >= MILLISECONDS_FROM ? time : time * 1000, now);
}

function useAfter(
  before: IssuerUse = { received: 0, ended: 0, lastReceivedAt: 0 },
  { now, isVerification, isEnding }: { now: number; isVerification: boolean; isEnding: boolean },
): IssuerUse {
  return {
    ...before,
    received: before.received + 1,
    lastReceivedAt: now,
    ...(isVerification ? { lastVerifiedAt: now } : {}),
    ...(isEnding ? { ended: before.ended + 1, lastEndedAt: now } : {}),
  };
}

function toldOf(issuer: IssuerEntry, { uri, jti }: EventToken, { userId, ended }: Ended): AuditEvent {
  const { name, issuer: url } = issuer.document;
  const { sessions, tokens } = ended;
  return {
    eventType: 'user.logout',
    action: 'session.revoke_by_signal',
    severity: 'warning',
    targetType: 'user',
    targetId: userId,
    metadata: { issuerId: issuer.id, name, issuer: url, event: uri, jti, sessions, tokens },
  };
}
