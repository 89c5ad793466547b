import type { Store } from '#engine';
import { type AdminParts, commitPlan, commitPlanAs, type Plan, unchanged } from '../../admin/index.ts';
import { type Happening, type RequestFacts, subjectActor } from '../../audit/index.ts';
import { userSubject } from '../../directory/index.ts';
import type { Caller, Organization } from '../../orgs/index.ts';
import { revocation, tokensOf } from '../../sessions/index.ts';
import { getClient } from '../clients/index.ts';
import {
  type ConsentEntry,
  type ConsentRecord,
  consentDeletion,
  consentPut,
  consentsOf,
  getConsent,
  sameConsent,
} from './consent-record.ts';

/** Most that are shown of one user. */
const SHOWN_MAX = 500;
/** Tokens that end with one commit. */
const BATCH = 500;

type Parties = Pick<ConsentRecord, 'userId' | 'clientId'>;

/** What a user has agreed to, with the application's name. */
export interface GivenConsent extends ConsentRecord {
  readonly clientName: string;
  readonly logoUri: string | undefined;
  readonly clientUri: string | undefined;
}

/** Consents of a user to applications that there still are. To be called inside `Engine.read`. */
export function consentsOfUser(store: Store, userId: string): GivenConsent[] {
  return consentsOf(store, 'user', userId, SHOWN_MAX).flatMap(({ document }) => {
    const client = getClient(store, document.clientId)?.document;
    if (client === undefined) return [];
    return [{ ...document, clientName: client.name, logoUri: client.logoUri, clientUri: client.clientUri }];
  });
}

/** What puts a consent on record, for the commit that hands out the code. To be called inside a snapshot. */
export function granting(
  store: Store,
  { userId, clientId, scopes, sessionId }: Omit<ConsentRecord, 'createdAt' | 'updatedAt'>,
  now: number,
): Pick<Plan<void>, 'changes' | 'entries'> & Required<Pick<Plan<void>, 'preconditions' | 'events'>> {
  const before = getConsent(store, { userId, clientId })?.document;
  const document: ConsentRecord = {
    userId,
    clientId,
    scopes: [...new Set([...(before?.scopes ?? []), ...scopes])],
    sessionId,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  };
  return {
    changes: [consentPut(store, document)],
    preconditions: [sameConsent(store, document)],
    entries: [happening('granted', { userId, clientId }, { scopes })],
    events: [{ type: 'consent.granted', data: { userId, clientId, scopes } }],
  };
}

/**
 * Takes a consent back, as its user asks; with it end the tokens of this application and user. False where there is
 * none.
 */
export function revokeOwnConsent(
  parts: AdminParts,
  organization: Organization,
  parties: Parties,
  facts: RequestFacts,
): Promise<boolean> {
  const actor = subjectActor(userSubject(parties.userId));
  return revoke(organization.store, parties, (plan) => commitPlanAs(parts, organization, actor, facts, plan));
}

/** The same by an administrator. `judge` throws where the caller may not. */
export function revokeConsent(
  parts: AdminParts,
  caller: Caller,
  parties: Parties,
  facts: RequestFacts,
  judge: () => void,
): Promise<boolean> {
  return revoke(caller.organization.store, parties, (plan) =>
    commitPlan(parts, caller, facts, (now) => {
      judge();
      return plan(now);
    }),
  );
}

type Commit = <T>(plan: (now: number) => Plan<T>) => Promise<T>;

/** The consent goes first: no code that rests on it is spent from then on. */
async function revoke(store: Store, parties: Parties, commit: Commit): Promise<boolean> {
  const isThere = await commit((): Plan<boolean> => {
    const entry = getConsent(store, parties);
    return entry === undefined ? unchanged(false) : ended(store, entry);
  });
  if (isThere) while (await commit(() => someTokensEnd(store, parties)));
  return isThere;
}

function ended(store: Store, entry: ConsentEntry): Plan<boolean> {
  const { userId, clientId, scopes } = entry.document;
  const tokens = someTokensEnd(store, { userId, clientId });
  return {
    changes: [consentDeletion(store, entry), ...tokens.changes],
    preconditions: [sameConsent(store, { userId, clientId }), ...(tokens.preconditions ?? [])],
    entries: [happening('revoked', { userId, clientId }, { scopes })],
    events: [{ type: 'consent.revoked', data: { userId, clientId } }],
    result: true,
  };
}

/** Ends so many; answers whether there may be more. */
function someTokensEnd(store: Store, { userId, clientId }: Parties): Plan<boolean> {
  const tokens = tokensOf(store, { userId, clientId }, BATCH);
  const ends = tokens.map((token) => revocation(store, token));
  return {
    changes: ends.flatMap(({ changes }) => changes),
    preconditions: ends.flatMap(({ preconditions }) => preconditions),
    entries: [],
    result: tokens.length === BATCH,
  };
}

function happening(
  what: 'granted' | 'revoked',
  { userId, clientId }: Parties,
  metadata: Readonly<Record<string, unknown>>,
): Happening {
  return {
    eventType: `consent.${what}`,
    action: what === 'granted' ? 'consent.grant' : 'consent.revoke',
    targetType: 'client',
    targetId: clientId,
    metadata: { userId, ...metadata },
  };
}
