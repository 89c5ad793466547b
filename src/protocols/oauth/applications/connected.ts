import type { Store } from '#engine';
import { isLiveToken, revocation, revokedTokens, type TokenEntry, tokensOf } from '../../../identity/sessions/index.ts';
import type { OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { clientRecords } from '../clients/index.ts';
import { consentsOf, type Parties, withdrawConsent } from '../consent/consents.ts';

/** An application that a user has let in, or that has tokens of the user. Times are milliseconds since the epoch. */
export interface ConnectedApplication {
  readonly clientId: string;
  readonly name: string;
  /** Whether an administrator has registered it. */
  readonly isOwn: boolean;
  /** What the user has agreed to, and what its tokens reach. */
  readonly scopes: readonly string[];
  readonly consentedAt: number | undefined;
  /** Of its tokens that are good now; `undefined` where it has none. */
  readonly lastUsedAt: number | undefined;
  readonly hasTokens: boolean;
}

/** Most consents and tokens of one user that are looked at. */
const CONSENTS_MAX = 500;
const TOKENS_MAX = 2_000;
/** Tokens that end with one commit. */
const BATCH = 500;

/** By their names. To be called inside `Engine.read`. */
export function connectedApplications(store: Store, userId: string, now: number): ConnectedApplication[] {
  const consents = new Map(
    consentsOf(store, userId, CONSENTS_MAX).map(({ document }) => [document.clientId, document]),
  );
  const tokens = new Map<string, TokenEntry[]>();
  for (const token of tokensOf(store, { userId }, TOKENS_MAX)) {
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
        scopes: [...new Set([...(consent?.scopes ?? []), ...own.flatMap(({ document }) => document.scopes)])],
        consentedAt: consent?.createdAt,
        lastUsedAt: used.length === 0 ? undefined : Math.max(...used),
        hasTokens: own.length > 0,
      },
    ];
  });
  return found.sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.clientId < b.clientId ? -1 : 1));
}

type Run = <T>(run: (transaction: OrganizationTransaction) => T) => Promise<T>;

/**
 * Takes back what a user has allowed, and every token with it: the consent and the first tokens in one commit, more of
 * them in bounded ones. False where there was nothing.
 * @param run makes a commit of what it is given
 */
export async function disconnect(parties: Parties, run: Run): Promise<boolean> {
  const first = await run((transaction) => ({
    consents: withdrawConsent(transaction, parties),
    tokens: endSomeTokens(transaction, parties),
  }));
  for (let { tokens } = first; tokens === BATCH; ) {
    tokens = await run((transaction) => endSomeTokens(transaction, parties));
  }
  return first.consents || first.tokens > 0;
}

/** Answers how many end: as many as a batch has where there may be more. */
function endSomeTokens(transaction: OrganizationTransaction, { userId, clientId }: Parties): number {
  const { store } = transaction;
  const tokens = tokensOf(store, { userId, clientId }, BATCH);
  if (tokens.length === 0) return 0;
  for (const token of tokens) transaction.add(revocation(store, token));
  transaction.audit({
    eventType: 'token.revoked',
    action: 'token.revoke_all',
    targetType: 'client',
    targetId: clientId,
    metadata: { userId, count: tokens.length },
  });
  transaction.emit(revokedTokens({ userId, clientId }, 'consent'));
  return tokens.length;
}
