import type { Store } from '#engine';
import {
  isLiveToken,
  revocation,
  revokedTokens,
  type TokenEntry,
  tokensOf,
  tokensOfUser,
} from '../../../identity/sessions/index.ts';
import { type RequestFacts, userActing } from '../../../kernel/audit/index.ts';
import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import {
  type AdminDependencies,
  nothingToCommit,
  type OrganizationTransaction,
  type Plan,
  transact,
  transactAs,
} from '../../../kernel/transactions/index.ts';
import { clientRecords } from '../clients/index.ts';
import { consentsOfUser, withdrawing } from '../consent/consents.ts';

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
    const client = clientRecords.get(store, clientId)?.document;
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

/** Takes back what a user has allowed, and every token with it, as the user asks. False where there was nothing. */
export function disconnectOwn(
  dependencies: AdminDependencies,
  organization: Organization,
  parties: Parties,
  facts: RequestFacts,
): Promise<boolean> {
  const actor = userActing(parties.userId);
  return end(organization.store, parties, (run) => transactAs(dependencies, organization, actor, facts, run));
}

/** The same by an administrator. `judge` throws where the caller may not. */
export function disconnect(
  dependencies: AdminDependencies,
  caller: Caller,
  parties: Parties,
  facts: RequestFacts,
  judge: () => void,
): Promise<boolean> {
  return end(caller.organization.store, parties, (run) =>
    transact(dependencies, caller, facts, (transaction) => {
      judge();
      return run(transaction);
    }),
  );
}

type Run = <T>(run: (transaction: OrganizationTransaction) => T) => Promise<T>;

/** The consent and the first tokens in one commit; more of them in bounded ones. */
async function end(store: Store, parties: Parties, run: Run): Promise<boolean> {
  const someTokens = (transaction: OrganizationTransaction) => transaction.include(someTokensEnd(store, parties));
  const first = await run((transaction) => ({
    consents: transaction.include(withdrawing(store, parties)),
    tokens: someTokens(transaction),
  }));
  for (let { tokens } = first; tokens === BATCH; ) tokens = await run(someTokens);
  return first.consents || first.tokens > 0;
}

/** Answers how many end: as many as a batch has where there may be more. */
function someTokensEnd(store: Store, { userId, clientId }: Parties): Plan<number> {
  const ends = tokensOf(store, { userId, clientId }, BATCH).map((token) => revocation(store, token));
  if (ends.length === 0) return nothingToCommit(0);
  return {
    changes: ends.flatMap(({ changes }) => changes),
    preconditions: ends.flatMap(({ preconditions }) => preconditions),
    entries: [
      {
        eventType: 'token.revoked',
        action: 'token.revoke_all',
        targetType: 'client',
        targetId: clientId,
        metadata: { userId, count: ends.length },
      },
    ],
    events: [revokedTokens({ userId, clientId }, 'consent')],
    result: ends.length,
  };
}
