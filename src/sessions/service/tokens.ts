import type { Change, Precondition, Store } from '#engine';
import { type AdminParts, commitPlanAs } from '../../admin/index.ts';
import { type RequestFacts, subjectActor } from '../../audit/index.ts';
import { userSubject } from '../../directory/index.ts';
import type { Organization } from '../../orgs/index.ts';
import { digestOf, timeOfId } from '../../platform/index.ts';
import { currentEpochs, type EpochOf, stillCurrent } from '../records/epochs.ts';
import { getSession, liveSession } from '../records/session-record.ts';
import {
  liveToken,
  type TokenEntry,
  type TokenRecord,
  tokenCollection,
  tokenOfDigest,
  tokenWrite,
} from '../records/token-record.ts';
import { UseNotes } from './use-notes.ts';

/** A token that is about to be issued. */
export interface TokenGrant extends Omit<TokenRecord, 'createdAt' | 'epochs' | 'lastUsedAt'> {}

export interface BegunToken {
  readonly token: TokenEntry;
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** What is known of the tokens that were issued. */
export class Tokens {
  readonly #parts: AdminParts;
  readonly #uses: UseNotes<TokenRecord>;

  constructor(parts: AdminParts) {
    this.#parts = parts;
    this.#uses = new UseNotes(parts.engine, parts.clock, {
      collection: tokenCollection,
      usedAt: ({ lastUsedAt }) => lastUsedAt,
      find: liveToken,
      write: (id, document, lastUsedAt) => tokenWrite(id, { ...document, lastUsedAt }),
    });
  }

  /**
   * The changes that put a token on record, for the plan that issues it; `undefined` where its session has ended. To be
   * called inside `Engine.read`, with its preconditions in the command.
   */
  begin(store: Store, grant: TokenGrant): BegunToken | undefined {
    const { clientId, userId, sessionId } = grant;
    const id = this.#parts.audit.newId();
    const createdAt = timeOfId(id);
    const preconditions: Precondition[] = [];
    if (sessionId !== undefined) {
      const session = liveSession(store, sessionId, createdAt);
      if (session === undefined || session.document.userId !== userId) return undefined;
      const epochs = stillCurrent(store, session.document.epochs);
      preconditions.push(...epochs, stillThere(store, sessionId));
    }
    const all: EpochOf[] = ['tokens', `client:${clientId}`];
    if (userId !== undefined) all.push(`tokens:${userId}`);
    const epochs = currentEpochs(store, all);
    const document: TokenRecord = { ...grant, createdAt, epochs };
    return {
      token: { id, version: 1, document },
      changes: [{ op: 'put_record', store: store.name, record: tokenWrite(id, document) }],
      preconditions: [...preconditions, ...stillCurrent(store, epochs)],
    };
  }

  /** Puts a token on record with a commit of its own. */
  issue(organization: Organization, grant: TokenGrant, facts: RequestFacts): Promise<TokenEntry | undefined> {
    const { clientId, userId, scopes, type } = grant;
    const actor = userId === undefined ? { id: clientId, type: 'agent' as const } : subjectActor(userSubject(userId));
    return commitPlanAs(this.#parts, organization, actor, facts, () => {
      const begun = this.begin(organization.store, grant);
      if (begun === undefined) return { changes: [], entries: [], result: undefined };
      const { token, changes, preconditions } = begun;
      const data = { tokenId: token.id, type, clientId, userId: userId ?? null, scopes };
      return {
        changes,
        preconditions,
        entries: [
          { eventType: 'token.issued', action: 'token.issue', targetType: 'token', targetId: token.id, metadata: data },
        ],
        events: [{ type: 'token.issued', data }],
        result: token,
      };
    });
  }

  /** The token with this text, where its digest was given at its issue, while it is good. Inside `Engine.read`. */
  find(store: Store, text: string): TokenEntry | undefined {
    return tokenOfDigest(store, digestOf(text), this.#parts.clock.now());
  }

  /** Notes a use; `flush` writes it down. */
  touch(store: Store, id: string): void {
    this.#uses.note(store.name, id);
  }

  flush(): Promise<void> {
    return this.#uses.flush();
  }
}

function stillThere(store: Store, sessionId: string): Precondition {
  const version = getSession(store, sessionId)?.version ?? 0;
  return { require: 'record_version', store: store.name, collection: 'sessions', id: sessionId, version };
}

/** What revokes one token. */
export function revocation(store: Store, { id, version }: TokenEntry) {
  const place = { store: store.name, collection: tokenCollection, id };
  const changes: readonly Change[] = [{ op: 'delete_record', ...place }];
  const preconditions: readonly Precondition[] = [{ require: 'record_version', ...place, version }];
  return { changes, preconditions };
}
