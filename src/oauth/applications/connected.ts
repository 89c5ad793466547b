import type { Store } from '#engine';
import { type AdminParts, commitPlan, commitPlanAs, type Plan, unchanged } from '../../admin/index.ts';
import { type RequestFacts, subjectActor } from '../../audit/index.ts';
import { userSubject } from '../../directory/index.ts';
import type { Caller, Organization } from '../../orgs/index.ts';
import { isLiveToken, revocation, type TokenEntry, tokensOf, tokensOfUser } from '../../sessions/index.ts';
import { getClient } from '../clients/index.ts';
import { consentsOfUser, revokeConsent, revokeOwnConsent } from '../consent/consents.ts';

/** An application that a user has let in, or that has tokens of the user. Times are milliseconds since the epoch. */
export interface ConnectedApplication {
  readonly clientId: string;
  readonly name: string;
  /** Whether an administrator has registered it. */
  readonly isOwn: boolean;
  readonly clientUri: string | undefined;
  /** What the user has agreed to, and what its tokens reach. */
  readonly scopes: readonly string[];
  readonly consentedAt: number | undefined;
  /** Of its tokens that are good now; `undefined` where it has none. */
  readonly lastUsedAt: number | undefined;
  readonly hasTokens: boolean;
}

/** Most tokens of one user that are looked at. */
const TOKENS_MAX = 2_000;
/** Tokens that end with one commit. */
const BATCH = 500;

interface Parties {
  readonly userId: string;
  readonly clientId: string;
}

/** By their names. To be called inside `Engine.read`. */
export function connectedApplications(store: Store, userId: string, now: number): ConnectedApplication[] {
  const consents = new Map(consentsOfUser(store, userId).map((consent) => [consent.clientId, consent]));
  const tokens = new Map<string, TokenEntry[]>();
  for (const token of tokensOfUser(store, userId, TOKENS_MAX)) {
    if (!isLiveToken(store, token.document, now)) continue;
    const { clientId } = token.document;
    tokens.set(clientId, [...(tokens.get(clientId) ?? []), token]);
  }
  const ids = [...new Set([...consents.keys(), ...tokens.keys()])];
  const found = ids.flatMap((clientId): ConnectedApplication[] => {
    const client = getClient(store, clientId)?.document;
    if (client === undefined) return [];
    const own = tokens.get(clientId) ?? [];
    const consent = consents.get(clientId);
    const used = own.map(({ document }) => document.lastUsedAt ?? document.createdAt);
    return [
      {
        clientId,
        name: client.name,
        isOwn: client.kind === 'admin',
        clientUri: client.clientUri,
        scopes: [...new Set([...(consent?.scopes ?? []), ...own.flatMap(({ document }) => document.scopes)])],
        consentedAt: consent?.createdAt,
        lastUsedAt: used.length === 0 ? undefined : Math.max(...used),
        hasTokens: own.length > 0,
      },
    ];
  });
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.clientId < b.clientId ? -1 : 1));
}

/** Takes back what a user has allowed, and every token with it. False where there was nothing. */
export async function disconnectOwn(
  parts: AdminParts,
  organization: Organization,
  parties: Parties,
  facts: RequestFacts,
): Promise<boolean> {
  const had = await revokeOwnConsent(parts, organization, parties, facts);
  const actor = subjectActor(userSubject(parties.userId));
  return (
    (await endTokens(organization.store, parties, (plan) => commitPlanAs(parts, organization, actor, facts, plan))) ||
    had
  );
}

/** The same by an administrator. `judge` throws where the caller may not. */
export async function disconnect(
  parts: AdminParts,
  caller: Caller,
  parties: Parties,
  facts: RequestFacts,
  judge: () => void,
): Promise<boolean> {
  const had = await revokeConsent(parts, caller, parties, facts, judge);
  const ended = await endTokens(caller.organization.store, parties, (plan) =>
    commitPlan(parts, caller, facts, (now) => {
      judge();
      return plan(now);
    }),
  );
  return ended || had;
}

type Commit = (plan: (now: number) => Plan<number>) => Promise<number>;

/** Tokens of an application that needs no consent, or that were issued since: in bounded commits. */
async function endTokens(store: Store, { userId, clientId }: Parties, commit: Commit): Promise<boolean> {
  let ended = 0;
  for (let step = BATCH; step === BATCH; ended += step) {
    step = await commit((): Plan<number> => {
      const tokens = tokensOf(store, { userId, clientId }, BATCH);
      if (tokens.length === 0) return unchanged(0);
      const ends = tokens.map((token) => revocation(store, token));
      return {
        changes: ends.flatMap(({ changes }) => changes),
        preconditions: ends.flatMap(({ preconditions }) => preconditions),
        entries: [
          {
            eventType: 'token.revoked',
            action: 'token.revoke_all',
            targetType: 'client',
            targetId: clientId,
            metadata: { userId, count: tokens.length },
          },
        ],
        events: [{ type: 'token.revoked', data: { clientId, userId } }],
        result: tokens.length,
      };
    });
  }
  return ended > 0;
}
