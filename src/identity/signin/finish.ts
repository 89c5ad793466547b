import type { Store } from '#engine';
import { type UserEntry, type UserRecord, userRecords } from '../../directory/records/index.ts';
import { credentialRecords, type Disowned, noPassword, passwordState } from '../../directory/users/index.ts';
import { type Reply, withHeaders } from '../../http/index.ts';
import type { DomainEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import type { OrganizationTransaction } from '../../kernel/transactions/index.ts';
import { siteOf } from '../pages/index.ts';
import { assessSignIn } from '../risk/index.ts';
import {
  type BegunSession,
  browserStateCookie,
  ending,
  liveSession,
  type SessionEntry,
  succession,
} from '../sessions/index.ts';
import { cookieHeader } from './browser/cookies.ts';
import type { Visitor } from './browser/visitor.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type FlowEntry, flowRecords, type Proven } from './flow-record.ts';
import { accountUnusable } from './problems.ts';
import type { Advancing } from './sign-in.ts';
import { userLogin } from './signin-events.ts';

/** A sign-in that has come to its end. */
export interface Finished {
  readonly kind: 'finished';
  readonly returnTo: string;
  /** Where the browser is taken from there, if that is known. */
  readonly leadsTo: string | undefined;
  /** For the cookie. */
  readonly secret: string;
  readonly opState: string;
}

/** Everything that the end of a sign-in changes beside what the last step has done. */
export function finish(
  dependencies: SignInDependencies,
  transaction: OrganizationTransaction,
  { visitor, flow, proven, facts, user }: Omit<Advancing, 'done'> & { readonly user: UserEntry },
): Finished {
  const { sessions, lockout, attacks } = dependencies;
  const { store, now } = transaction;
  const disowned = disownedBy(dependencies, store, user, proven);
  const begun = sessions.begin(store, {
    endsAll: disowned.changes.length > 0,
    userId: user.id,
    authMethod: proven.method,
    mfaVerified: proven.mfa,
    amr: proven.amr,
    authTime: proven.at,
    ipAddress: facts.clientAddress(),
    userAgent: facts.header('user-agent'),
  });
  if (begun === undefined) throw accountUnusable();
  const risk = assessSignIn(attacks, store, user, begun.session);
  const address = facts.clientAddress();
  const forgiven = proven.account === undefined ? [] : lockout.forgiven(store, { account: proven.account, address });
  transaction.add(disowned);
  transaction.add(replacement(store, visitor, begun.session, now));
  transaction.add(begun);
  transaction.change(forgiven);
  transaction.put(userRecords, user.id, signedIn(user.document, proven, now));
  transaction.delete(flowRecords, flow.id);
  transaction.audit({
    eventType: 'user.login',
    action: 'session.start',
    targetType: 'session',
    targetId: begun.session.id,
    metadata: {
      authMethod: proven.method,
      mfaVerified: proven.mfa,
      amr: proven.amr,
      clientId: flow.document.client?.id,
      ...(risk.reasons.length === 0 ? {} : { risk: risk.reasons }),
    },
  });
  transaction.emit(login(user, begun, flow), ...risk.events);
  return {
    kind: 'finished',
    returnTo: flow.document.returnTo,
    leadsTo: flow.document.leadsTo,
    secret: begun.secret,
    opState: begun.session.document.opState,
  };
}

const nothing: Disowned = { changes: [], entries: [], events: [] };

/**
 * Somebody may have come with an address that is not theirs. Whoever proves it by its mail does not share the account
 * with them: their identities go, and the password that was there before.
 */
function disownedBy(dependencies: SignInDependencies, store: Store, user: UserEntry, proven: Proven): Disowned {
  const isByMail = proven.method === 'password' && proven.verifiedEmail === user.document.email;
  const { changes, entries, events } = isByMail ? dependencies.disown(store, user) : nothing;
  if (changes.length === 0) return nothing;
  const { changedAt } = passwordState(store, user.id);
  const isFormer = changedAt !== undefined && changedAt < proven.at && !proven.amr.includes('pwd');
  return {
    changes: [...changes, ...(isFormer ? [credentialRecords.put(store, user.id, noPassword)] : [])],
    entries,
    events,
  };
}

/** The one before in this browser ends: for the same user its tokens go over to the new one. */
function replacement(store: Store, { session }: Visitor, begun: SessionEntry, now: number) {
  const former = session && liveSession(store, session.entry.id, now);
  if (former === undefined) return { changes: [], preconditions: [] };
  const isSame = former.document.userId === begun.document.userId;
  return isSame ? succession(store, former, begun.id, now) : ending(store, former, now);
}

function signedIn(user: UserRecord, { verifiedEmail }: Proven, now: number): UserRecord {
  const emailVerified = user.emailVerified || verifiedEmail === user.email;
  return { ...user, emailVerified, lastLoginAt: now, loginCount: user.loginCount + 1 };
}

function login(
  { id: userId, document: { email } }: UserEntry,
  { session: { id: sessionId, document } }: BegunSession,
  flow: FlowEntry,
): DomainEvent {
  const { ipAddress: ip, userAgent, authMethod: method, mfaVerified: mfa } = document;
  const clientId = flow.document.client?.id ?? null;
  return userLogin.of({ userId, email, ip, userAgent, method, mfa, sessionId, clientId });
}

interface SessionCookies {
  readonly secret: string | undefined;
  readonly opState: string | undefined;
}

/** The answer that hands the session to the browser. */
export function withSession(
  baseUrl: string,
  organization: Organization,
  { secret, opState }: SessionCookies,
  reply: Reply<never>,
): Reply<never> {
  const cookie = cookieHeader(siteOf(baseUrl), 'session', organization, secret);
  const state = browserStateCookie(baseUrl, organization.slug, opState);
  return withHeaders(withHeaders(reply, { 'set-cookie': cookie }), { 'set-cookie': state });
}

/** The answer that takes it away again. */
export function withoutSession(baseUrl: string, organization: Organization, reply: Reply<never>): Reply<never> {
  return withSession(baseUrl, organization, { secret: undefined, opState: undefined }, reply);
}
