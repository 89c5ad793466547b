import type { Change, Precondition, Store } from '#engine';
import { currentEpochs, type EpochOf, settle, stillCurrent } from '../../../directory/epochs/index.ts';
import { type GatheredChanges, UseNotes } from '../../../kernel/commits/index.ts';
import type { AdminDependencies, OrganizationTransaction } from '../../../kernel/transactions/index.ts';
import { timeOfId } from '../../../platform/index.ts';
import { hasChildren } from '../lists/tokens-of.ts';
import { liveSession, sessionRecords } from '../records/session-record.ts';
import { revokedToken } from '../records/token-events.ts';
import { dueTimeOf, liveToken, type TokenEntry, type TokenRecord, tokenRecords } from '../records/token-record.ts';

/** A token that is about to be issued. */
export type TokenGrant = Omit<TokenRecord, 'createdAt' | 'digest' | 'epochs' | 'lastUsedAt'>;

export interface BegunToken extends Required<GatheredChanges> {
  readonly token: TokenEntry;
}

/** What is known of the tokens that were issued. */
export class Tokens {
  readonly #dependencies: AdminDependencies;
  readonly #uses: UseNotes<TokenRecord>;

  constructor(dependencies: AdminDependencies) {
    this.#dependencies = dependencies;
    this.#uses = new UseNotes(dependencies.engine, dependencies.clock, {
      records: tokenRecords,
      usedAt: ({ lastUsedAt }) => lastUsedAt,
      find: liveToken,
      used: (document, lastUsedAt) => ({ ...document, lastUsedAt }),
    });
  }

  /**
   * The changes that put a token on record, for the plan that issues it; `undefined` where its session has ended. To be
   * called inside `Engine.read`, with its preconditions in the command.
   */
  begin(store: Store, grant: TokenGrant): BegunToken | undefined {
    const { userId, sessionId } = grant;
    if (sessionId === undefined) return this.record(store, grant);
    const basis = sessionBasis(store, { sessionId, userId }, this.#dependencies.clock.now());
    const begun = this.record(store, grant);
    return basis && { ...begun, preconditions: [...basis, ...begun.preconditions] };
  }

  /**
   * The same for whoever has seen to it that the session goes on. A parent is not looked at: whoever names one has it in
   * hand, or in the same command.
   * @param id a UUID of version 7; its time is that of the issue
   */
  record(store: Store, grant: TokenGrant, id = this.#dependencies.audit.newId()): BegunToken {
    const epochs = currentEpochs(store, epochsOf(grant));
    const document: TokenRecord = Object.assign({}, grant, { createdAt: timeOfId(id), epochs });
    return {
      token: { id, version: 1, document },
      changes: [tokenRecords.put(store, id, document)],
      preconditions: stillCurrent(store, epochs),
    };
  }

  /**
   * The change that puts an access token on record. The same command puts its grant on record, so that the grant's
   * preconditions are enough. Of the grant's epochs the record keeps the one that it is listed by.
   */
  recordBy(store: Store, grant: TokenEntry, access: TokenGrant, id: string): Change {
    const epochs = { tokens: grant.document.epochs.tokens ?? 0 };
    const document = Object.assign({}, access, { grantId: grant.id, createdAt: timeOfId(id), epochs });
    return tokenRecords.put(store, id, document);
  }

  /**
   * The next refresh token of a grant, which replaces the one before. Of two that come at once with the same
   * one only the first finds the version that its preconditions name.
   */
  renewal(store: Store, grant: TokenEntry, expiresAt: number): BegunToken {
    const { id, document } = grant;
    const renewed: TokenRecord = Object.assign({}, document, {
      generation: (document.generation ?? 1) + 1,
      expiresAt,
      // its index stays as it is
      dueAt: Math.min(dueTimeOf(document), expiresAt),
      lastUsedAt: this.#dependencies.clock.now(),
    });
    return {
      token: { ...grant, document: renewed },
      changes: [tokenRecords.put(store, id, renewed)],
      preconditions: [tokenRecords.same(store, grant), ...stillCurrent(store, document.epochs)],
    };
  }

  /** Notes a use; `flush` writes it down. */
  touch(store: Store, id: string): void {
    this.#uses.note(store.name, id);
  }

  flush(all = false): Promise<void> {
    return this.#uses.flush(all);
  }
}

function epochsOf({ clientId, userId }: TokenGrant): EpochOf[] {
  return ['tokens', `client:${clientId}`, ...(userId === undefined ? [] : ([`tokens:${userId}`] as const))];
}

/**
 * What a command rests on that gives something to who is signed in: that the session goes on when it is applied.
 * `undefined` where it has ended, or is not this user's. To be called inside `Engine.read`.
 */
export function sessionBasis(
  store: Store,
  { sessionId, userId }: { readonly sessionId: string; readonly userId: string | undefined },
  now: number,
): Precondition[] | undefined {
  const session = liveSession(store, sessionId, now);
  if (session === undefined || session.document.userId !== userId) return undefined;
  return [...stillCurrent(store, session.document.epochs), sessionRecords.same(store, session)];
}

/** What revokes one token, and with it what was exchanged for it; of a grant, all that was issued by it. */
export function revocation(store: Store, token: TokenEntry): Required<GatheredChanges> {
  const { id } = token;
  const children = hasChildren(store, id) ? [settle(store, `parent:${id}`)] : [];
  return { changes: [tokenRecords.delete(store, id), ...children], preconditions: [tokenRecords.same(store, token)] };
}

/** Revokes one token, and says so. Where it or its code was used a second time, somebody may have stolen it. */
export function revokeToken(
  transaction: OrganizationTransaction,
  token: TokenEntry,
  why: 'admin' | 'client' | 'reuse' | 'code_reuse',
): void {
  const { type, clientId, userId = null } = token.document;
  const isStolen = why === 'reuse' || why === 'code_reuse';
  transaction.add(revocation(transaction.store, token));
  transaction.audit({
    eventType: 'token.revoked',
    action: why === 'reuse' ? 'token.reuse' : 'token.revoke',
    severity: isStolen ? 'warning' : 'info',
    targetType: 'token',
    targetId: token.id,
    metadata: { type, clientId, userId, ...(isStolen ? { reason: why } : {}) },
  });
  transaction.emit(revokedToken(token, why));
}
